import {
  addPlugins,
  cleanupOutdatedCaches,
  createHandlerBoundToURL,
  getCacheKeyForURL,
  precacheAndRoute,
} from 'workbox-precaching'
import { registerRoute, setCatchHandler } from 'workbox-routing'
import { isOfApp } from './app-paths.ts'
import { unpack } from './install-pack.ts'
import { inChosenLook } from './plain-shell.ts'

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
  const unpackOnce = createUnpacking(manifest)
  addPlugins([
    {
      // Asked for each file of an install, one after the other.
      cachedResponseWillBeUsed: async ({ cachedResponse, cacheName, request, event }) => {
        if (cachedResponse !== undefined || event.type !== 'install') return cachedResponse
        const cache = await caches.open(cacheName)
        await unpackOnce(cache)
        return cache.match(request)
      },
      // Also for an answer that broke off while it was being kept.
      handlerDidError: async ({ error, event }) => {
        if (event.type === 'install') failuresOfInstall.add(error)
        return undefined
      },
    },
  ])
  precacheAndRoute([...manifest])
  const shell = createHandlerBoundToURL('/index.html')
  registerRoute(
    ({ request, url }) => request.mode === 'navigate' && isOfApp(url),
    async (options) => await inChosenLook(await shell(options)),
  )
  // A built file that the browser has evicted, and no network to load it again.
  setCatchHandler(() => Promise.resolve(Response.error()))
}

/** Takes what it can of an install from one answer; once for each worker. */
function createUnpacking(
  manifest: readonly { readonly url: string; readonly revision: string | null }[],
): (cache: Cache) => Promise<void> {
  let unpacking: Promise<void> | null = null
  return (cache) =>
    (unpacking ??= unpack({
      cache,
      wanted: manifest.map((file) => ({ ...file, cacheKey: getCacheKeyForURL(file.url) ?? '' })),
      fetch: (path) => fetch(path, { cache: 'no-cache' }),
      // Without it each file is fetched by itself, and says by itself what is wrong.
    }).catch(() => undefined))
}
