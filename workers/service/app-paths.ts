/**
 * Whether the app's page answers a navigation to this address of its own origin, from the cache and
 * without a network; the server answers all others.
 */
export function isOfApp({ pathname, search }: Pick<URL, 'pathname' | 'search'>): boolean {
  return ![...SERVER_PATHS, FILES].some((pattern) => pattern.test(pathname + search))
}

/**
 * Paths that the server renders, never the app: the editor API (with its mail links and downloads)
 * and the development pages.
 */
const SERVER_PATHS = [/^\/editors\//, /^\/dev\//]
/**
 * A path whose last segment has an extension is a file; a missing file is a 404, never the app's
 * page.
 */
const FILES = /^[^?]*\/[^/?]+\.[^/?]+(?:\?|$)/
