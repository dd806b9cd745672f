import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Plugin } from 'vite'
import { afterBuild } from '#scripts/vite-after-build.ts'
import { contentTypeOf } from '#server/routes/content-types.ts'
import { writePack } from '#src/lib/pack-format.ts'

/** As workbox writes its list into the service worker. */
const LISTED = /\{"revision":(?:"([0-9a-f]+)"|null),"url":"([^"]+)"\}/g
/** These have headers of their own, or are read by the browser itself. */
const APART: ReadonlySet<string> = new Set(['index.html', 'manifest.webmanifest'])

/**
 * Writes `install.pack`: the files that the service worker keeps, in one. A first install takes it
 * instead of asking for each (workers/service/install-pack.ts).
 */
export function installPack(): Plugin {
  return afterBuild('onecut:install-pack', async ({ folder }) => {
    const worker = await readFile(join(folder, 'sw.js'), 'utf8')
    const listed = new Map(
      Array.from(worker.matchAll(LISTED), ([, revision, url = '']) => [url, revision ?? null]),
    )
    if (listed.size === 0) throw new Error('The service worker of the build lists no files.')
    const files = [...listed].filter(([url]) => !APART.has(url))
    const packed = await Promise.all(
      files.map(async ([url, revision]) => {
        const bytes = new Uint8Array(await readFile(join(folder, url)))
        return { url, revision, type: contentTypeOf(url), bytes }
      }),
    )
    await writeFile(join(folder, 'install.pack'), writePack(packed))
  })
}
