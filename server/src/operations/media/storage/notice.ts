import type { Ctx } from '#server/context.ts'

const DAY_MS = 24 * 60 * 60 * 1000
/** Between the mail and the deletion; less where files are kept for less. */
const NOTICE_DAYS = 3

/** What an owner's rule leaves alone after it was set ([Note: owner's rule] in owner-rule.ts). */
export const RULE_REST_MS = DAY_MS

/** When a video goes by the rule of its owner, `days` after `since`. */
export function goesByRule(facts: {
  readonly since: Date
  readonly setAt: Date
  readonly days: number
}): Date {
  const { since, setAt, days } = facts
  return new Date(Math.max(since.getTime() + days * DAY_MS, setAt.getTime() + RULE_REST_MS))
}

/** How many days before they go files are announced that are kept for `keptDays`. */
export function noticeDays(keptDays: number): number {
  return Math.min(NOTICE_DAYS, keptDays)
}

/**
 * When files go that are kept for `keptDays` since `since`: not before they were announced for the
 * time of notice. `toldAt` is null while they are not.
 */
export function goesAt(
  { clock }: Pick<Ctx, 'clock'>,
  facts: { readonly since: Date; readonly toldAt: Date | null; readonly keptDays: number },
): Date {
  const { since, toldAt, keptDays } = facts
  const told = toldAt ?? clock()
  return new Date(
    Math.max(since.getTime() + keptDays * DAY_MS, told.getTime() + noticeDays(keptDays) * DAY_MS),
  )
}
