import { mkdir, open, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join, sep } from 'node:path'
import { createInterface } from 'node:readline'
import { createReadStream } from 'node:fs'
import { createGunzip, gzipSync } from 'node:zlib'
import * as v from 'valibot'
import { hasEnded, nameThisProcess } from '#server/db/process-name.ts'
import { StartError } from '#server/start-error.ts'
import { factsOf, syncFile } from './kept-files.ts'

/**
 * [Note: backup folder] One folder holds several backups:
 *
 * - `onecut-backups.json` says that it is one;
 * - `files` has each stored file once, however many backups name it, as `<key>~<time of change>`,
 *   parts of unfinished uploads as `parts/<upload>/<number>~<sha256>`, and the operator's own
 *   tracks below `music`. Nothing in it ever changes;
 * - `backups/<time>` has what is of one backup: `database` with the rows of each table, as COPY
 *   writes them; `files.jsonl.gz`, the files that those rows name; the keys of the server; and
 *   `backup.json`, which says what else there is. It has this name once it is whole.
 */
export interface BackupFolder {
  readonly path: string
  /** The place of a kept file. */
  fileOf(name: string): string
  /** The place of one backup. */
  backupOf(name: string): string
  /** Whole backups, the oldest first. */
  names(): Promise<readonly string[]>
}

const MARK = 'onecut-backups.json'
const IN_USE = 'in-use'
/** Of a backup that is not whole. */
export const UNFINISHED = '.unfinished'

/** A file that a backup holds. */
const keptFileSchema = v.variant('kind', [
  v.object({
    kind: v.literal('object'),
    key: v.string(),
    /** In `files` of the folder. */
    file: v.string(),
    sizeBytes: v.number(),
    changedAtMs: v.number(),
    sha256: v.string(),
  }),
  /** Of the data folder, beside the store. */
  v.object({
    kind: v.literal('music'),
    path: v.pipe(v.string(), v.regex(/^(?!.*\.\.\/)[^/]/)),
    file: v.string(),
    sizeBytes: v.number(),
    changedAtMs: v.number(),
    sha256: v.string(),
  }),
  v.object({
    kind: v.literal('part'),
    uploadId: v.string(),
    partNumber: v.number(),
    file: v.string(),
    sizeBytes: v.number(),
    sha256: v.string(),
  }),
])
export type KeptFile = v.InferOutput<typeof keptFileSchema>

const backupSchema = v.object({
  format: v.literal(1),
  takenAt: v.string(),
  /** The migration of its database, by name and by when it was written. */
  migration: v.object({ tag: v.string(), when: v.number() }),
  tables: v.array(
    v.object({
      name: v.string(),
      columns: v.array(v.string()),
      rows: v.number(),
      /** Of the compressed file. */
      sizeBytes: v.number(),
      sha256: v.string(),
    }),
  ),
  sequences: v.array(v.object({ name: v.string(), value: v.nullable(v.string()) })),
  files: v.object({ count: v.number(), sizeBytes: v.number(), sha256: v.string() }),
  /** What was not as its row said on the server, a sentence each. */
  faults: v.array(v.string()),
})
export type BackupFacts = v.InferOutput<typeof backupSchema>

function folderAt(path: string): BackupFolder {
  return {
    path,
    fileOf: (name) => join(path, 'files', ...name.split('/')),
    backupOf: (name) => join(path, 'backups', name),
    names: async () =>
      (await readdir(join(path, 'backups')).catch(() => []))
        .filter((name) => !name.endsWith(UNFINISHED))
        .toSorted(),
  }
}

/** Opens a folder with backups. Throws `StartError` where it is none. */
export async function openBackupFolder(path: string): Promise<BackupFolder> {
  if ((await factsOf(join(path, MARK)).catch(() => null)) === null)
    throw new StartError(`There is no backup in "${path}": it has no ${MARK}.`)
  return folderAt(path)
}

