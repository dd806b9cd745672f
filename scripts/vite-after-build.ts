import { resolve } from 'node:path'
import type { Plugin } from 'vite'

/** Where a finished build lies; absolute. */
interface Built {
  readonly root: string
  readonly folder: string
}

/**
 * A plugin that works on the files of a finished build: after the service worker, which is built in
 * the same hook, and after those of such plugins that stand before it.
 */
export function afterBuild(name: string, work: (built: Built) => Promise<void>): Plugin {
  let built: Built = { root: '', folder: 'dist' }
  return {
    name,
    apply: 'build',
    enforce: 'post',
    configResolved: ({ root, build }) => {
      built = { root, folder: resolve(root, build.outDir) }
    },
    closeBundle: { order: 'post', sequential: true, handler: async () => await work(built) },
  }
}
