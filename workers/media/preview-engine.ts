import coreUrl from '@ffmpeg/core?url'
import wasmUrl from '@ffmpeg/core/wasm?url'
import fontUrl from '#recipes/fonts/watermark.ttf?url'

/** Everything a preview needs besides the app's own files. */
const ENGINE = [coreUrl, wasmUrl, fontUrl]

/**
 * Fetches the engine of previews once, so that the service worker keeps it
 * (workers/service/ffmpeg-core.ts). Without a service worker, or when it is kept already, nothing
 * is fetched.
 */
export async function keepEngine(): Promise<void> {
  if (typeof caches === 'undefined') return
  for (const url of ENGINE) {
    try {
      if ((await caches.match(url)) === undefined)
        await (await fetch(url)).body?.pipeTo(new WritableStream())
    } catch {
      // Offline: the next time will do.
      return
    }
  }
}
