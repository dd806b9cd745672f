import type { CallName } from '#src/api/call-limits.ts'
import { useCallsRefusedUntil, type RefusedUntil } from '#src/hooks/clock/use-refused-until.ts'
import { asOfWords } from '#src/lib/time-words.ts'
import { MINUTE_MS } from '#src/lib/time.ts'

/**
 * From when on the server takes these calls again, in words for the `notYet` of their button; null
 * while it takes them.
 */
export function useNotYet(...calls: readonly CallName[]): string | null {
  const refusal = useCallsRefusedUntil(calls)
  return refusal === null ? null : notYetWords(refusal)
}

/** 'You can try again from 8:00 PM on.' */
export function notYetWords({ untilEpochMs, nowEpochMs }: RefusedUntil): string {
  return untilEpochMs - nowEpochMs < MINUTE_MS
    ? 'You can try again in less than a minute.'
    : `You can try again from ${asOfWords(untilEpochMs, nowEpochMs)} on.`
}
