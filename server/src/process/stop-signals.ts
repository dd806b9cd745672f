/** What the signals that a process gets say about its end. */
interface StopSignals {
  /** Aborts at the first signal: stop, and let what runs end. */
  readonly stop: AbortSignal
  /** Aborts at the next one: the person, or the program that sends them, does not want to wait. */
  readonly hurry: AbortSignal
}

/** npm and the terminal may both pass on one Ctrl-C; so close together, two signals are one. */
const ONE_WISH_MS = 500

/** Listens to SIGINT (Ctrl-C) and SIGTERM from now on; neither ends the process by itself then. */
export function listenToSignals(
  source: Pick<NodeJS.EventEmitter, 'on'>,
  nowMs: () => number = () => performance.now(),
): StopSignals {
  const stop = new AbortController()
  const hurry = new AbortController()
  let firstAtMs: number | null = null
  const onSignal = (): void => {
    firstAtMs ??= nowMs()
    if (nowMs() - firstAtMs > ONE_WISH_MS) hurry.abort()
    stop.abort()
  }
  source.on('SIGINT', onSignal)
  source.on('SIGTERM', onSignal)
  return { stop: stop.signal, hurry: hurry.signal }
}
