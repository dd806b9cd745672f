/**
 * A copy of what `readIsPlain` says, for the service worker: each page waits for its answer, which
 * must not wait for a database that a browser may be slow to open.
 */
const CACHE = 'onecut-look'
const PATH = '/plain-look'

/** Whether the device is marked. What cannot be read was not chosen. */
export async function readPlainMark(caches: CacheStorage): Promise<boolean> {
  const found = await caches.match(PATH, { cacheName: CACHE }).catch(() => undefined)
  return found !== undefined
}

/** Marks the device, or takes the mark away. Rejects where the browser keeps nothing. */
export async function writePlainMark(
  caches: CacheStorage | undefined,
  isPlain: boolean,
): Promise<void> {
  if (caches === undefined) return
  if (isPlain) await (await caches.open(CACHE)).put(PATH, new Response(''))
  else await caches.delete(CACHE)
}
