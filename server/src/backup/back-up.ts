import { mkdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Connection } from '#server/db/connection.ts'
import { withOwnClient } from '#server/db/own-client.ts'
import { nameThisProcess } from '#server/db/process-name.ts'
import { placesOf } from '#server/object-store/disk.ts'
import { freeBytesOf } from '#server/object-store/free-bytes.ts'
import { createPins } from '#server/object-store/pins.ts'
import { StartError } from '#server/start-error.ts'
import {
  keysOf,
  listOf,
  lockBackupFolder,
  packList,
  publishBackup,
  UNFINISHED,
  writeWhole,
  type BackupFacts,
  type BackupFolder,
  type KeptFile,
} from './folder.ts'
import { copyFileWhole, factsOf, readWhole } from './kept-files.ts'
import { readKnownSums, removeOlder, removeUnfinished } from './remove-older.ts'
import { takeSnapshot, type Snapshot } from './snapshot.ts'
import { listWanted, type WantedFile } from './wanted-files.ts'
import { bytesText } from './words.ts'

/** What is backed up: one data folder with its database. */
export interface BackupSource {
  readonly dataDir: string
  readonly connection: Connection
  readonly keysFile: string
  /** The content of the file of keys, where a setting gives it. */
  readonly keys: string | null
}

interface BackupOptions {
  readonly clock: () => Date
  /** How many of the newest backups stay. */
  readonly keep: number
  readonly signal: AbortSignal
  /** Told how far it is; the work waits for its answer. */
  readonly report: (progress: Progress) => Promise<void> | void
}

/** How far the copying is. */
export interface Progress {
  readonly doneBytes: number
  readonly allBytes: number
}

/** What a backup came to. */
export interface BackupResult {
  readonly name: string
  readonly files: Sum
  /** Those of the files that the folder did not have. */
  readonly copied: Sum
  readonly databaseBytes: number
  /** What is not as its row says, a sentence each. */
  readonly faults: readonly string[]
  /** Backups that were removed, since newer ones are kept. */
  readonly removed: readonly string[]
}

interface Sum {
  readonly count: number
  readonly sizeBytes: number
}

/**
 * Writes one backup beside those that a folder has: the rows of one moment, and of the files that
 * they name those that the folder does not have yet. Reads a server's files and database while it
 * works, and changes neither. Throws `StartError`, and the reason of `signal`; the backups before
 * are whole then.
 */
export async function backUp(
  source: BackupSource,
  folder: BackupFolder,
  options: BackupOptions,
): Promise<BackupResult> {
  const unlock = await lockBackupFolder(folder)
  const root = join(source.dataDir, 'store')
  const pins = await createPins(root, await nameThisProcess())
  try {
    await removeUnfinished(folder)
    const takenAt = options.clock()
    const name = await newName(folder, takenAt)
    const backup = folder.backupOf(name + UNFINISHED)
    await mkdir(join(backup, 'database'), { recursive: true, mode: 0o700 })
    const shared = { places: placesOf(root), pins }
    const snapshot = await withOwnClient(
      source.connection,
      async (client) => await takeSnapshot(client, backup, shared, options.signal),
    )
    await writeWhole(keysOf(backup), source.keys ?? (await readFile(source.keysFile)))
    const wanted = await listWanted(snapshot, source.dataDir, takenAt)
    const { files, copied, found } = await copyFiles(wanted, folder, options)
    const faults = [...faultsOf(snapshot, files), ...found]
    await writeFacts(backup, { ...snapshot.facts, takenAt: takenAt.toISOString(), faults }, files)
    await publishBackup(folder, name)
    const removed = await removeOlder(folder, options.keep)
    const databaseBytes = snapshot.facts.tables.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)
    return { name, files: sumOf(files), copied, databaseBytes, faults, removed }
  } catch (error) {
    throw asSentence(error, folder)
  } finally {
    await pins.end()
    await unlock()
  }
}

