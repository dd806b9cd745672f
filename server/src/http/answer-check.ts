import type { Contract, ContractOperation } from './contract.ts'
import type { Deps } from '#server/deps.ts'

/**
 * Where answers are not all checked, the first of each operation is, and then one in so many: the
 * check of a page of 50 edits (62 kB) takes 0.26 ms of the 7 that the call takes.
 */
export const CHECKED_ONE_IN = 100

/** An answer as the client sees it. */
interface SentAnswer {
  readonly status: number
  /** The body as JSON; null without one. */
  readonly json: string | null
}

/**
 * Compares answers with the contract: all in tests, where a mismatch fails the call; elsewhere a
 * sample of each operation, and a mismatch is logged.
 */
export function createAnswerCheck(
  { settings, log }: Pick<Deps, 'log'> & { readonly settings: { readonly checkAnswers: boolean } },
  contract: Pick<Contract, 'answerErrors'>,
): (operation: Pick<ContractOperation, 'id'>, answer: SentAnswer) => void {
  const answered = new Map<string, number>()
  return ({ id }, { status, json }) => {
    const before = answered.get(id) ?? 0
    answered.set(id, before + 1)
    if (!settings.checkAnswers && before % CHECKED_ONE_IN !== 0) return
    const errors = contract.answerErrors(id, status, json === null ? null : JSON.parse(json))
    if (errors.length === 0) return
    const found = errors.map((each) => `${each.instancePath} ${each.message ?? ''}`).join('; ')
    const mismatch = new Error(`${id} answered ${status} against its contract: ${found}`)
    if (settings.checkAnswers) throw mismatch
    log.error('contract/answer-mismatch', mismatch)
  }
}
