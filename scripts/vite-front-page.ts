import react from '@vitejs/plugin-react'
import { join, resolve } from 'node:path'
import { build, type Plugin } from 'vite'

/**
 * Builds beside the page what the server writes the front page with, for Node and with its packages
 * inside: `.front/render.js`, which no browser can ask for.
 */
export function frontPage(): Plugin {
  let [root, folder] = ['', 'dist']
  return {
    name: 'onecut:front-page',
    apply: 'build',
    configResolved: (config) => {
      root = config.root
      folder = resolve(config.root, config.build.outDir)
    },
    closeBundle: {
      order: 'post',
      sequential: true,
      handler: async () => {
        await build({
          root,
          configFile: false,
          logLevel: 'warn',
          publicDir: false,
          plugins: [react()],
          // React has another file for each mode; the mode of a server must not choose.
          define: { 'process.env.NODE_ENV': JSON.stringify('production') },
          ssr: { noExternal: true },
          build: {
            ssr: 'src/front-server.tsx',
            outDir: join(folder, '.front'),
            rolldownOptions: { output: { entryFileNames: 'render.js' } },
          },
        })
      },
    },
  }
}
