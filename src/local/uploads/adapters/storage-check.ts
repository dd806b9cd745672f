/**
 * Storage check: whether any host answers at the URL of a part. Every answer counts and none is
 * read, so no CORS rule is needed; nothing is signed or sent. Never rejects.
 */
export async function checkStorage(
  fetch: typeof globalThis.fetch,
  url: URL,
  signal: AbortSignal,
): Promise<boolean> {
  try {
    await fetch(`${url.origin}${url.pathname}`, {
      method: 'HEAD',
      mode: 'no-cors',
      cache: 'no-store',
      signal,
    })
    return true
  } catch {
    return false
  }
}