async function newName(folder: BackupFolder, now: Date): Promise<string> {
  // As all file systems take it.
  const name = now
    .toISOString()
    .replace(/\.\d+Z$/, 'Z')
    .replaceAll(':', '-')
  const taken = await folder.names()
  for (let number = 1; ; number += 1) {
    const next = number === 1 ? name : `${name}-${number}`
    if (!taken.includes(next)) return next
  }
}

interface CopiedFiles {
  readonly files: readonly KeptFile[]
  readonly copied: Sum
  readonly found: readonly string[]
}

async function copyFiles(
  wanted: readonly WantedFile[],
  folder: BackupFolder,
  { signal, report }: BackupOptions,
): Promise<CopiedFiles> {
  const known = await readKnownSums(folder)
  const missing = new Set<WantedFile>()
  for (const each of wanted)
    if ((await factsOf(folder.fileOf(each.file)))?.sizeBytes !== each.sizeBytes) missing.add(each)
  const copied = sumOf([...missing])
  await refuseWithoutRoom(folder, copied.sizeBytes)
  let doneBytes = 0
  const progress = (): Progress => ({ doneBytes, allBytes: copied.sizeBytes })
  const files: KeptFile[] = []
  const found: string[] = []
  for (const each of wanted) {
    await report(progress())
    const to = folder.fileOf(each.file)
    const onChunk = async (chunk: Buffer): Promise<void> => {
      each.sums?.take(chunk)
      doneBytes += chunk.length
      // Of a large file between its ends.
      await report(progress())
    }
    const { sha256 } = missing.has(each)
      ? await copyFileWhole(each, to, each.changedAtMs, { signal, onChunk })
      : { sha256: known.get(each.file) ?? (await readWhole({ path: to }, { signal })).sha256 }
    const fault = missing.has(each) ? (each.sums?.verdict() ?? null) : null
    if (fault !== null) found.push(`${each.file} ${fault}`)
    const kept = each.toKept(sha256)
    if (typeof kept !== 'string') files.push(kept)
    else {
      await rm(to, { force: true })
      found.push(kept)
    }
  }
  await report(progress())
  return { files, copied, found }
}

async function refuseWithoutRoom({ path }: BackupFolder, neededBytes: number): Promise<void> {
  const freeBytes = await freeBytesOf(path)
  if (neededBytes <= freeBytes) return
  throw new StartError(
    `The disk of "${path}" is too full: ${bytesText(neededBytes)} are to be copied, and ${bytesText(freeBytes)} are free. The backups before are whole.`,
  )
}

async function writeFacts(
  backup: string,
  facts: Omit<BackupFacts, 'format' | 'files'>,
  files: readonly KeptFile[],
): Promise<void> {
  const path = listOf(backup)
  await writeWhole(path, packList(files))
  const { sha256 } = await readWhole({ path }, { signal: new AbortController().signal })
  const whole: BackupFacts = { format: 1, ...facts, files: { ...sumOf(files), sha256 } }
  await writeWhole(join(backup, 'backup.json'), `${JSON.stringify(whole, null, 2)}\n`)
}

function faultsOf({ objects, missing }: Snapshot, files: readonly KeptFile[]): string[] {
  const kept = new Map(files.flatMap((file) => (file.kind === 'object' ? [[file.key, file]] : [])))
  const wrong = objects.flatMap(({ file: { key, sizeBytes } }) => {
    const found = kept.get(key)?.sizeBytes ?? 0
    return sizeBytes === null || found === sizeBytes
      ? []
      : [`${key} has ${found} bytes, and its row says ${sizeBytes}`]
  })
  return [...missing.map((key) => `${key} is not there`), ...wrong]
}

function sumOf(files: readonly { readonly sizeBytes: number }[]): Sum {
  return { count: files.length, sizeBytes: files.reduce((sum, file) => sum + file.sizeBytes, 0) }
}

function asSentence(error: unknown, { path }: BackupFolder): unknown {
  const code = error instanceof Error && 'code' in error ? error.code : null
  if (code !== 'ENOSPC') return error
  return new StartError(
    `The disk of "${path}" is full. What was copied stays for the next try, and the backups before are whole.`,
  )
}
