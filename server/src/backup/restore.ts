import { createReadStream, existsSync } from 'node:fs'
import { mkdir, open, readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import type { Client } from 'pg'
import { v7 } from 'uuid'
import { makeDataFolder } from '#server/data-folder.ts'
import { RowsIn } from '#server/db/copy-rows.ts'
import { CLUSTER_OWNER } from '#server/db/embedded/initialise.ts'
import { launchPostgres, type EmbeddedPostgres } from '#server/db/embedded/launch.ts'
import { livingPostmaster } from '#server/db/embedded/stale-locks.ts'
import {
  BRING_TO_BASELINE,
  migrateDatabase,
  migrateUpTo,
  newestMigration,
  placeOf,
} from '#server/db/migrate.ts'
import { withOwnClient } from '#server/db/own-client.ts'
import type { Settings } from '#server/env.ts'
import { placesOf, type Places } from '#server/object-store/disk.ts'
import { freeBytesOf } from '#server/object-store/free-bytes.ts'
import { placeOfPart } from '#server/object-store/part-place.ts'
import { StartError } from '#server/start-error.ts'
import {
  keysOf,
  readBackup,
  readKeptFiles,
  rowsOf,
  writeWhole,
  type BackupFacts,
  type BackupFolder,
  type KeptFile,
} from './folder.ts'
import { copyFileInto, copyFileWhole, factsOf, syncFile } from './kept-files.ts'
import { readNamedFiles, readOpenUploads } from './named-files.ts'
import type { Progress } from './back-up.ts'
import { restoreMarkOf } from './restore-mark.ts'
import { copyName, listTables } from './tables.ts'
import { bytesText } from './words.ts'

type Place = Pick<Settings, 'dataDir' | 'scratchDir' | 'keysFile' | 'keys'>

interface RestoreOptions {
  readonly signal: AbortSignal
  readonly report: (progress: Progress) => Promise<void> | void
}

/** What a restore came to. */
export interface RestoreResult {
  readonly takenAt: string
  readonly files: BackupFacts['files']
  readonly rows: number
  /** What is not as its row says, a sentence each. */
  readonly faults: readonly string[]
}

/**
 * Makes an empty data folder what it was when a backup was taken, but for what `tables.ts` leaves
 * out. One that broke off goes on. Throws `StartError`, and the reason of `signal`.
 */
export async function restore(
  folder: BackupFolder,
  name: string,
  place: Place,
  options: RestoreOptions,
): Promise<RestoreResult> {
  const facts = await readBackup(folder, name)
  await refuseOtherVersion(facts)
  const keys = await readFile(keysOf(folder.backupOf(name)), 'utf8')
  await refuseOtherKeys(place, keys)
  await refuseUsed(place.dataDir)
  await makeDataFolder(place)
  const mark = restoreMarkOf(place.dataDir)
  await writeWhole(mark, `${name}\n`)
  const places = placesOf(join(place.dataDir, 'store'))
  const faults = await restoreFiles(folder, name, { ...place, places }, options)
  const postgres = await launchPostgres(place.dataDir)
  try {
    const rows = await loadRows(postgres, folder.backupOf(name), facts, options.signal)
    faults.push(...(await restoreUploads(postgres, folder, name, places, options)))
    await migrateDatabase(postgres.connection, v7)
    faults.push(...(await withClient(postgres, (client) => checkFiles(client, places))))
    if (place.keys === null) await writeWhole(place.keysFile, keys)
    await rm(mark)
    await syncFile(place.dataDir)
    return { takenAt: facts.takenAt, files: facts.files, rows, faults: [...new Set(faults)] }
  } finally {
    await postgres.stop()
  }
}

async function refuseOtherVersion({ migration }: BackupFacts): Promise<void> {
  const place = await placeOf(migration)
  if (place === 'before')
    throw new StartError(
      `The backup is of a Onecut from before the first release. Restore it with the Onecut that made it, then ${BRING_TO_BASELINE}.`,
    )
  if (place === 'after')
    throw new StartError(
      `The backup is of a newer Onecut: its database has the migration ${migration.tag}, and this one ends with ${(await newestMigration()).tag}. Restore it with the Onecut that made it, or a newer one.`,
    )
}

/** With other keys nothing that the database holds encrypted could be read. */
async function refuseOtherKeys({ keys, keysFile }: Place, kept: string): Promise<void> {
  const isSame = (text: string): boolean => {
    try {
      return JSON.stringify(JSON.parse(text)) === JSON.stringify(JSON.parse(kept))
    } catch {
      return false
    }
  }
  if (keys !== null && !isSame(keys))
    throw new StartError(
      'ONECUT_KEYS are other keys than those of the backup; leave it out for the restore, or set it to the keys.json of the backup.',
    )
  const there = await readFile(keysFile, 'utf8').catch(() => null)
  if (keys === null && there !== null && !isSame(there))
    throw new StartError(
      `"${keysFile}" holds other keys than the backup; move it away, because the keys of the backup go there.`,
    )
}

/** A folder is used where anything is in it but what a restore that broke off left. */
async function refuseUsed(dataDir: string): Promise<void> {
  const inUse = new StartError(
    `"${dataDir}" is in use; stop the server, and restore into an empty folder.`,
  )
  const postgres = join(dataDir, 'postgres')
  if (!existsSync(restoreMarkOf(dataDir))) {
    if ((await livingPostmaster(postgres)) !== null) throw inUse
    const names = await readdir(dataDir).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return []
      throw new StartError(`"${dataDir}" cannot be read (${error.message}).`)
    })
    if (names.length > 0)
      throw new StartError(
        `"${dataDir}" is not empty; restore into an empty folder, named by ONECUT_DATA_DIR, or move this one away.`,
      )
    return
  }
  // A killed restore leaves its database running.
  if ((await livingPostmaster(postgres)) !== null) await (await launchPostgres(dataDir)).stop()
  if ((await livingPostmaster(postgres)) !== null) throw inUse
  await rm(postgres, { recursive: true, force: true })
}

