import { createHash, hash } from 'node:crypto'
import { readdir, readFile, rename, stat, writeFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { deserialize, serialize } from 'node:v8'
import type { ConfinedRun, ToolRunner, Tools } from '#server/media/confined.ts'
import type { ToolEnd } from '#server/media/process.ts'

/** What a run of a media tool printed and wrote. */
interface KeptRun {
  readonly end: ToolEnd
  readonly printed: string
  /** By their names in the folder of the run. */
  readonly written: ReadonlyMap<string, Buffer>
}

/** Larger files are read again rather than kept in memory. */
const MAX_BYTES = 16 << 20
/** All that is kept together. */
const MAX_KEPT_BYTES = 256 << 20

const runs = new Map<string, KeptRun>()
let keptBytes = 0
/** Where the jobs of one `npm test` share what is kept; without it each process has its own. */
const SHARED = process.env['ONECUT_TOOL_RUNS']

/**
 * Runs a media tool once for the same arguments, limits and files, and gives the same again: its
 * start alone costs 0.15 processor seconds, and tests check the same few videos and render the same
 * edits of them. Kept for one run of `npm test`, or of vitest: a later one has other code.
 */
export const keptRuns: ToolRunner = async (tools, run, here) => {
  run.signal.throwIfAborted()
  const before = await digestsIn(run.cwd)
  const key = before === null ? null : await keyOf(tools, run, before)
  if (key === null || before === null) return await here(run)
  const known = runs.get(key) ?? (await sharedRun(key))
  if (known !== undefined) {
    for (const [name, bytes] of known.written) await writeFile(join(run.cwd, name), bytes)
    if (known.printed !== '') run.onOutput(known.printed)
    return known.end
  }
  let printed = ''
  const end = await here({
    ...run,
    onOutput: (text) => {
      printed += text
      run.onOutput(text)
    },
  })
  if (!saysTheSame(end, run)) return end
  const written = await writtenIn(run.cwd, before)
  if (written !== null) await keep(key, { end, printed, written })
  return end
}

async function keep(key: string, run: KeptRun): Promise<void> {
  const bytes =
    run.printed.length + [...run.written.values()].reduce((sum, { length }) => sum + length, 0)
  if (SHARED !== undefined) {
    // Whole at once, because another job may look for it.
    const made = join(SHARED, `${key}.${process.pid}`)
    await writeFile(made, serialize(run))
    await rename(made, join(SHARED, key))
  } else if (keptBytes + bytes <= MAX_KEPT_BYTES) {
    keptBytes += bytes
    runs.set(key, run)
  }
}

/** What this or another job kept. */
async function sharedRun(key: string): Promise<KeptRun | undefined> {
  if (SHARED === undefined) return undefined
  const bytes = await readFile(join(SHARED, key)).catch(() => null)
  // Written by `keep` of the same run.
  return bytes === null ? undefined : (deserialize(bytes) as KeptRun)
}

/** Whether an equal run ends so again: not where the machine or a limit ended it. */
function saysTheSame(end: ToolEnd, { isEnough }: ConfinedRun): boolean {
  if (end.kind === 'timeout') return end.limit === 'work' && isEnough?.() === true
  return end.kind === 'done' || end.fault === null
}

/** Null where an input is not there, or too large. */
async function keyOf(
  { ffmpegPath, ffprobePath, confinement }: Tools,
  { tool, args, cwd, input, limits, maxOutputChars }: ConfinedRun,
  folder: ReadonlyMap<string, string>,
): Promise<string | null> {
  const paths = new Set<string>()
  const words = args((path) => {
    paths.add(path)
    return path
  })
  const digests: [path: string, digest: string][] = []
  for (const path of paths) {
    const digest = await digestOf(path)
    if (digest === null) return null
    digests.push([path, digest])
  }
  const { maxFileBytes, cpuSeconds, reservedBytes, memoryBytes } = limits
  const asked = JSON.stringify([
    [tool, ffmpegPath, ffprobePath, confinement.kind],
    words.map((word) =>
      [...digests, [cwd, 'folder'] as const].reduce(
        (text, [path, digest]) => text.replaceAll(path, `<${digest}>`),
        word,
      ),
    ),
    [maxFileBytes, cpuSeconds, reservedBytes, memoryBytes, maxOutputChars],
    [...folder].toSorted(([one], [other]) => (one < other ? -1 : 1)),
  ])
  return createHash('sha256')
    .update(asked)
    .update(input ?? '')
    .digest('hex')
}

async function digestOf(path: string): Promise<string | null> {
  const facts = await stat(path).catch(() => null)
  if (facts?.isFile() !== true || facts.size > MAX_BYTES) return null
  return hash('sha256', await readFile(path))
}

/** The digest of each file in a folder, by its name; null where one is too large. */
async function digestsIn(folder: string): Promise<ReadonlyMap<string, string> | null> {
  const digests = new Map<string, string>()
  for (const name of await namesIn(folder)) {
    const digest = await digestOf(join(folder, name))
    if (digest === null) return null
    digests.set(name, digest)
  }
  return digests
}

/** What came into a folder, or changed there; null where something is too large. */
async function writtenIn(
  folder: string,
  before: ReadonlyMap<string, string>,
): Promise<ReadonlyMap<string, Buffer> | null> {
  const written = new Map<string, Buffer>()
  for (const name of await namesIn(folder)) {
    const { size } = await stat(join(folder, name))
    if (size > MAX_BYTES) return null
    const bytes = await readFile(join(folder, name))
    if (hash('sha256', bytes) !== before.get(name)) written.set(name, bytes)
  }
  return written
}

async function namesIn(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => !entry.isDirectory())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
}
