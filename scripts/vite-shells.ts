import react from '@vitejs/plugin-react'
import { createHash } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build, type Plugin, type Rollup } from 'vite'
import type { WrittenShell } from '#src/app/shell/written-shell.ts'

const PLACE = '<!-- shells -->'

/** Of the app's page, as HTML. */
interface Written {
  readonly shells: readonly WrittenShell[]
  readonly failure: string
}

/**
 * Writes the shells of the app into its page ([Note: shell]), with the script that shows the one of
 * the address. The content policy allows no script inside the page, so it is a file of its own.
 */
export function shells(): Plugin {
  let root = ''
  let written: Written = { shells: [], failure: '' }
  let script = { name: '', code: '' }
  return {
    name: 'onecut:shells',
    apply: 'build',
    configResolved: (config) => {
      root = config.root
    },
    buildStart: async () => {
      ;[written, script] = await Promise.all([writeShells(root), buildScript(root)])
    },
    generateBundle() {
      this.emitFile({ type: 'asset', fileName: script.name, source: script.code })
    },
    transformIndexHtml: {
      order: 'post',
      handler: (html, { path, bundle }) => {
        if (path !== '/index.html' || bundle === undefined) return html
        const templates = [
          ...written.shells.map((shell) => templateOf(shell, bundle)),
          `<template data-load-failure>${written.failure}</template>`,
        ].join('\n    ')
        return html.replace(
          PLACE,
          () => `${templates}\n    <script src="/${script.name}"></script>`,
        )
      },
    },
  }
}

function templateOf(
  { who, path, html, screen }: WrittenShell,
  bundle: Rollup.OutputBundle,
): string {
  const name = path === null ? who : `${who} ${path}`
  const scripts = screen === null ? [] : scriptsOf(screen, bundle)
  const preloads = scripts.length === 0 ? '' : ` data-scripts="${scripts.join(' ')}"`
  return `<template data-shell="${name}"${preloads}>${html}</template>`
}

/** What a screen loads beyond what the app starts with. */
function scriptsOf(screen: string, bundle: Rollup.OutputBundle): readonly string[] {
  const chunks = Object.values(bundle).filter((file) => file.type === 'chunk')
  const reach = (start: Rollup.OutputChunk | undefined): ReadonlySet<string> => {
    if (start === undefined) throw new Error(`The build has no file of ${screen}`)
    const reached = new Set([start.fileName])
    for (const name of reached)
      for (const imported of chunks.find(({ fileName }) => fileName === name)?.imports ?? [])
        reached.add(imported)
    return reached
  }
  const app = reach(
    chunks.find(({ facadeModuleId }) => facadeModuleId?.endsWith('/src/main.tsx') === true),
  )
  const own = reach(chunks.find(({ facadeModuleId }) => facadeModuleId?.endsWith(screen) === true))
  return [...own].filter((name) => !app.has(name)).map((name) => `/${name}`)
}

async function writeShells(root: string): Promise<Written> {
  const folder = await mkdtemp(join(tmpdir(), 'onecut-shells-'))
  try {
    await build({
      root,
      configFile: false,
      logLevel: 'warn',
      publicDir: false,
      plugins: [react()],
      define: { 'process.env.NODE_ENV': JSON.stringify('production') },
      ssr: { noExternal: true },
      build: {
        ssr: 'src/shells-server.tsx',
        outDir: folder,
        emptyOutDir: true,
        rolldownOptions: { output: { entryFileNames: 'write.mjs' } },
      },
    })
    // Built from the module whose type this is.
    const module = (await import(pathToFileURL(join(folder, 'write.mjs')).href)) as {
      readonly renderShells: () => Written['shells']
      readonly renderLoadFailure: () => string
    }
    return { shells: module.renderShells(), failure: module.renderLoadFailure() }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function buildScript(root: string): Promise<{ name: string; code: string }> {
  const built = (await build({
    root,
    configFile: false,
    logLevel: 'warn',
    publicDir: false,
    build: {
      write: false,
      lib: { entry: 'src/show-shell.ts', formats: ['iife'], name: 'showShell' },
    },
  })) as readonly Rollup.RollupOutput[]
  const code = built[0]?.output[0].code ?? ''
  const hash = createHash('sha256').update(code).digest('base64url').slice(0, 8)
  return { name: `assets/show-shell-${hash}.js`, code }
}
