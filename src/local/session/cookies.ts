/**
 * Value of a cookie in a `document.cookie` string, URI-decoded where it can be; null when absent.
 * The first one counts (RFC 6265: longer paths come first).
 */
export function cookieValue(cookies: string, name: string): string | null {
  for (const pair of cookies.split(';')) {
    const at = pair.indexOf('=')
    if (at > 0 && pair.slice(0, at).trim() === name) return decode(pair.slice(at + 1).trim())
  }
  return null
}

function decode(raw: string): string {
  const unquoted = raw.replace(/^"(.*)"$/, '$1')
  try {
    return decodeURIComponent(unquoted)
  } catch {
    // A lone percent sign is allowed in a cookie; then the raw text is the value.
    return unquoted
  }
}
