/**
 * Whether anybody answers where a part would go. Any answer counts and none is read, so CORS needs
 * no rule for it; nothing is signed or sent. Never rejects.
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
