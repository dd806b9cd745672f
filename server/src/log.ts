/**
 * One JSON line an event. Never pass tokens, signed URLs, e-mail addresses or file names. Pass an
 * error as a whole, never its message: what a failed query carried is then left out.
 */
export interface Log {
  info(event: string, facts?: Readonly<Record<string, unknown>>): void
  warn(event: string, facts?: Readonly<Record<string, unknown>>): void
  error(event: string, error: unknown, facts?: Readonly<Record<string, unknown>>): void
}

/**
 * Writes to standard error, so that standard output stays for what the person who starts the server
 * reads.
 */
export function createLog(
  write: (line: string) => void = (line) => process.stderr.write(`${line}\n`),
  clock: () => Date = () => new Date(),
): Log {
  const emit = (
    level: string,
    event: string,
    facts: Readonly<Record<string, unknown>> = {},
  ): void => {
    write(JSON.stringify({ at: clock().toISOString(), level, event, ...facts }, withoutValues))
  }
  return {
    info: (event, facts) => emit('info', event, facts),
    warn: (event, facts) => emit('warn', event, facts),
    error: (event, error, facts) =>
      emit('error', event, { ...facts, error: error instanceof Error ? error : String(error) }),
  }
}

function withoutValues(_name: string, value: unknown): unknown {
  return value instanceof Error ? describe(value) : value
}

/** What others said may name people and carry signed links: mail servers, drives, libraries. */
function withoutSecrets(text: string): string {
  return text
    .replaceAll(/(https?:\/\/[^\s/?#"'<>]+)[^\s"'<>)]*/g, '$1/…')
    .replaceAll(/[^\s<>"'/:;,()=]+@(?:[\w-]+\.)+[a-z]{2,}/gi, '…@…')
}

function describe(error: Error): Readonly<Record<string, unknown>> {
  const { name } = error
  const stack = error.stack === undefined ? undefined : withoutSecrets(error.stack)
  if (!('query' in error) || !('params' in error))
    return { name, message: withoutSecrets(error.message), stack }
  // A failed query carries its values: mails, addresses, file names and sign-in links. The
  // statement alone shows the mistake.
  const cause = error.cause instanceof Error ? error.cause : null
  const message = `Failed query: ${String(error.query)}${cause === null ? '' : `: ${cause.message}`}`
  return {
    name,
    message,
    code: cause !== null && 'code' in cause ? cause.code : undefined,
    stack: error.stack?.replace(error.message, () => message),
  }
}
