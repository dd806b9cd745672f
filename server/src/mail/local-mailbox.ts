import type { Mailer } from './port.ts'

/**
 * Mail stays in its table and is read at /dev/mail: for trying Onecut on one machine without a mail
 * server.
 */
export function createLocalMailbox(): Mailer {
  return { mode: 'local-mailbox', deliver: () => Promise.resolve() }
}