/** Opens a folder for a new backup, and makes it first where it is not there or empty. */
export async function ensureBackupFolder(path: string, dataDir: string): Promise<BackupFolder> {
  if (
    `${path}${sep}`.startsWith(`${dataDir}${sep}`) ||
    `${dataDir}${sep}`.startsWith(`${path}${sep}`)
  )
    throw new StartError(
      `"${path}" and the data folder "${dataDir}" are one inside the other; back up to another folder, best on another disk.`,
    )
  try {
    await mkdir(path, { recursive: true, mode: 0o700 })
    const names = await readdir(path)
    if (names.length > 0) return await openBackupFolder(path)
    await writeFile(join(path, MARK), '{ "format": 1 }\n', { mode: 0o600 })
    await syncFile(join(path, MARK))
  } catch (error) {
    if (error instanceof StartError)
      throw new StartError(
        `"${path}" holds other files; name an empty folder, or one with backups.`,
      )
    throw new StartError(
      `Backups cannot be written to "${path}" (${error instanceof Error ? error.message : String(error)}).`,
    )
  }
  return folderAt(path)
}

/** Keeps others from writing to the folder, until the answer is called. Throws `StartError`. */
export async function lockBackupFolder({ path }: BackupFolder): Promise<() => Promise<void>> {
  const file = join(path, IN_USE)
  const name = await nameThisProcess()
  for (;;) {
    const isOurs = await writeFile(file, name, { flag: 'wx', mode: 0o600 }).then(
      () => true,
      (error: NodeJS.ErrnoException) => {
        if (error.code === 'EEXIST') return false
        throw error
      },
    )
    if (isOurs) return async () => await rm(file, { force: true })
    const other = await readFile(file, 'utf8').catch(() => '')
    if (!(await hasEnded(other)))
      throw new StartError(
        `Another backup is writing to "${path}". If none is, because it was killed on another machine, remove ${file}.`,
      )
    await rm(file, { force: true })
  }
}

/** What a backup says of itself. Throws `StartError` where it cannot be read. */
export async function readBackup(folder: BackupFolder, name: string): Promise<BackupFacts> {
  const text = await readFile(join(folder.backupOf(name), 'backup.json'), 'utf8').catch(() => '')
  const parsed = v.safeParse(v.pipe(v.string(), v.parseJson(), backupSchema), text)
  if (!parsed.success)
    throw new StartError(`The backup ${name} in "${folder.path}" cannot be read: backup.json.`)
  return parsed.output
}

/** The files that a backup holds, one after the other. */
export async function* readKeptFiles(folder: BackupFolder, name: string): AsyncGenerator<KeptFile> {
  const list = createReadStream(listOf(folder.backupOf(name))).pipe(createGunzip())
  for await (const line of createInterface({ input: list }))
    yield v.parse(v.pipe(v.string(), v.parseJson(), keptFileSchema), line)
}

/** Where a backup lists its files. */
export function listOf(backup: string): string {
  return join(backup, 'files.jsonl.gz')
}

/** Where a backup has the rows of a table. */
export function rowsOf(backup: string, table: string): string {
  return join(backup, 'database', `${table}.copy.gz`)
}

/** Where a backup has the keys of its server. */
export function keysOf(backup: string): string {
  return join(backup, 'keys.json')
}

/** Writes a small file of a backup. */
export async function writeWhole(path: string, content: string | Uint8Array): Promise<void> {
  await using file = await open(path, 'w', 0o600)
  await file.writeFile(content)
  await file.sync()
}

/** Gives the list of a backup as its file has it. */
export function packList(files: readonly KeptFile[]): Buffer {
  return gzipSync(files.map((file) => `${JSON.stringify(file)}\n`).join(''))
}

/** Gives a backup its name, now that it is whole. */
export async function publishBackup(folder: BackupFolder, name: string): Promise<void> {
  await rename(folder.backupOf(name + UNFINISHED), folder.backupOf(name))
  await syncFile(folder.backupOf(name))
}
