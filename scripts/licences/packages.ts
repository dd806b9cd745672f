import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'

/** A package and the texts that its licence asks to be passed on. */
export interface LicensedPackage {
  readonly name: string
  readonly version: string
  /** SPDX expression, as the package says it. */
  readonly licence: string
  readonly text: string
}

const LICENCE_FILES = /^(?:licen[cs]e|copying|notice|copyright)/i
/** A shorter text only names a licence. */
const LEAST_LICENCE_CHARACTERS = 300
const TEXTS = join(import.meta.dirname)

/** The lockfile's folders of what runs in production and is installed here, from the root. */
export async function productionFolders(root: string): Promise<string[]> {
  const lockfile = JSON.parse(await readFile(join(root, 'package-lock.json'), 'utf8')) as {
    readonly packages: Readonly<Record<string, { readonly dev?: boolean; readonly link?: boolean }>>
  }
  return Object.entries(lockfile.packages)
    .filter(([folder, { dev, link }]) => isPackage(folder) && dev !== true && link !== true)
    .map(([folder]) => folder)
    .filter((folder) => existsSync(join(root, folder)))
}

/** The folder of the package that a module is in, from the root; null of a module of our own. */
export function packageFolderOf(moduleId: string, root: string): string | null {
  const path = moduleId.replace(/^\0+/, '').replace(`${root}/`, '')
  return /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(path)?.[0] ?? null
}

/** Reads the licence of an installed package. Throws when no text can be found for it. */
export async function readLicence(root: string, folder: string): Promise<LicensedPackage> {
  const path = join(root, folder)
  const manifest = JSON.parse(await readFile(join(path, 'package.json'), 'utf8')) as Manifest
  const { name, version } = manifest
  const own = (await textBeside(path)) ?? (await textInReadme(path))
  const isWhole = own !== null && own.length >= LEAST_LICENCE_CHARACTERS
  const text = isWhole ? own : await standardText(manifest, own)
  return { name, version, licence: licenceOf(manifest), text }
}

interface Manifest {
  readonly name: string
  readonly version: string
  readonly license?: string | { readonly type: string }
  readonly author?: string | { readonly name: string }
}

function isPackage(folder: string): boolean {
  return folder.includes('node_modules/')
}

function licenceOf({ license }: Manifest): string {
  if (license === undefined) return 'see the text'
  return typeof license === 'string' ? license : license.type
}

async function textBeside(path: string): Promise<string | null> {
  const entries = await readdir(path, { withFileTypes: true })
  const names = entries
    .filter((entry) => entry.isFile() && LICENCE_FILES.test(entry.name))
    .map((entry) => entry.name)
    .sort()
  if (names.length === 0) return null
  const texts = await Promise.all(names.map((name) => readFile(join(path, name), 'utf8')))
  return texts.map((text) => text.trim()).join('\n\n')
}

async function textInReadme(path: string): Promise<string | null> {
  const name = (await readdir(path)).find((each) => /^readme/i.test(each))
  if (name === undefined) return null
  const readme = await readFile(join(path, name), 'utf8')
  const section = /^#+ licen[cs]e\s*$([\s\S]*?)(?=^#|$(?![\s\S]))/im.exec(readme)?.[1]?.trim() ?? ''
  return section.length < LEAST_LICENCE_CHARACTERS ? null : section
}

/** For packages that name a licence and bring no text of it. @param own what they say of it */
async function standardText(manifest: Manifest, own: string | null): Promise<string> {
  const { name, author } = manifest
  const holder = typeof author === 'object' ? author.name : author
  const licence = licenceOf(manifest)
  const file = join(TEXTS, name === '@ffmpeg/core' ? 'ffmpeg-core.txt' : `${licence}.txt`)
  if (!existsSync(file))
    throw new Error(
      `${name} has no licence file. Put the text of ${licence} into scripts/licences/${licence}.txt.`,
    )
  const text = (await readFile(file, 'utf8')).trim()
  if (name === '@ffmpeg/core') return text
  if (own !== null) return `${own}\n\n${text}`
  const by = holder === undefined ? '' : ` by ${holder}`
  return `${name}${by} has no licence file; its package.json names ${licence}, whose text this is.\n\n${text}`
}
