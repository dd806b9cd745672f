import { createTransport } from 'nodemailer'
import type { Mailer } from './port.ts'

/**
 * Sends mail through an SMTP server (RFC 5321); gives up on a server that does not answer within
 * 20 s, and the job tries again. With `requiresTls` a server that does not offer STARTTLS gets no
 * mail: a sign-in link that is read on the way signs in who reads it. A mail that is sent again has
 * the same Message-ID and date (RFC 5322, 3.6.4), by which mailboxes drop the second copy.
 */
export function createSmtpMailer(smtp: {
  readonly url: string
  readonly from: string
  readonly requiresTls: boolean
  /** Where answers go; to `from` unless given. */
  readonly replyTo?: string | null
}): Mailer {
  const transport = createTransport({
    url: smtp.url,
    requireTLS: smtp.requiresTls,
    connectionTimeout: 20_000,
    greetingTimeout: 20_000,
    socketTimeout: 20_000,
  })
  return {
    mode: 'smtp',
    deliver: async (mail) => {
      await transport.sendMail({
        from: smtp.from,
        ...(smtp.replyTo == null ? {} : { replyTo: smtp.replyTo }),
        to: mail.to,
        messageId: `<${mail.id}@${domainOf(smtp.from)}>`,
        date: mail.writtenAt,
        subject: mail.subject,
        text: mail.text,
        html: mail.html,
        ...(mail.unsubscribeUrl == null
          ? {}
          : { headers: unsubscribeHeaders(mail.unsubscribeUrl) }),
      })
    },
  }
}

/** The part after the @ of `hello@example.com` or `Onecut <hello@example.com>`. */
function domainOf(from: string): string {
  return /@([^@>\s]+)>?\s*$/.exec(from)?.[1] ?? 'localhost'
}

/** By which mail programs show their own button to end such mails (RFC 2369, RFC 8058). */
function unsubscribeHeaders(url: string): Readonly<Record<string, string>> {
  return {
    'List-Unsubscribe': `<${url}>`,
    'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
  }
}
