import { Hono } from 'hono'
import type { Deps } from '#server/deps.ts'
import type { NoticeKind } from '#server/db/rows.ts'
import {
  readUnsubscribeToken,
  unsubscribe,
  UNSUBSCRIBE_PATH,
} from '#server/operations/accounts/notices/unsubscribe.ts'
import { standalonePage } from './standalone-page.ts'

/** What mails of a kind are about: 'No mails when your edits are ready'. */
const ABOUT: Readonly<Record<NoticeKind, string>> = {
  'edits-ready': 'when your edits are ready',
  'review-waits': 'when an edit waits for you',
  'upload-waits': 'when an upload waits for you',
  'trial-ends': 'before your free trial ends',
  'tokens-expire': 'before tokens of yours expire',
}

/**
 * The page that ends mails of one kind. A visit changes nothing, because mail programs follow links
 * to look at them; the press does, and so does the POST of a mail program's own button (RFC 8058).
 */
export function createUnsubscribe(deps: Deps): Hono {
  const app = new Hono()
  app.get(UNSUBSCRIBE_PATH, (c) => {
    const found = readUnsubscribeToken(deps, c.req.query('token') ?? '')
    if (found === null) return unknown()
    return standalonePage(
      'Mails from Onecut',
      `<h1>No more such mails?</h1>
<p>We send you a mail ${ABOUT[found.kind]}. Mails about log-ins, payments and deletions still come.</p>
<form method="post"><button type="submit">End these mails</button></form>
<small>You can have them again on your account page.</small>`,
    )
  })
  app.post(UNSUBSCRIBE_PATH, async (c) => {
    const found = readUnsubscribeToken(deps, c.req.query('token') ?? '')
    if (found === null) return unknown()
    await unsubscribe(deps, found)
    return standalonePage(
      'Mails from Onecut',
      `<h1>Done</h1>
<p>You get no more mails ${ABOUT[found.kind]}.</p>
<small>You can have them again on your account page.</small>`,
    )
  })
  return app
}

function unknown(): Response {
  return standalonePage(
    'Mails from Onecut',
    `<h1>This link does not work</h1>
<p>It may be cut off, or very old. Log in and choose your mails on your account page.</p>`,
    404,
  )
}