/** Copies all whole files that are not there yet. Returns what is wrong with them. */
async function restoreFiles(
  folder: BackupFolder,
  name: string,
  target: { readonly dataDir: string; readonly places: Places },
  { signal, report }: RestoreOptions,
): Promise<string[]> {
  const missing: (WholeFile & { readonly to: string })[] = []
  for await (const file of readKeptFiles(folder, name)) {
    if (file.kind === 'part') continue
    const to =
      file.kind === 'music'
        ? join(target.dataDir, 'music', ...file.path.split('/'))
        : target.places.objectOf(file.key)
    const there = await factsOf(to)
    if (there?.sizeBytes !== file.sizeBytes || there.changedAtMs !== file.changedAtMs)
      missing.push({ ...file, to })
  }
  const allBytes = missing.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)
  const freeBytes = await freeBytesOf(target.dataDir)
  if (allBytes > freeBytes)
    throw new StartError(
      `The disk of "${target.dataDir}" is too full: ${bytesText(allBytes)} are to be restored, and ${bytesText(freeBytes)} are free.`,
    )
  let doneBytes = 0
  const onChunk = async (chunk: Buffer): Promise<void> => {
    doneBytes += chunk.length
    await report({ doneBytes, allBytes })
  }
  const faults: string[] = []
  for (const { file, to, changedAtMs, sha256 } of missing) {
    await report({ doneBytes, allBytes })
    const from = { path: folder.fileOf(file) }
    if ((await factsOf(from.path)) === null) {
      faults.push(`${file} is not in the backup`)
      continue
    }
    const copied = await copyFileWhole(from, to, changedAtMs, { signal, onChunk })
    if (copied.sha256 !== sha256) faults.push(`${file} is damaged in the backup`)
  }
  await report({ doneBytes, allBytes })
  return faults
}

type WholeFile = Exclude<KeptFile, { readonly kind: 'part' }>

