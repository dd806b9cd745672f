/**
 * Waits for `work`, but not longer than `limitMs` and not beyond the abort; rejects then. The work
 * itself goes on: stop it where it runs.
 */
export function withLimit<T>(work: Promise<T>, limitMs: number, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const end = (settle: () => void): void => {
      clearTimeout(timer)
      signal.removeEventListener('abort', onAbort)
      settle()
    }
    const onAbort = (): void => end(() => reject(signal.reason))
    const timer = setTimeout(
      () => end(() => reject(new DOMException('too slow', 'TimeoutError'))),
      limitMs,
    )
    signal.addEventListener('abort', onAbort, { once: true })
    work.then(
      (value) => end(() => resolve(value)),
      (thrown: unknown) => end(() => reject(thrown)),
    )
    // The event of an abort that was before is not sent again.
    if (signal.aborted) onAbort()
  })
}
