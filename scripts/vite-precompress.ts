import { readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { Plugin } from 'vite'
import { afterBuild } from '#scripts/vite-after-build.ts'

const brotli = promisify(brotliCompress)
const zip = promisify(gzip)

/** File types that compression makes smaller; images and fonts are compressed already. */
const TEXT = /\.(?:js|css|html|svg|json|webmanifest|wasm|txt|pack)$/
/** Below this size the headers cost more than compression saves. */
const MIN_BYTES = 1024
/** Quality 11 takes a minute on the 32 MB ffmpeg core and saves 4 % more than 6. */
const BIG_BYTES = 2 * 1024 * 1024
const BEST_QUALITY = 11
const FAST_QUALITY = 6

/**
 * Writes a `.br` and a `.gz` beside each text asset of a build, for a server that sends the one
 * that the browser accepts.
 */
export function precompress(): Plugin {
  return afterBuild('onecut:precompress', async ({ folder }) => {
    for (const name of await readdir(folder, { recursive: true }))
      if (TEXT.test(name)) await compressFile(join(folder, name))
  })
}

async function compressFile(path: string): Promise<void> {
  const { size } = await stat(path)
  if (size < MIN_BYTES) return
  const bytes = await readFile(path)
  const quality = size > BIG_BYTES ? FAST_QUALITY : BEST_QUALITY
  const [br, gz] = await Promise.all([
    brotli(bytes, {
      params: {
        [constants.BROTLI_PARAM_QUALITY]: quality,
        [constants.BROTLI_PARAM_SIZE_HINT]: size,
      },
    }),
    zip(bytes, { level: 9 }),
  ])
  await Promise.all([writeFile(`${path}.br`, br), writeFile(`${path}.gz`, gz)])
}