/** Makes the tables as the backup had them, and puts its rows there, in one transaction. */
async function loadRows(
  postgres: EmbeddedPostgres,
  backup: string,
  { migration, tables, sequences }: BackupFacts,
  signal: AbortSignal,
): Promise<number> {
  await migrateUpTo(postgres.connection, migration)
  return await withClient(postgres, async (client) => {
    // Rows are as triggers and references left them.
    await client.query("set session_replication_role = 'replica'")
    await client.query('begin')
    const there = (await listTables(client)).map(({ name }) => client.escapeIdentifier(name))
    await client.query(`truncate ${there.join(', ')} cascade`)
    let all = 0
    for (const table of tables) {
      const rows = client.query(new RowsIn(`copy ${copyName(client, table)} from stdin`))
      const kept = createReadStream(rowsOf(backup, table.name))
      await pipeline(kept, createGunzip(), rows, { signal })
      if (rows.rows !== table.rows)
        throw new StartError(
          `The table ${table.name} of the backup has ${rows.rows} rows in the place of ${table.rows}; it is damaged.`,
        )
      all += rows.rows
    }
    for (const { name, value } of sequences)
      if (value !== null)
        await client.query('select setval($1::regclass, $2::bigint)', [
          `public.${client.escapeIdentifier(name)}`,
          value,
        ])
    await client.query('commit')
    await client.query('analyze')
    return all
  })
}

/** Makes the files of uploads that still take parts, and forgets the parts that are not there. */
async function restoreUploads(
  postgres: EmbeddedPostgres,
  folder: BackupFolder,
  name: string,
  places: Places,
  { signal }: RestoreOptions,
): Promise<string[]> {
  const parts: (KeptFile & { readonly kind: 'part' })[] = []
  for await (const file of readKeptFiles(folder, name)) if (file.kind === 'part') parts.push(file)
  const byUpload = Map.groupBy(parts, ({ uploadId }) => uploadId)
  await mkdir(places.multipartDir, { recursive: true, mode: 0o700 })
  return await withClient(postgres, async (client) => {
    const faults: string[] = []
    for (const upload of await readOpenUploads(client)) {
      await using file = await open(places.fileOf(upload.id), 'w')
      // With holes where parts are missing, as an upload has it from its beginning.
      await file.truncate(upload.sizeBytes)
      const whole: number[] = []
      for (const { partNumber, file: kept, sha256 } of byUpload.get(upload.id) ?? []) {
        const { offset } = placeOfPart(upload, partNumber)
        const from = { path: folder.fileOf(kept) }
        if ((await factsOf(from.path)) === null) continue
        const copied = await copyFileInto(from, file, offset, { signal })
        if (copied.sha256 === sha256) whole.push(partNumber)
      }
      await file.sync()
      const { rowCount } = await client.query(
        'delete from upload_parts where upload_request_id = $1 and part_number <> all($2)',
        [upload.id, whole],
      )
      if (rowCount !== 0) faults.push(`${rowCount} parts of the upload ${upload.id} are sent again`)
    }
    return faults
  })
}

/** Every file that a row names is there, with its size. */
async function checkFiles(client: Client, places: Places): Promise<string[]> {
  const faults: string[] = []
  for (const { key, sizeBytes, isOptional } of await readNamedFiles(client)) {
    const there = await factsOf(places.objectOf(key))
    if (there === null) {
      if (!isOptional) faults.push(`${key} is not there`)
    } else if (sizeBytes !== null && there.sizeBytes !== sizeBytes)
      faults.push(`${key} has ${there.sizeBytes} bytes, and its row says ${sizeBytes}`)
  }
  return faults
}

/** As the owner of the cluster, who may load rows as they are. */
async function withClient<T>(
  { connection }: EmbeddedPostgres,
  work: (client: Client) => Promise<T>,
): Promise<T> {
  return await withOwnClient({ ...connection, user: CLUSTER_OWNER }, work)
}
