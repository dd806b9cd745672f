import { once } from 'node:events'
import { request, type IncomingMessage } from 'node:http'
import PostalMime from 'postal-mime'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { components } from '#openapi/schema.gen.ts'
import { mails } from '#server/db/schema.ts'
import { inTransaction } from '#server/context.ts'
import { mailboxUrl } from '#server/operations/core/mail/local-mailbox.ts'
import { createSmtpMailer } from '#server/mail/smtp.ts'
import { deliverMail, queueMail } from '#server/operations/core/mail/send.ts'
import { startSmtp } from '#tests/setup/smtp.ts'
import { startTestServer, type TestServer } from '#tests/setup/server.ts'

type Capabilities = components['schemas']['Capabilities']

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.stop())

const mail = {
  to: 'mara@example.com',
  subject: 'Hello <Mara>',
  text: 'Your code:\n\n    402913\n\nhttp://127.0.0.1:4400/x?token=a&b=c',
  html: '<p>402913</p>',
}

describe('the local mailbox', () => {
  it('shows mails newest first, escaped, with their links and the code', async () => {
    await inTransaction(server.deps, (ctx) => queueMail(ctx, { ...mail, subject: 'Older' }))
    await inTransaction(server.deps, (ctx) => queueMail(ctx, mail))
    const client = server.createClient()
    const opened = await client.get(mailbox())
    expect([opened.status, opened.headers.get('location')]).toEqual([303, '/dev/mail'])
    expect(opened.headers.get('set-cookie')).toMatch(/HttpOnly/)
    const page = new TextDecoder().decode((await client.get('/dev/mail')).bytes)
    expect(page.indexOf('Hello &#60;Mara&#62;')).toBeGreaterThan(-1)
    expect(page.indexOf('Hello &#60;Mara&#62;')).toBeLessThan(page.indexOf('Older'))
    expect(page).toContain('<a href="http://127.0.0.1:4400/x?token=a&#38;b=c">')
    expect(page).toContain('class="code" aria-label="Six-digit code">402913<')
    expect(page).not.toContain('<script')
    const list = await client.get<{ mails: { to: string; subject: string }[] }>(
      '/dev/mail?format=json',
    )
    expect(list.body.mails[0]).toMatchObject({
      to: mail.to,
      subject: mail.subject,
      text: mail.text,
    })
  })

  it('TRU-04 opens with the token of the start only, which a proxy does not have', async () => {
    // What a reverse proxy on this machine sends that writes the host of its upstream.
    for (const path of ['/dev/mail', '/dev/mail?format=json', '/dev/mail?token=x&format=json'])
      expect([path, await statusOf({}, path)]).toEqual([path, 404])
    expect(await statusOf({ cookie: 'onecut_mailbox=x' })).toBe(404)
    expect(await statusOf({}, `${mailbox()}&format=json`)).toBe(200)
  })

  it('TRU-04 is for this machine under its own name, also with the token', async () => {
    const path = `${mailbox()}&format=json`
    expect(await statusOf({ host: `localhost:${new URL(server.origin).port}` }, path)).toBe(200)
    expect(await statusOf({ 'x-forwarded-for': '203.0.113.9' }, path)).toBe(404)
    expect(await statusOf({ host: 'rebound.example' }, path)).toBe(421)
  })

  it('TRU-04 is linked to from the sign-in pages of a browser that has opened it', async () => {
    const client = server.createClient()
    const urlShown = async (): Promise<unknown> =>
      (await client.get<{ capabilities: Capabilities }>('/v1/capabilities')).body.capabilities.mail
    expect(await urlShown()).toEqual({ mode: 'local-mailbox', localMailboxUrl: null })
    await client.get(mailbox())
    expect(await urlShown()).toEqual({ mode: 'local-mailbox', localMailboxUrl: '/dev/mail' })
  })

  it('is not there when mail is sent, or when other machines can reach the server', async () => {
    for (const env of [
      { SMTP_URL: 'smtp://127.0.0.1:1', MAIL_FROM: 'hello@example.com' },
      { HOST: '0.0.0.0' },
      { ONECUT_PUBLIC_ORIGIN: 'https://edits.example.com', ONECUT_ALLOW_TEST_PAYMENTS: '1' },
    ]) {
      const other = await startTestServer({ env })
      const token = Buffer.from(other.deps.secrets.localMailbox.signing).toString('base64url')
      const path = `/dev/mail?token=${token}&format=json`
      expect((await fetch(`http://127.0.0.1:${other.deps.settings.port}${path}`)).status).toBe(404)
      expect(mailboxUrl(other.deps)).toBeNull()
      await other.stop()
    }
  })

  /** The address that a start prints, without its origin. */
  function mailbox(): string {
    const { pathname, search } = new URL(mailboxUrl(server.deps) ?? '')
    return `${pathname}${search}`
  }

  // fetch does not let a caller choose its Host.
  async function statusOf(
    headers: Record<string, string>,
    path = '/dev/mail',
  ): Promise<number | undefined> {
    const asked = request(new URL(path, server.origin), { headers })
    asked.end()
    const [answer] = (await once(asked, 'response')) as [IncomingMessage]
    answer.resume()
    return answer.statusCode
  }
})

