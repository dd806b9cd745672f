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
import type { ComposedFile } from '#checks/movie/composed-file.ts'
import { composedSource } from '#src/local/uploads/file/composed-source.ts'
import { composedRow } from '#src/local/uploads/file/cut-file.ts'
import type { NoExcerpt } from '#checks/movie/excerpt.ts'
import { fileSource } from '#src/local/uploads/file/file-source.ts'
import { fingerprintOf } from '#src/local/uploads/file/fingerprint.ts'
import type { NoIndex } from '#checks/movie/movie-bytes.ts'
import type { VideoIndex } from '#checks/movie/video-index.ts'
import { videoIndexOf } from '#src/local/uploads/file/movie-index.ts'
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

/**
 * Why no part of a video can be sent first:
 * - what its index says (`NoIndex`, `NoExcerpt`)
 * - `several-pictures`: the server makes no edits of such excerpts
 * - `too-large`: with the excerpts that there are, more than half of the video
 */
export interface NoPart {
  readonly code:
    | NoIndex['code']
    | NoExcerpt['code']
    | 'excerpt/several-pictures'
    | 'excerpt/too-large'
}

/** An excerpt that could be made. */
interface WeighedExcerpt {
  readonly sizeBytes: number
  /** Which of them is silent only the whole says: the server waits for the creator's choice. */
  readonly hasSeveralSounds: boolean
}

const noPart = (code: NoPart['code']): Result<never, NoPart> => err({ code })

/** Excerpts that are not worth their bytes are together larger than this share of their video. */
const LARGEST_SHARE = 0.5

/** The excerpts that a page can make; it keeps the index that it read last. */
export interface Excerpts {
  /** How large an excerpt is that holds these stretches. Reads the index of the file. */
  weigh(uploadId: string, stretches: readonly Stretch[]): Promise<Result<WeighedExcerpt, NoPart>>
  /**
   * When the keys of the pictures are shown, in milliseconds as edits count them: what begins
   * behind one needs the fewest bytes. None where that is not known. Reads the index of the file.
   */
  keyTimes(uploadId: string): Promise<readonly number[]>
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

interface KnownIndex {
  readonly uploadId: string
  readonly index: Promise<Result<VideoIndex, NoPart>>
}

/** @param depsNow null while no account is open: then there is nothing to be made */
export function createExcerpts(depsNow: () => ExcerptDeps | null): Excerpts {
  let known: KnownIndex | null = null
  const indexOf = (row: UploadRow, file: File): KnownIndex['index'] => {
    if (known?.uploadId !== row.id) known = { uploadId: row.id, index: readIndex(file) }
    return known.index
  }
  const plan = async (
    { db, open }: ExcerptDeps,
    row: UploadRow,
    stretches: readonly Stretch[],
  ): Promise<Result<PlannedExcerpt, NoPart>> => {
    const file = await open(row)
    if (!file.ok) return noPart('excerpt/unreadable')
    const index = await indexOf(row, file.value)
    if (!index.ok) return index
    const excerpt = await index.value.planExcerpt(stretches)
    if (!excerpt.ok) return excerpt
    const present = (await excerptsOf(db, row.id)).filter(isOfUse)
    const others = present.reduce((sum, each) => sum + each.file.sizeBytes, 0)
    return others + excerpt.value.sizeBytes > row.file.sizeBytes * LARGEST_SHARE
      ? noPart('excerpt/too-large')
      : ok({ file: file.value, index: index.value, excerpt: excerpt.value })
  }
  return {
    weigh: async (uploadId, stretches) => {
      const deps = depsNow()
      const row = await deps?.db.uploads.get(uploadId)
      if (deps === null || row === undefined) return noPart('excerpt/unreadable')
      const planned = await plan(deps, row, stretches)
      if (!planned.ok) return planned
      const { excerpt, index } = planned.value
      return ok({ sizeBytes: excerpt.sizeBytes, hasSeveralSounds: index.sounds > 1 })
    },
    keyTimes: async (uploadId) => {
      const deps = depsNow()
      const row = await deps?.db.uploads.get(uploadId)
      const file = deps === null || row === undefined ? null : await deps.open(row)
      if (row === undefined || file?.ok !== true) return []
      const index = await indexOf(row, file.value)
      return index.ok ? index.value.keyTimesMs() : []
    },
    send: async (uploadId, stretches, asked) => {
      const deps = depsNow()
      const row = await deps?.db.uploads.get(uploadId)
      if (deps === null || row === undefined || isOver(row)) return false
      if (await giveUpUseless(deps, row, asked)) return false
      const planned = await plan(deps, row, stretches)
      if (!planned.ok) return false
      const made = await rowOf(deps, row, stretches, planned.value)
      return made.ok && (await add(deps, made.value, planned.value.excerpt))
    },
  }
}

/** Several pictures are as good as no index. */
async function readIndex(file: File): Promise<Result<VideoIndex, NoPart>> {
  const index = await videoIndexOf(fileSource(file))
  return index.ok && index.value.pictures > 1 ? noPart('excerpt/several-pictures') : index
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
  readonly index: VideoIndex
  readonly excerpt: ComposedFile
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
  composed: ComposedFile,
): Promise<boolean> {
  try {
    return await db.transaction('rw', db.uploads, db.excerpts, async () => {
      const present = await excerptsOf(db, row.excerpt?.uploadId ?? '')
      if (present.some((each) => holdAll(heldBy(each), heldBy(row)))) return false
      await db.excerpts.add(composedRow(row.id, composed))
      await db.uploads.add(row)
      return true
    })
  } catch (thrown) {
    // Its edits wait for the whole.
    log.warn('an excerpt could not be saved', describeBug(thrown))
    return false
  }
}
