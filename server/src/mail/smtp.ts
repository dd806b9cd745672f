import { createTransport } from 'nodemailer'
import type { Mailer } from './port.ts'

/**
 * Sends mail through an SMTP server (RFC 5321); gives up on a server that does not answer within
 * 20 s, and the job tries again.
 */
export function createSmtpMailer(smtp: { readonly url: string; readonly from: string }): Mailer {
  const transport = createTransport({
    url: smtp.url,
    connectionTimeout: 20_000,
    greetingTimeout: 20_000,
    socketTimeout: 20_000,
  })
  return {
    mode: 'smtp',
    deliver: async (mail) => {
      await transport.sendMail({
        from: smtp.from,
        to: mail.to,
        subject: mail.subject,
        text: mail.text,
        html: mail.html,
      })
    },
  }
}
