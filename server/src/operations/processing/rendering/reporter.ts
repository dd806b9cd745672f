/** Progress goes to the database at most this often. */
const PROGRESS_EVERY_MS = 500

/** Takes how far something is, 0 to 1. */
interface Reporter {
  (ratio: number): void
  /** Resolves when nothing is being sent. */
  settled(): Promise<void>
}

/** Sends the newest value, one at a time, at most every PROGRESS_EVERY_MS. */
export function reporter(
  send: (ratio: number) => Promise<void>,
  onError: (error: unknown) => void,
): Reporter {
  let best = 0
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
  return Object.assign(report, {
    settled: async () => {
      await sending
    },
  })
}
