/**
 * `node scripts/image-tree.ts FOLDER`: makes the app and the server's programs, and puts what a
 * container of them reads into FOLDER, in three folders by how often they change: `bin` has Node,
 * `node_modules` the packages that no bundle has, `onecut` the rest, as a checkout has it.
 */
import { existsSync } from 'node:fs'
import { cp, mkdir, readFile, realpath } from 'node:fs/promises'
import { dirname, join, relative } from 'node:path'
import { buildApp } from '#scripts/build-app.ts'
import { bundle, SERVER_INPUTS } from '#scripts/build-server.ts'
import { packageFolderOf } from '#scripts/licences/packages.ts'
import { projectRoot } from '#scripts/project-root.ts'
import { findFaceModels } from '#server/media/faces/face-models.ts'

/** The server, and what its operator starts beside it. */
const PROGRAMS = {
  main: 'server/src/main.ts',
  operator: 'scripts/operator.ts',
  'rotate-keys': 'scripts/rotate-keys.ts',
  doctor: 'scripts/doctor.ts',
}

/** What the server finds by its path, beside the bundle. */
const READ_BY_PATH = [
  'dist',
  'package.json',
  'recipes/fonts',
  'recipes/voices',
  'server/migrations',
  'server/music',
  'server/src/media/faces/program',
  'server/src/media/tools',
]

/** In no bundle, read by the checks of the contract, or copied to a program of ours. */
const PACKAGES = ['pdfkit', 'ajv', 'ajv-formats', '@shiguredo/rnnoise-wasm']

const target = process.argv[2]
if (target === undefined) {
  process.stderr.write('Usage: node scripts/image-tree.ts FOLDER\n')
  process.exitCode = 2
} else await makeTree(target)

async function makeTree(folder: string): Promise<void> {
  await buildApp()
  const programs = await bundle('image', PROGRAMS, [...SERVER_INPUTS, 'scripts'])
  const whole = { recursive: true, dereference: true } as const
  await cp(programs, join(folder, 'onecut/dist-server'), whole)
  for (const path of READ_BY_PATH)
    await cp(join(projectRoot, path), join(folder, 'onecut', path), whole)
  for (const path of [...(await closureOf(PACKAGES)), ...faceModels()])
    await cp(join(projectRoot, path), join(folder, path), whole)
  await mkdir(join(folder, 'bin'), { recursive: true })
  await cp(await realpath(process.execPath), join(folder, 'bin/node'))
}

/** The files of the face search, a sixth of its packages, and what names these. */
function faceModels(): readonly string[] {
  const models = findFaceModels()
  if ('missing' in models) throw new Error(`${models.missing} is not installed`)
  return Object.values(models)
    .map((path) => relative(projectRoot, path))
    .flatMap((path) => [path, join(packageFolderOf(path, projectRoot) ?? '', 'package.json')])
}

/** Folders of these packages and of all that they need at run time. */
async function closureOf(names: readonly string[]): Promise<ReadonlySet<string>> {
  const folders = new Set<string>()
  const add = async (name: string, from: string): Promise<void> => {
    const folder = folderOf(name, from)
    if (folder === null || folders.has(folder)) return
    folders.add(folder)
    const text = await readFile(join(projectRoot, folder, 'package.json'), 'utf8')
    const { dependencies = {} } = JSON.parse(text) as { readonly dependencies?: object }
    for (const needed of Object.keys(dependencies)) await add(needed, folder)
  }
  for (const name of names) await add(name, '.')
  return folders
}

/** The folder in which Node finds a package, seen from another one; null where it is not there. */
function folderOf(name: string, from: string): string | null {
  const folder = join(from, 'node_modules', name)
  if (existsSync(join(projectRoot, folder, 'package.json'))) return folder
  return from === '.' ? null : folderOf(name, dirname(from))
}