describe('sending by SMTP', () => {
  it('TRU-04 gives a server without TLS no mail when TLS is required, and tries again', async () => {
    const smtp = await startSmtp()
    const mailer = createSmtpMailer({ url: smtp.url, from: 'hello@example.com', requiresTls: true })
    const id = await inTransaction(server.deps, (ctx) => queueMail(ctx, mail))
    await expect(deliverMail({ ...server.deps, mailer }, { mailId: id })).rejects.toMatchObject({
      code: 'ETLS',
    })
    await smtp.close()
    expect(smtp.received).toEqual([])
    const [row] = await server.deps.db.select().from(mails).where(eq(mails.id, id))
    expect(row).toMatchObject({ sentAt: null, text: mail.text })
  })

  it('REC-26 delivers both bodies once, and then forgets what was in the mail', async () => {
    const smtp = await startSmtp()
    const mailer = createSmtpMailer({
      url: smtp.url,
      from: 'Onecut <hello@example.com>',
      requiresTls: false,
    })
    const id = await inTransaction(server.deps, (ctx) => queueMail(ctx, mail))
    const deps = { ...server.deps, mailer }
    await deliverMail(deps, { mailId: id })
    await deliverMail(deps, { mailId: id })
    await smtp.close()
    expect(smtp.received).toHaveLength(1)
    const parsed = await PostalMime.parse(smtp.received[0] ?? '')
    expect(parsed).toMatchObject({ subject: mail.subject, from: { address: 'hello@example.com' } })
    expect(parsed.text).toContain('402913')
    expect(parsed.html).toContain('<p>402913</p>')
    const [row] = await server.deps.db.select().from(mails).where(eq(mails.id, id))
    expect([parsed.messageId, parsed.date]).toEqual([
      `<${id}@example.com>`,
      new Date(
        (row?.createdAt.getTime() ?? 0) - ((row?.createdAt.getTime() ?? 0) % 1000),
      ).toISOString(),
    ])
    expect(row).toMatchObject({ text: '', html: '' })
    expect(row?.sentAt).not.toBeNull()
  })

  it('fails while the mail server is away, so that the job tries again', async () => {
    const mailer = createSmtpMailer({
      url: 'smtp://127.0.0.1:1',
      from: 'hello@example.com',
      requiresTls: true,
    })
    const id = await inTransaction(server.deps, (ctx) => queueMail(ctx, mail))
    await expect(deliverMail({ ...server.deps, mailer }, { mailId: id })).rejects.toMatchObject({
      code: 'ESOCKET',
    })
    const [row] = await server.deps.db.select().from(mails).where(eq(mails.id, id))
    expect(row).toMatchObject({ sentAt: null, text: mail.text })
  })
})
