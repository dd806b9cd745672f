import { existsSync } from 'node:fs'
import { mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Rolldown } from 'vite'
import { parse } from 'yaml'
import { hashInputs } from '#scripts/input-hash.ts'
import { projectRoot } from '#scripts/project-root.ts'
import { removeOld } from '#scripts/remove-old.ts'
import { CHECKS_FILE } from '#server/http/contract.ts'
import { writeChecks } from '#server/http/contract-compiler.ts'
import { operationsIn, type Document } from '#server/http/contract-document.ts'

/** Beside `dist/`, which browsers are served from; below the root, where packages are found. */
const FOLDER = join(projectRoot, 'dist-server')
/** What the server's code consists of. Files that it reads by their paths are not bundled. */
export const SERVER_INPUTS = [
  'server/src',
  'recipes',
  'checks',
  'spec',
  'openapi',
  'src/lib',
  'scripts/build-server.ts',
  'package-lock.json',
]
/** Packages that read files beside their code, or that are not installed. */
const NOT_BUNDLED = ['pdfkit', 'pg-native']
/** The chunk of what comes from npm. */
const PACKAGES = 'packages'
/** What only a server with a bucket reads, a fifth of all packages. */
const STORE_PACKAGES = /node_modules\/(?:@aws-sdk|@aws-crypto|@aws|@smithy)\//

/**
 * Bundles the server, and returns the path of the program. Reading it costs a fifth of what reading
 * hundreds of sources and thousands of files of packages does.
 */
export async function buildServer(): Promise<string> {
  return join(await bundle('server', { main: 'server/src/main.ts' }, SERVER_INPUTS), 'main.mjs')
}

/**
 * Bundles programs with all that they import, and the contract, unless that was done for these
 * inputs, and returns the folder that has each as `NAME.mjs`. A folder is named by its inputs and
 * appears complete, so that several processes may ask at once. Throws with the bundler's message.
 * @param title begins the folder's name
 * @param programs entry files by name, relative to the root
 * @param inputs files and folders that the programs are made of
 */
export async function bundle(
  title: string,
  programs: Readonly<Record<string, string>>,
  inputs: readonly string[],
): Promise<string> {
  const hash = await hashInputs(inputs, JSON.stringify(programs))
  const target = join(FOLDER, `${title}-${hash.slice(0, 16)}`)
  if (existsSync(target)) return target
  const fresh = join(FOLDER, `unfinished-${crypto.randomUUID()}`)
  await mkdir(fresh, { recursive: true })
  try {
    await runBundler(programs, fresh)
    await writeContract(fresh)
    await rename(fresh, target).catch(ignoreExisting)
  } finally {
    await rm(fresh, { recursive: true, force: true })
  }
  await removeOld(FOLDER)
  return target
}

async function runBundler(
  programs: Readonly<Record<string, string>>,
  outDir: string,
): Promise<void> {
  // Only a build needs it.
  const { build } = await import('vite')
  await build({
    configFile: false,
    root: projectRoot,
    mode: 'production',
    logLevel: 'warn',
    publicDir: false,
    ssr: { noExternal: true, external: NOT_BUNDLED },
    plugins: [
      { name: 'no-maps-of-packages', generateBundle: (_options, files) => omitMaps(files) },
    ],
    build: {
      ssr: true,
      target: 'node24',
      outDir,
      emptyOutDir: true,
      minify: false,
      sourcemap: true,
      rolldownOptions: {
        input: programs,
        output: {
          entryFileNames: '[name].mjs',
          chunkFileNames: '[name]-[hash].mjs',
          // Errors of packages are told apart by the names of their classes.
          keepNames: true,
          codeSplitting: {
            groups: [
              { name: 'store-packages', test: STORE_PACKAGES, priority: 1 },
              { name: PACKAGES, test: /node_modules/ },
            ],
          },
        },
      },
    },
  })
}

/** What a program beside it reads (server/src/http/contract.ts). */
async function writeContract(outDir: string): Promise<void> {
  const text = await readFile(join(projectRoot, 'openapi/openapi.yaml'), 'utf8')
  const document = parse(text) as Document
  await writeFile(join(outDir, 'contract.json'), JSON.stringify(document))
  await writeFile(join(outDir, CHECKS_FILE), checksOf(text, document))
}

let last: { readonly text: string; readonly checks: string } | null = null

/** A second of a processor, so that a process that makes several bundles writes them once. */
function checksOf(text: string, document: Document): string {
  if (last?.text !== text) last = { text, checks: writeChecks(document, operationsIn(document)) }
  return last.checks
}

/** Maps of packages are four times as large as ours, and readers of logs look for our lines. */
function omitMaps(files: Rolldown.OutputBundle): void {
  for (const file of Object.values(files))
    if (file.type === 'chunk' && /^(?:store-)?packages$/.test(file.name)) {
      delete files[`${file.fileName}.map`]
      file.code = file.code.replace(/\n\/\/# sourceMappingURL=.*/, '')
    }
}

/** Another process was faster. */
function ignoreExisting(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EEXIST' && error.code !== 'ENOTEMPTY') throw error
}
