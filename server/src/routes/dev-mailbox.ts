import { Hono, type Context } from 'hono'
import { isLoopback } from '#server/addresses.ts'
import type { MailRow } from '#server/db/rows.ts'
import type { Deps } from '#server/deps.ts'
import { clientAddress } from '#server/http/client-address.ts'
import { createCookies, MAILBOX_COOKIE } from '#server/http/cookies.ts'
import { isProxied } from '#server/http/own-host.ts'
import { MAILBOX_PATH, opensMailbox } from '#server/operations/core/mail/local-mailbox.ts'
import { listMails } from '#server/operations/core/mail/send.ts'
import { policyHash } from './policy-hash.ts'

const MAILS_SHOWN = 50

/** As long as a session: who signs in once a month needs no second look at the terminal. */
const COOKIE_S = 60 * 86_400

/**
 * `/dev/mail`: the mails that would have been sent, newest first; `?format=json` lists them for
 * tests. It opens with the token of the address that the start printed; opening that address once
 * sets a cookie that holds the token. Everything else gets 404: a proxy on this machine looks like
 * this machine, so that nothing in a request but the token shows who may read sign-in mails.
 * Answers only while no mail server is set, and refuses what says that it comes from elsewhere.
 */
export function createDevMailbox(deps: Pick<Deps, 'db' | 'settings' | 'secrets'>): Hono {
  const app = new Hono()
  const cookies = createCookies(deps.settings.publicOrigin)
  app.get(MAILBOX_PATH, async (c) => {
    const token = c.req.query('token')
    const given = token ?? cookies.parse(c.req.header('cookie'))[MAILBOX_COOKIE]
    if (given === undefined || !opensMailbox(deps, given) || !isFromHere(c))
      return c.text('Not found', 404, { 'cache-control': 'no-store' })
    const isJson = c.req.query('format') === 'json'
    // The address bar and the history keep no token.
    if (token !== undefined && !isJson) {
      c.header('cache-control', 'no-store')
      const options = { httpOnly: true, maxAgeS: COOKIE_S }
      c.header('set-cookie', cookies.serialise(MAILBOX_COOKIE, token, options))
      return c.redirect(MAILBOX_PATH, 303)
    }
    const rows = await listMails(deps, { limit: MAILS_SHOWN })
    if (isJson) return c.json({ mails: rows.map(viewMail) }, 200, { 'cache-control': 'no-store' })
    const policy = `default-src 'none'; style-src ${policyHash(STYLE)}; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`
    return c.html(page(rows), 200, {
      'cache-control': 'no-store',
      'content-security-policy': policy,
    })
  })
  return app
}

function isFromHere(c: Context): boolean {
  const host = c.req.header('host') ?? ''
  return (
    !isProxied(c) &&
    isLoopback(clientAddress(c)) &&
    URL.canParse(`http://${host}`) &&
    isLoopback(new URL(`http://${host}`).hostname)
  )
}

function viewMail(row: MailRow) {
  return {
    _id: row.id,
    to: row.recipient,
    subject: row.subject,
    text: row.text,
    createdAt: row.createdAt.toISOString(),
  }
}

function page(rows: readonly MailRow[]): string {
  const list =
    rows.length === 0
      ? '<p class="empty">No mail yet. Ask for a sign-in link and come back to this page.</p>'
      : rows.map(article).join('\n')
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>Local mailbox · Onecut</title><style>${STYLE}</style></head>
<body><main><header><h1>Local mailbox</h1><p>Mail is not being sent: this server has no mail server set, so everything that it would send is shown here, on this machine only. <a href="${MAILBOX_PATH}">Refresh</a></p></header>
${list}
</main></body></html>`
}

function article(row: MailRow): string {
  const code = /(?:^|\s)(\d{6})(?:\s|$)/.exec(row.text)?.[1]
  return `<article><h2>${escapeHtml(row.subject)}</h2>
<p class="facts">To <strong>${escapeHtml(row.recipient)}</strong> · <time datetime="${row.createdAt.toISOString()}">${row.createdAt.toISOString().slice(0, 19).replace('T', ' ')} UTC</time></p>
${code === undefined ? '' : `<p class="code" aria-label="Six-digit code">${code}</p>`}
<div class="text">${linked(row.text)}</div></article>`
}

// Splits at addresses, so that each piece is escaped separately.
function linked(text: string): string {
  return text
    .split(/(https?:\/\/[^\s<>"']+)/)
    .map((piece, index) =>
      index % 2 === 1
        ? `<a href="${escapeHtml(piece)}">${escapeHtml(piece)}</a>`
        : escapeHtml(piece),
    )
    .join('')
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}

const STYLE = `
:root { color-scheme: light dark; --ground: #f6f6f9; --card: #ffffff; --ink: #1b1b25; --quiet: #5d5d6e; --line: #e3e3ec; --accent: #4f46e5 }
@media (prefers-color-scheme: dark) { :root { --ground: #121218; --card: #1c1c25; --ink: #ececf3; --quiet: #a5a5b6; --line: #30303d; --accent: #a5a0ff } }
* { box-sizing: border-box }
body { margin: 0; background: var(--ground); color: var(--ink); font: 16px/1.6 system-ui, sans-serif }
main { max-width: 44rem; margin: 0 auto; padding: 2rem 1rem 4rem }
h1 { margin: 0; font-size: 1.5rem }
h2 { margin: 0; font-size: 1.125rem }
header p, .facts, .empty { color: var(--quiet) }
.facts { margin: .25rem 0 1rem; font-size: .875rem; overflow-wrap: anywhere }
article { margin-top: 1rem; padding: 1.25rem; background: var(--card); border: 1px solid var(--line); border-radius: .75rem }
.code { margin: 0 0 1rem; font: 700 2.25rem/1.2 ui-monospace, monospace; letter-spacing: .35rem }
.text { white-space: pre-wrap; overflow-wrap: anywhere }
a { color: var(--accent) }
a:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px }
`
