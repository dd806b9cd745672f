/**
 * The core and the font for previews. Their names end in a content hash, so a kept file is never
 * stale.
 */
const CORE = /^\/assets\/(?:ffmpeg-core[^/]*\.(?:js|wasm)|watermark[^/]*\.ttf)$/
/** Vite puts eight characters of a hash before the extension. */
const HASH = /-[\w-]{8}(?=\.\w+$)/
const CACHE = 'onecut-ffmpeg-core'

/**
 * Keeps the 32 MB ffmpeg core and its font after their first use: too heavy to download at every
 * first visit.
 */
export function serveFfmpegCore(scope: ServiceWorkerGlobalScope): void {
  scope.addEventListener('fetch', (event) => {
    const url = new URL(event.request.url)
    if (
      event.request.method === 'GET' &&
      url.origin === scope.location.origin &&
      CORE.test(url.pathname)
    )
      event.respondWith(fromCacheFirst(scope, event))
  })
}

async function fromCacheFirst(
  scope: ServiceWorkerGlobalScope,
  event: FetchEvent,
): Promise<Response> {
  const cache = await scope.caches.open(CACHE)
  const kept = await cache.match(event.request.url)
  if (kept !== undefined) return kept
  // Without a network, or when the page is left meanwhile, fetch rejects. A network error says the
  // same to the page; a rejected answer would also count as one that nothing handles.
  const answer = await fetch(event.request).catch(() => Response.error())
  // A captive portal answers with its page, which would be kept for good.
  const isPage = answer.headers.get('Content-Type')?.includes('html') === true
  if (answer.ok && !isPage) event.waitUntil(keep(cache, event.request.url, answer.clone()))
  return answer
}

async function keep(cache: Cache, url: string, answer: Response): Promise<void> {
  try {
    await cache.put(url, answer)
    // A new version of a file replaces the older ones.
    const older = (await cache.keys()).filter(
      (key) => key.url !== new URL(url).href && key.url.replace(HASH, '') === url.replace(HASH, ''),
    )
    await Promise.all(older.map((key) => cache.delete(key)))
  } catch {
    // No space left: the core still works from the network, only not offline.
  }
}
