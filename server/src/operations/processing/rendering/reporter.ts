/** Progress goes to the database at most this often. */
const PROGRESS_EVERY_MS = 500
/** And at least this often: what waits for the store moves nothing, and may be over meanwhile. */
const LOOK_MS = 2_000

/** Takes how far something is, 0 to 1. */
interface Reporter {
  (ratio: number): void
  /** Ends it; resolves when nothing is being sent. */
  settled(): Promise<void>
}

/**
 * Sends the highest value, `from` at first, one at a time, at most every PROGRESS_EVERY_MS and
 * at least every LOOK_MS, until it is ended.
 */
export function reporter(
  send: (ratio: number) => Promise<void>,
  onError: (error: unknown) => void,
  from = 0,
): Reporter {
  let best = from
  let lastAt = 0
  let sending: Promise<void> | null = null
  const report = (ratio: number): void => {
    best = Math.max(best, ratio)
    const now = performance.now()
    if (sending !== null || now - lastAt < PROGRESS_EVERY_MS) return
    lastAt = now
    sending = send(best)
      .catch(onError)
      .finally(() => {
        sending = null
      })
  }
  const look = setInterval(() => report(best), LOOK_MS)
  return Object.assign(report, {
    settled: async () => {
      clearInterval(look)
      await sending
    },
  })
}
