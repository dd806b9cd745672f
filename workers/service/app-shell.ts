import {
  addPlugins,
  cleanupOutdatedCaches,
  createHandlerBoundToURL,
  precacheAndRoute,
} from 'workbox-precaching'
import { NavigationRoute, registerRoute, setCatchHandler } from 'workbox-routing'

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

/** Why files could not be loaded while this version was installed. */
const failuresOfInstall = new WeakSet<Error>()

/**
 * Whether this rejection ended an install because a file could not be loaded. A version is given up
 * only by a rejection that nothing handles; the browser installs it at the next visit.
 */
export function endedInstall(reason: unknown): boolean {
  return reason instanceof Error && failuresOfInstall.has(reason)
}

/**
 * Keeps the built files and answers every navigation of the app with its page, also without a
 * network.
 */
export function serveApp(
  manifest: readonly { readonly url: string; readonly revision: string | null }[],
): void {
  cleanupOutdatedCaches()
  addPlugins([
    {
      // Also for an answer that broke off while it was being kept.
      handlerDidError: async ({ error, event }) => {
        if (event.type === 'install') failuresOfInstall.add(error)
        return undefined
      },
    },
  ])
  precacheAndRoute([...manifest])
  registerRoute(
    new NavigationRoute(createHandlerBoundToURL('/index.html'), {
      denylist: [...SERVER_PATHS, FILES],
    }),
  )
  // A built file that the browser has evicted, and no network to load it again.
  setCatchHandler(() => Promise.resolve(Response.error()))
}
