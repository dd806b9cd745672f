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
import { excerptsOf, heldBy, isOfUse } from './excerpt-rows.ts'

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

/** Excerpts that are not worth their bytes are together larger than this share of their video. */
const LARGEST_SHARE = 0.5

/** The excerpts that a page can make; it keeps the index that it read last. */
export interface Excerpts {
  /** How many bytes an excerpt has that holds these stretches; null where none can be made. */
  weigh(uploadId: string, stretches: readonly Stretch[]): Promise<number | null>
  /**
   * Adds an excerpt of an upload that is on its way, unless one holds these stretches already. The
   * engine sends it first. Gives up those on their way that hold no edit that is asked for. Reads
   * the file, writes locally, idempotent.
   * @param asked what each early edit of the upload reads
   * @returns whether it was added
   */
  send(
    uploadId: string,
    stretches: readonly Stretch[],
    asked: readonly (readonly Stretch[])[],
  ): Promise<boolean>
}

/** @param depsNow null while no account is open: then there is nothing to be made */
export function createExcerpts(depsNow: () => ExcerptDeps | null): Excerpts {
  let known: { readonly uploadId: string; readonly index: MovieIndex | null } | null = null
  /** Null where none can be made of this file. */
  const plan = async (
    { db, open }: ExcerptDeps,
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
    if (planned?.ok !== true) return null
    const present = (await excerptsOf(db, row.id)).filter(isOfUse)
    const others = present.reduce((sum, { file }) => sum + file.sizeBytes, 0)
    return others + planned.value.sizeBytes <= row.file.sizeBytes * LARGEST_SHARE
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
    send: async (uploadId, stretches, asked) => {
      const deps = depsNow()
      const row = await deps?.db.uploads.get(uploadId)
      if (deps === null || row === undefined || isOver(row)) return false
      if (await giveUpUseless(deps, row, asked)) return false
      const planned = await plan(deps, row, stretches)
      if (planned === null) return false
      const made = await rowOf(deps, row, stretches, planned)
      return made.ok && (await add(deps, made.value, planned.excerpt))
    },
  }
}

/** Without its upload there is nothing at the server that an excerpt could be of. */
function isOver({ uploadRequestId, state }: UploadRow): boolean {
  return uploadRequestId === null || isReceived(state.kind) || isFinal(state.kind)
}

/**
 * Gives up excerpts on their way that hold no edit that is asked for, as after another choice of
 * moments. True where there was one: what is asked for follows when it has gone.
 */
async function giveUpUseless(
  { db, discard }: ExcerptDeps,
  { id }: UploadRow,
  asked: readonly (readonly Stretch[])[],
): Promise<boolean> {
  const useless = (await excerptsOf(db, id)).filter(
    (row) =>
      isOfUse(row) &&
      !isReceived(row.state.kind) &&
      !asked.some((stretches) => holdAll(heldBy(row), stretches)),
  )
  for (const row of useless) await discard(row.id)
  return useless.length > 0
}

interface PlannedExcerpt {
  /** Of the whole. */
  readonly file: File
  readonly excerpt: ExcerptFile
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

/** Only one with the same stretches, also where two pages make it at once. */
async function add(
  { db, log }: ExcerptDeps,
  row: UploadRow,
  { head, ranges, sizeBytes }: ExcerptFile,
): Promise<boolean> {
  try {
    return await db.transaction('rw', db.uploads, db.excerpts, async () => {
      const present = await excerptsOf(db, row.excerpt?.uploadId ?? '')
      if (present.some((each) => holdAll(heldBy(each), heldBy(row)))) return false
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
