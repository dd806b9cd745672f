import { createHash } from 'node:crypto'

// The page stands alone: no script, no file beside it, so that it works in every mail program's own
// browser.
const STYLE = `
:root{color-scheme:light dark;--ground:#f6f6fb;--card:#fff;--ink:#16162a;--quiet:#5b5b73;--accent:#4f46e5;--accent-hover:#4338ca;--line:#e4e4ef}
@media (prefers-color-scheme:dark){:root{--ground:#0f0f1a;--card:#191928;--ink:#f2f2fa;--quiet:#a5a5bd;--accent:#6d66f2;--accent-hover:#7f79f5;--line:#2b2b40}}
*{box-sizing:border-box}
body{margin:0;min-height:100vh;min-height:100dvh;display:grid;place-items:center;padding:24px;background:var(--ground);color:var(--ink);font:16px/1.5 Inter,system-ui,-apple-system,"Segoe UI",Roboto,sans-serif}
main{width:100%;max-width:420px;padding:40px 32px;background:var(--card);border:1px solid var(--line);border-radius:20px;text-align:center}
.brand{margin:0 0 24px;font-weight:700;letter-spacing:-.01em;color:var(--accent)}
h1{margin:0 0 8px;font-size:26px;line-height:1.25;letter-spacing:-.02em}
p{margin:0 0 28px;color:var(--quiet)}
button{width:100%;min-height:52px;padding:12px 20px;border:0;border-radius:12px;background:var(--accent);color:#fff;font:inherit;font-weight:600;cursor:pointer}
button:hover{background:var(--accent-hover)}
button:focus-visible{outline:3px solid var(--accent);outline-offset:3px}
small{display:block;margin-top:20px;color:var(--quiet);font-size:14px}
`

const POLICY = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'`,
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ')

/** The page a mail link opens: one button that posts the token back. */
export function linkPage(token: string): Response {
  const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex, nofollow">
<title>Sign in to Onecut</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<div class="brand">Onecut</div>
<h1>One more tap</h1>
<p>Press the button to sign in on this device.</p>
<form method="post" action="/editors/api/v1/auth/magic-link/callback">
<input type="hidden" name="token" value="${escapeAttribute(token)}">
<button type="submit">Sign in to Onecut</button>
</form>
<small>The link works once. If you did not request it, close this page.</small>
</main>
</body>
</html>
`
  return new Response(html, {
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': POLICY,
      'cache-control': 'no-store',
    },
  })
}

function escapeAttribute(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('"', '&quot;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
}
