import type { OperationCases } from '#tests/contract/cases/operation-case.ts'

export const systemCases: OperationCases = {
  getHumanChallenge: { valid: async () => ({ status: 200 }) },
  getCapabilities: { valid: async () => ({ status: 200 }) },
  getFrontPage: { valid: async () => ({ status: 200 }) },
  listPresets: { valid: async () => ({ status: 200 }) },
}
