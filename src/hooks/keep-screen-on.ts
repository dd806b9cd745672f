/** What the browser gives of the device's screen. */
export interface ScreenPorts {
  /** Asks the system to leave the screen on; rejects where it refuses, as with a low battery. */
  readonly request: () => Promise<Pick<WakeLockSentinel, 'released' | 'release'>>
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
  let isOver = false
  let isAsking = false
  // Hidden and shown while the system was asked: it may have refused the hidden page.
  let isMissed = false
  let held: Awaited<ReturnType<ScreenPorts['request']>> | null = null
  const ask = async (): Promise<void> => {
    isMissed = isAsking
    if (isAsking || isOver || !isVisible() || held?.released === false) return
    isAsking = true
    held = await request().catch(() => null)
    isAsking = false
    if (isOver) await held?.release()
    else if (isMissed) await ask()
  }
  const stop = onVisibility(() => void ask())
  void ask()
  return () => {
    isOver = true
    stop()
    void held?.release()
  }
}
