/** Session storage, so that it is this tab's and goes with it. */
const KEY = 'onecut-target'
/** Rendered by the server; signing in must not end in an API answer. */
const SERVER_PATHS = /^\/(?:editors|dev)(?:\/|$)/
/** Going back there after signing in would be a circle. */
const ENTRANCES = /^\/(?:signup|login|create-profile)?$/

/**
 * The path to lead back to after signing in, or null when the wish is not an own path of the app.
 * Anything that a browser could read as another origin (`//host`, `/\host`, control characters) is
 * refused.
 * @param wish a path with query and hash, from the address or from storage, so untrusted
 */
export function safeTarget(wish: string | null, origin: string): string | null {
  if (wish === null || !wish.startsWith('/') || /[\\\u0000-\u001f\u007f]/.test(wish)) return null
  const url = URL.parse(wish, origin)
  if (url === null || url.origin !== origin) return null
  if (
    SERVER_PATHS.test(url.pathname) ||
    ENTRANCES.test(url.pathname) ||
    url.pathname.startsWith('//')
  )
    return null
  return url.pathname + url.search + url.hash
}

/** Keeps where a visitor wanted to go: docs/product-decisions.md#signed-out-visitors. */
export function keepTarget(storage: Storage, wish: string, origin: string): void {
  const target = safeTarget(wish, origin)
  if (target !== null) storage.setItem(KEY, target)
}

/** The kept path without forgetting it, or null. */
export function readTarget(storage: Storage, origin: string): string | null {
  return safeTarget(storage.getItem(KEY), origin)
}

/** The kept path, once. */
export function takeTarget(storage: Storage, origin: string): string | null {
  const target = readTarget(storage, origin)
  storage.removeItem(KEY)
  return target
}
