/**
 * The core and the font that previews draw with. Names end in a content hash, so what is kept never
 * goes stale.
 */
const CORE = /^\/assets\/(?:ffmpeg-core[^/]*\.(?:js|wasm)|watermark[^/]*\.ttf)$/
/** What Vite puts before the ending: eight characters of a hash. */
const HASH = /-[\w-]{8}(?=\.\w+$)/
const CACHE = 'onecut-ffmpeg-core'

/**
 * Keeps the 32 MB ffmpeg core and its font from its first use on: too heavy to fetch for everybody
 * at the first visit.
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
  const answer = await fetch(event.request)
  if (answer.ok) event.waitUntil(keep(cache, event.request.url, answer.clone()))
  return answer
}

async function keep(cache: Cache, url: string, answer: Response): Promise<void> {
  try {
    await cache.put(url, answer)
    // Older versions of the same file go when a new one arrives.
    const older = (await cache.keys()).filter(
      (key) => key.url !== new URL(url).href && key.url.replace(HASH, '') === url.replace(HASH, ''),
    )
    await Promise.all(older.map((key) => cache.delete(key)))
  } catch {
    // No space left: the core works from the network, only not offline.
  }
}
