type ScreenLock = Pick<WakeLockSentinel, 'released' | 'release'>

/** What the browser gives of the device's screen. */
export interface ScreenPorts {
  /** Asks the system to leave the screen on; rejects where it refuses, as with a low battery. */
  readonly request: () => Promise<ScreenLock>
  readonly isVisible: () => boolean
  /** Calls the listener at each change of visibility; returns the end of it. */
  readonly onVisibility: (listener: () => void) => () => void
}

/**
 * Leaves the screen on until the returned function is called, while the page is in sight: the
 * system takes its lock back from a hidden page, and is asked again when the page is shown. A
 * refusal is no error: the screen goes dark as it would without us.
 */
export function keepScreenOn({ request, isVisible, onVisibility }: ScreenPorts): () => void {
  const end = new AbortController()
  const ask = async (held: ScreenLock | null): Promise<ScreenLock | null> =>
    end.signal.aborted || !isVisible() || held?.released === false
      ? held
      : await request().catch(() => null)
  // One after the other: a page that was hidden and shown meanwhile may have been refused.
  let held = ask(null)
  const stop = onVisibility(() => {
    held = held.then(ask)
  })
  return () => {
    end.abort()
    stop()
    void held.then((lock) => lock?.release())
  }
}
