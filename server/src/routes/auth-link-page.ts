import { escapeAttribute, standalonePage } from './standalone-page.ts'

/** The page a mail link opens: one button that posts the token back. */
export function linkPage(token: string): Response {
  return standalonePage(
    'Sign in to Onecut',
    `<h1>One more tap</h1>
<p>Press the button to sign in on this device.</p>
<form method="post" action="/editors/api/v1/auth/magic-link/callback">
<input type="hidden" name="token" value="${escapeAttribute(token)}">
<button type="submit">Sign in to Onecut</button>
</form>
<small>The link works once. If you did not request it, close this page.</small>`,
  )
}
