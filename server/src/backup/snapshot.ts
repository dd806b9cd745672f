import { createWriteStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import type { Client } from 'pg'
import { RowsOut } from '#server/db/copy-rows.ts'
import { newestIn, newestMigration } from '#server/db/migrate.ts'
import type { Places } from '#server/object-store/disk.ts'
import type { Pins } from '#server/object-store/pins.ts'
import { StartError } from '#server/start-error.ts'
import { rowsOf, type BackupFacts } from './folder.ts'
import { readWhole } from './kept-files.ts'
import { readNamedFiles, readOpenUploads, type NamedFile, type OpenUpload } from './named-files.ts'
import { copyName, listSequences, listTables } from './tables.ts'

/** Files as rows name them at one moment, by names that no deletion takes away. */
interface PinnedFiles {
  readonly objects: readonly { readonly file: NamedFile; readonly path: string }[]
  readonly uploads: readonly { readonly upload: OpenUpload; readonly path: string }[]
  /** Keys of files that are not there. */
  readonly missing: readonly string[]
}

/** Rows of one moment, written to a backup, and the files that they name. */
export interface Snapshot extends PinnedFiles {
  readonly facts: Pick<BackupFacts, 'migration' | 'tables' | 'sequences'>
}

/**
 * [Note: rows and files of one moment] The rows are read in one transaction, which sees one moment.
 * Each file that they name is pinned while it lasts. A file that is gone was deleted after that
 * moment, or has not been there: the rows of a later moment say which. What was pinned before
 * stands in then, so that this ends, however many deletions go on.
 */
export async function takeSnapshot(
  client: Client,
  backup: string,
  { places, pins }: { readonly places: Places; readonly pins: Pins },
  signal: AbortSignal,
): Promise<Snapshot> {
  const { tag, when } = await newestMigration()
  let gone: ReadonlySet<string> = new Set()
  for (;;) {
    signal.throwIfAborted()
    await client.query('begin isolation level repeatable read, read only')
    if ((await newestIn(client)) !== when)
      throw new StartError(
        `The database is not of this Onecut, whose newest migration is ${tag}: back up with the Onecut that runs, or start this one first.`,
      )
    const files = await pinFiles(client, { places, pins })
    if (files.missing.every((key) => gone.has(key))) {
      const tables = await copyTables(client, backup, signal)
      const sequences = [...(await listSequences(client))]
      await client.query('commit')
      return { ...files, facts: { migration: { tag, when }, tables, sequences } }
    }
    gone = new Set(files.missing)
    await client.query('rollback')
    pins.again()
  }
}

async function pinFiles(
  client: Client,
  { places, pins }: { readonly places: Places; readonly pins: Pins },
): Promise<PinnedFiles> {
  const objects: PinnedFiles['objects'][number][] = []
  const uploads: PinnedFiles['uploads'][number][] = []
  const missing: string[] = []
  for (const file of await readNamedFiles(client)) {
    const path =
      (await pins.pin(places.objectOf(file.key))) ??
      // A check that finds damage moves the file back, so that its device can send parts again.
      (file.uploadId === null ? null : await pins.pin(places.fileOf(file.uploadId)))
    if (path !== null) objects.push({ file, path })
    else if (!file.isOptional) missing.push(file.key)
  }
  for (const upload of await readOpenUploads(client)) {
    const path =
      (await pins.pin(places.fileOf(upload.id))) ??
      (await pins.pin(places.objectOf(upload.objectKey)))
    if (path !== null) uploads.push({ upload, path })
    else if (upload.parts.length > 0) missing.push(upload.objectKey)
  }
  return { objects, uploads, missing }
}

async function copyTables(
  client: Client,
  backup: string,
  signal: AbortSignal,
): Promise<BackupFacts['tables']> {
  const tables: BackupFacts['tables'] = []
  for (const table of await listTables(client)) {
    const path = rowsOf(backup, table.name)
    const rows = client.query(new RowsOut(`copy ${copyName(client, table)} to stdout`))
    const target = createWriteStream(path, { mode: 0o600, flush: true })
    await pipeline(rows, createGzip(), target, { signal })
    const { sha256 } = await readWhole({ path }, { signal })
    const sizeBytes = (await stat(path)).size
    tables.push({ ...table, columns: [...table.columns], rows: rows.rows, sizeBytes, sha256 })
  }
  return tables
}
