import { holdAll } from '#recipes/stretches-read.ts'
import type { Stretch } from '#recipes/stretch.ts'
import { describeBug } from '#src/lib/describe-bug.ts'
import { uploadIdempotencyKey, type Ids } from '#src/lib/ids.ts'
import type { Log } from '#src/lib/log.ts'
import { err, ok, type Result } from '#src/lib/result.ts'
import type { Clock } from '#src/lib/time.ts'
import type { AccountDb } from '#src/local/db/account-db.ts'
import type { UploadRow } from '#src/local/db/rows.ts'
import { isFinal, isReceived } from '#src/local/db/upload-states.ts'
import { composedSource, planExcerpt, type ExcerptFile } from '#src/local/uploads/file/excerpt.ts'
import { fileSource } from '#src/local/uploads/file/file-source.ts'
import { fingerprintOf } from '#src/local/uploads/file/fingerprint.ts'
import { readMovieIndex, type MovieIndex } from '#src/local/uploads/file/movie-index.ts'

export interface ExcerptDeps {
  readonly db: AccountDb
  readonly ids: Ids
  readonly clock: Pick<Clock, 'now'>
  readonly log: Log
  readonly digest: (bytes: ArrayBuffer) => Promise<ArrayBuffer>
  /** The file of an upload, wherever this device has it. */
  readonly open: (row: UploadRow) => Promise<Result<File, unknown>>
  /** Gives up an excerpt that holds too little. */
  readonly discard: (uploadId: string) => Promise<unknown>
}

/** An excerpt that is not worth its bytes is larger than this share of its video. */
const LARGEST_SHARE = 0.5

/** The excerpts that a page can make; it keeps the index that it read last. */
export interface Excerpts {
  /** How many bytes an excerpt has that holds these stretches; null where none can be made. */
  weigh(uploadId: string, stretches: readonly Stretch[]): Promise<number | null>
  /**
   * Adds an excerpt of an upload that is on its way, unless there is one that holds these stretches
   * or one that the server has already. The engine sends it first. Reads the file, writes locally,
   * idempotent.
   * @returns whether it was added
   */
  send(uploadId: string, stretches: readonly Stretch[]): Promise<boolean>
}

/** @param depsNow null while no account is open: then there is nothing to be made */
export function createExcerpts(depsNow: () => ExcerptDeps | null): Excerpts {
  let known: { readonly uploadId: string; readonly index: MovieIndex | null } | null = null
  /** Null where none can be made of this file. */
  const plan = async (
    { open }: ExcerptDeps,
    row: UploadRow,
    stretches: readonly Stretch[],
  ): Promise<PlannedExcerpt | null> => {
    const file = await open(row)
    if (!file.ok) return null
    if (known?.uploadId !== row.id) {
      const read = await readMovieIndex(fileSource(file.value))
      known = { uploadId: row.id, index: read.ok ? read.value : null }
    }
    const planned = known.index === null ? null : planExcerpt(known.index, stretches)
    return planned?.ok === true && planned.value.sizeBytes <= row.file.sizeBytes * LARGEST_SHARE
      ? { file: file.value, excerpt: planned.value }
      : null
  }
  return {
    weigh: async (uploadId, stretches) => {
      const deps = depsNow()
      const row = await deps?.db.uploads.get(uploadId)
      if (deps === null || row === undefined) return null
      return (await plan(deps, row, stretches))?.excerpt.sizeBytes ?? null
    },
    send: async (uploadId, stretches) => {
      const deps = depsNow()
      const row = await deps?.db.uploads.get(uploadId)
      if (deps === null || row === undefined || !(await isWanted(deps, row, stretches)))
        return false
      const planned = await plan(deps, row, stretches)
      if (planned === null) return false
      const made = await rowOf(deps, row, stretches, planned)
      return made.ok && (await add(deps, made.value, planned.excerpt))
    },
  }
}

interface PlannedExcerpt {
  /** Of the whole. */
  readonly file: File
  readonly excerpt: ExcerptFile
}

/** Gives up one that is on its way and holds too little; another one follows when it has gone. */
async function isWanted(
  { db, discard }: ExcerptDeps,
  { id, uploadRequestId, state }: UploadRow,
  stretches: readonly Stretch[],
): Promise<boolean> {
  if (uploadRequestId === null || isReceived(state.kind) || isFinal(state.kind)) return false
  const [present] = await excerptsOf(db, id)
  if (present === undefined) return true
  const held = present.excerpt?.stretches ?? []
  if (!holdAll(held, stretches) && !isReceived(present.state.kind) && !isFinal(present.state.kind))
    await discard(present.id)
  return false
}

/** The excerpts of an upload on this device. */
export async function excerptsOf(db: AccountDb, uploadId: string): Promise<readonly UploadRow[]> {
  return db.uploads.filter(({ excerpt }) => excerpt?.uploadId === uploadId).toArray()
}

async function rowOf(
  { ids, clock, digest }: ExcerptDeps,
  whole: UploadRow,
  stretches: readonly Stretch[],
  { file, excerpt }: PlannedExcerpt,
): Promise<Result<UploadRow, null>> {
  const source = composedSource(fileSource(file), excerpt)
  const fingerprint = await fingerprintOf(digest, source)
  if (!fingerprint.ok || whole.uploadRequestId === null) return err(null)
  const nowEpochMs = clock.now()
  return ok({
    id: ids.uuid(),
    uploadRequestId: null,
    idempotencyKey: uploadIdempotencyKey(ids, nowEpochMs),
    purpose: 'excerpt',
    excerpt: { uploadId: whole.id, uploadRequestId: whole.uploadRequestId, stretches },
    file: source.file,
    state: { kind: 'preparing' },
    epoch: 0,
    plan: null,
    safeBytes: 0,
    probe: null,
    fingerprint: fingerprint.value,
    createdAtEpochMs: nowEpochMs,
    updatedAtEpochMs: nowEpochMs,
  })
}

/** One of an upload, also where two pages make it at once. */
async function add(
  { db, log }: ExcerptDeps,
  row: UploadRow,
  { head, ranges, sizeBytes }: ExcerptFile,
): Promise<boolean> {
  try {
    return await db.transaction('rw', db.uploads, db.excerpts, async () => {
      if ((await excerptsOf(db, row.excerpt?.uploadId ?? '')).length > 0) return false
      await db.excerpts.add({ uploadId: row.id, head: new Uint8Array(head), ranges, sizeBytes })
      await db.uploads.add(row)
      return true
    })
  } catch (thrown) {
    // Its edits wait for the whole.
    log.warn('an excerpt could not be saved', describeBug(thrown))
    return false
  }
}
