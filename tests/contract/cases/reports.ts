import type { OperationCases } from '#tests/contract/cases/operation-case.ts'
import { humanToken } from '#tests/fakes/human.ts'

const report = (more: Record<string, unknown> = {}) => ({
  report: {
    video: 'A scene at https://example.com/1',
    relation: 'depicted',
    reason: 'I never agreed.',
    signature: 'Mara Example',
    contact: 'mara@example.com',
    isTruthful: true,
    ...more,
  },
  captchaToken: humanToken,
})

export const reportCases: OperationCases = {
  createReport: {
    valid: () => Promise.resolve({ body: report(), status: 201 }),
    invalid: [
      { body: report({ video: ' ' }), field: 'report.video' },
      { body: report({ relation: 'friend' }), field: 'report.relation' },
      { body: report({ contact: 'mara' }), field: 'report.contact' },
      { body: report({ isTruthful: false }), field: 'report.isTruthful' },
      { body: report({ reason: 'x'.repeat(4001) }), field: 'report.reason' },
    ],
  },
}
