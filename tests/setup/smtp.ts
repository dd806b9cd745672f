import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { SMTPServer } from 'smtp-server'

/** A mail server of tests. */
export interface TestSmtp {
  readonly url: string
  /** What came, raw, oldest first: all of it was kept, whatever the sender learned of that. */
  readonly received: readonly string[]
  close(): Promise<void>
}

/**
 * Starts a mail server that offers no TLS and keeps what it gets. `onKept` runs when a mail is kept
 * and its sender does not know it; the yes goes out when it resolves, and a no when it rejects. It
 * listens on loopback unless a host is given.
 */
export async function startSmtp(
  onKept: () => Promise<void> | void = () => {},
  host = '127.0.0.1',
): Promise<TestSmtp> {
  const received: string[] = []
  const smtp = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData(stream, _session, done) {
      let text = ''
      stream.on('data', (chunk: Buffer) => {
        text += chunk.toString()
      })
      stream.on('end', () => {
        received.push(text)
        void (async () => await onKept())().then(
          () => done(),
          (error: unknown) => done(error instanceof Error ? error : new Error(String(error))),
        )
      })
    },
  })
  // A sender that is killed leaves its connection without a word.
  smtp.on('error', () => {})
  smtp.listen(0, host)
  await once(smtp.server, 'listening')
  return {
    received,
    url: `smtp://127.0.0.1:${(smtp.server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((resolve) => {
        smtp.close(() => resolve())
      }),
  }
}
