/** The only door to the console. Never log tokens, presigned URLs or file names. */
export interface Log {
  debug(message: string, facts?: LogFacts): void
  warn(message: string, facts?: LogFacts): void
  error(message: string, facts?: LogFacts): void
}
export type LogFacts = Readonly<Record<string, string | number | boolean | null>>

/** A log that prefixes each line with the area it speaks of. */
export function createLog(area: string): Log {
  const line = (message: string): string => `[${area}] ${message}`
  return {
    debug: (message, facts) => console.debug(line(message), facts ?? {}),
    warn: (message, facts) => console.warn(line(message), facts ?? {}),
    error: (message, facts) => console.error(line(message), facts ?? {}),
  }
}

/** A log that says nothing, for contexts where noise would be a failure. */
export const silentLog: Log = {
  debug: () => undefined,
  warn: () => undefined,
  error: () => undefined,
}
