import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { access, cp, mkdtemp, readFile, rename, rm } from 'node:fs/promises'
import { connect, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { hashInputs } from '#scripts/input-hash.ts'
import { projectRoot } from '#server/project-root.ts'
import { runTool } from './run-tool.ts'

const CACHE = join(projectRoot, 'node_modules/.cache/onecut')

/** What a kept folder was made from: texts, files by their bytes, and code of the project. */
export type Ingredient = string | { readonly file: string } | { readonly code: string }

/**
 * The folder of what was made from these ingredients and this ffmpeg, made if it is not there. Test
 * processes that ask at once wait for the one that makes it. What lies in it may only be read.
 * @param shelf folder in node_modules/.cache/onecut
 * @param make writes into an empty folder, which is kept if it resolves
 */
export async function kept(
  shelf: 'clips' | 'data' | 'gallery' | 'pages',
  ingredients: readonly Ingredient[],
  make: (folder: string) => Promise<void>,
): Promise<string> {
  const folder = join(CACHE, shelf, await digestOf(ingredients))
  while (!(await isThere(folder))) {
    const end = await takeTurn(folder)
    if (end === null) continue
    try {
      if (!(await isThere(folder))) await fill(folder, make)
    } finally {
      await end()
    }
  }
  return folder
}

/** A clip that ffmpeg makes from arguments, to which its path is added; `-i` may name files. */
export async function keptClip(name: string, args: readonly string[]): Promise<string> {
  const ingredients = await Promise.all(
    args.map(async (arg, at): Promise<Ingredient> => {
      const isFile = args[at - 1] === '-i' && (await isThere(arg))
      return isFile ? { file: arg } : arg
    }),
  )
  const folder = await kept('clips', [name, ...ingredients], async (own) => {
    const common = ['-nostdin', '-v', 'error', '-y']
    await runTool('ffmpeg', [...common, ...args, join(own, name)])
  })
  return join(folder, name)
}

async function digestOf(ingredients: readonly Ingredient[]): Promise<string> {
  const hash = createHash('sha256').update(await ffmpegVersion())
  for (const each of ingredients)
    if (typeof each === 'string') hash.update(`text ${each.length} ${each}`)
    else if ('file' in each) hash.update(`file ${digestOfBytes(await readFile(each.file))}`)
    else {
      const digest = codeDigests.get(each.code) ?? hashInputs([each.code])
      codeDigests.set(each.code, digest)
      hash.update(`code ${await digest}`)
    }
  return hash.digest('hex').slice(0, 32)
}

const digestOfBytes = (bytes: string | Uint8Array): string =>
  createHash('sha256').update(bytes).digest('hex')

/** Code does not change while a process runs. */
const codeDigests = new Map<string, Promise<string>>()

let version: Promise<string> | null = null
/** Its version, how it was built, and its libraries. */
async function ffmpegVersion(): Promise<string> {
  version ??= runTool('ffmpeg', ['-version']).then(({ stdout }) => stdout)
  return await version
}

/**
 * A finished folder moves into place, so that an interrupted run leaves no half one. It is made
 * elsewhere, because Node runs no TypeScript below node_modules, and our programs run in it.
 */
async function fill(folder: string, make: (folder: string) => Promise<void>): Promise<void> {
  const begun = await mkdtemp(join(tmpdir(), 'onecut-kept-'))
  const finished = `${folder}-${basename(begun)}`
  try {
    await make(begun)
    await cp(begun, finished, { recursive: true })
    await rename(finished, folder)
  } finally {
    for (const each of [begun, finished]) await rm(each, { recursive: true, force: true })
  }
}

/**
 * Lets one process at a time make a folder; null where another one made it meanwhile, or ended. The
 * lock is a listening socket: the system closes it with its process, so that no death leaves it
 * locked, and those who wait are told at once.
 */
async function takeTurn(folder: string): Promise<(() => Promise<void>) | null> {
  const name = createHash('sha256').update(folder).digest('hex').slice(0, 16)
  // The path of a socket has at most 104 bytes (macOS), so it does not lie beside the folder.
  const path = join(tmpdir(), `onecut-kept-${name}.sock`)
  const waiting = new Set<Socket>()
  const server = createServer((socket) => waiting.add(socket))
  try {
    await once(server.listen(path), 'listening')
  } catch (error) {
    if (!isCode(error, 'EADDRINUSE')) throw error
    await untilClosed(path)
    return null
  }
  return async () => {
    const closed = once(server.close(), 'close')
    for (const socket of waiting) socket.destroy()
    await closed
  }
}

async function untilClosed(path: string): Promise<void> {
  const socket = connect(path).resume()
  try {
    await once(socket, 'connect')
    await once(socket, 'close')
  } catch (error) {
    // Its process was killed, and its name is left.
    if (isCode(error, 'ECONNREFUSED')) await rm(path, { force: true })
    else if (!isCode(error, 'ENOENT') && !isCode(error, 'ECONNRESET')) throw error
  }
}

const isCode = (error: unknown, code: string): boolean =>
  error instanceof Error && 'code' in error && error.code === code

const isThere = async (path: string): Promise<boolean> =>
  await access(path).then(
    () => true,
    () => false,
  )
