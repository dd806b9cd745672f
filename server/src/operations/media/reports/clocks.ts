const HOUR_MS = 60 * 60 * 1000
/** Until the operator has looked at a report, and until it is decided. */
const FIRST_LOOK_HOURS = 48
const DECISION_DAYS = 7

/** Until when the operator looks at a report, and until when it is decided. */
export function clocksOf({ receivedAt }: { readonly receivedAt: Date }): {
  readonly firstLookBy: Date
  readonly decisionBy: Date
} {
  const after = (ms: number): Date => new Date(receivedAt.getTime() + ms)
  return {
    firstLookBy: after(FIRST_LOOK_HOURS * HOUR_MS),
    decisionBy: after(DECISION_DAYS * 24 * HOUR_MS),
  }
}
