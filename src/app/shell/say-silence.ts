import { SECOND_MS, type Clock } from '#src/lib/time.ts'

/** By then a browser that answers has opened all databases, also on a slow phone. */
const SILENT_AFTER_MS = 10 * SECOND_MS

/**
 * Calls `say` when `work` has not ended after ten seconds, and waits on: a browser that answers
 * late is no failure. Ends as `work` does.
 */
export async function saySilence<T>(clock: Clock, work: Promise<T>, say: () => void): Promise<T> {
  const over = new AbortController()
  void clock.sleep(SILENT_AFTER_MS, over.signal).then(say, () => undefined)
  return work.finally(() => over.abort())
}
