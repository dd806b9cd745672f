import type { CallName } from '#src/api/call-limits.ts'
import { useCallsRefusedUntil } from '#src/hooks/clock/use-refused-until.ts'
import { notYetWords } from '#src/lib/time-words.ts'

/**
 * From when on the server takes these calls again, in words for the `notYet` of their button; null
 * while it takes them.
 */
export function useNotYet(...calls: readonly CallName[]): string | null {
  const refusal = useCallsRefusedUntil(calls)
  return refusal === null ? null : notYetWords(refusal)
}
