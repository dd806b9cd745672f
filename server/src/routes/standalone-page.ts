import { policyHash } from './policy-hash.ts'

// Such a page stands alone: no script, no file beside it, so that it works in every mail program's
// own browser.
const STYLE = `
:root{color-scheme:light dark;--ground:#f6f6fb;--card:#fff;--ink:#16162a;--quiet:#5b5b73;--accent:#4f46e5;--fill:#4f46e5;--fill-hover:#4338ca;--line:#e4e4ef}
@media (prefers-color-scheme:dark){:root{--ground:#0f0f1a;--card:#191928;--ink:#f2f2fa;--quiet:#a5a5bd;--accent:#a5a0fb;--fill:#5a50ee;--fill-hover:#4f46e5;--line:#2b2b40}}
*{box-sizing:border-box}
body{margin:0;min-height:100vh;min-height:100dvh;display:grid;place-items:center;padding:24px;background:var(--ground);color:var(--ink);font:16px/1.5 Inter,system-ui,-apple-system,"Segoe UI",Roboto,sans-serif}
main{width:100%;max-width:420px;padding:40px 32px;background:var(--card);border:1px solid var(--line);border-radius:20px;text-align:center}
.brand{margin:0 0 24px;font-weight:700;letter-spacing:-.01em;color:var(--accent)}
h1{margin:0 0 8px;font-size:26px;line-height:1.25;letter-spacing:-.02em}
p{margin:0 0 28px;color:var(--quiet)}
button{width:100%;min-height:52px;padding:12px 20px;border:1px solid transparent;border-radius:12px;background:var(--fill);color:#fff;font:inherit;font-weight:600;cursor:pointer}
button:hover{background:var(--fill-hover)}
button:focus-visible{outline:3px solid var(--accent);outline-offset:3px}
small{display:block;margin-top:20px;color:var(--quiet);font-size:14px}
`

const POLICY = [
  "default-src 'none'",
  `style-src ${policyHash(STYLE)}`,
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ')

/** A page of the server that links in mails open. `title` is plain text, `main` its HTML. */
export function standalonePage(title: string, main: string, status = 200): Response {
  const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex, nofollow">
<title>${title}</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<div class="brand">Onecut</div>
${main}
</main>
</body>
</html>
`
  return new Response(html, {
    status,
    headers: {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': POLICY,
      'cache-control': 'no-store',
    },
  })
}

/** Text for an attribute in double quotes. */
export function escapeAttribute(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('"', '&quot;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
}
