import { describeBug } from './describe-bug.ts'

/** The only door to the console. Never log tokens, presigned URLs or file names. */
export interface Log {
  debug(message: string, facts?: LogFacts): void
  warn(message: string, facts?: LogFacts): void
  error(message: string, facts?: LogFacts): void
}
export type LogFacts = Readonly<Record<string, string | number | boolean | null>>

export interface LogLine {
  readonly level: 'debug' | 'warn' | 'error'
  readonly area: string
  readonly message: string
  readonly facts: LogFacts
}

/**
 * A log that prefixes each line with the area it speaks of.
 * @param keep also gets each line, for the report that a person can copy; must not throw
 */
export function createLog(area: string, keep: (line: LogLine) => void = () => undefined): Log {
  const write =
    (level: LogLine['level']) =>
    (message: string, facts: LogFacts = {}): void => {
      console[level](`[${area}] ${message}`, facts)
      keep({ level, area, message, facts })
    }
  return { debug: write('debug'), warn: write('warn'), error: write('error') }
}

/** A log that says nothing, for contexts where noise would be a failure. */
export const silentLog: Log = {
  debug: () => undefined,
  warn: () => undefined,
  error: () => undefined,
}

/**
 * Logs errors and rejections that no code handled. For the window or a worker's global scope; the
 * browser's own console line stays.
 * @param isExpected whether a rejection is the only way to say what it says, and no bug
 */
export function logUnhandled(
  target: EventTarget,
  log: Log,
  isExpected: (reason: unknown) => boolean = () => false,
): void {
  target.addEventListener('error', (event) => {
    // Without an error object: a script of another origin, or a notice about layout.
    if ('error' in event && event.error != null)
      log.error('unhandled error', describeBug(event.error))
  })
  target.addEventListener('unhandledrejection', (event) => {
    const reason: unknown = 'reason' in event ? event.reason : null
    if (!isExpected(reason)) log.error('unhandled rejection', describeBug(reason))
  })
}
