/**
 * True when the value is the reason of an abort; such an end is not a failure. Timeouts are not
 * aborts.
 */
export function isAbort(thrown: unknown): boolean {
  return thrown instanceof DOMException
    ? thrown.name === 'AbortError'
    : hasName(thrown, 'AbortError')
}

/** True when `AbortSignal.timeout` fired. */
export function isTimeout(thrown: unknown): boolean {
  return hasName(thrown, 'TimeoutError')
}

function hasName(thrown: unknown, name: string): boolean {
  return typeof thrown === 'object' && thrown !== null && 'name' in thrown && thrown.name === name
}
