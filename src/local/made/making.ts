import { plainlyNamed } from '#recipes/plain-names.ts'
import type { MadeBytes } from './made-bytes.ts'
import type { MakeProgress, MakeRequest, MadeFile } from './make.ts'
import { readMakeRight, type MakeRight } from './rights.ts'
import {
  createPieceKeeper,
  forgetUnwritten,
  type PieceKeeper,
  type Unwritten,
} from './piece-keeper.ts'
import { missingBytes, neededBytes } from './room.ts'
import type { AccountDb } from '#src/local/db/account-db.ts'
import type { OpenFiles } from '#src/local/db/account-files.ts'
import { readFoundMoments } from '#src/local/db/found-moments.ts'
import { FACTS, readFact, writeFact } from '#src/local/db/facts.ts'
import { isNoRoom } from '#src/local/db/no-room.ts'
import type { MadeFailureCode, MadeFileRow, UploadRow } from '#src/local/db/rows.ts'
import type { PreviewVideo } from '#src/local/previews/preview.ts'
import type { MediaApi } from '#src/local/probe/api.ts'
import type { UploadLocks } from '#src/local/uploads/ports.ts'
import { describeBug } from '#src/lib/describe-bug.ts'
import type { Ids } from '#src/lib/ids.ts'
import type { Log } from '#src/lib/log.ts'
import { err, ok, type Result } from '#src/lib/result.ts'
import type { Clock } from '#src/lib/time.ts'

/** Which edit is to be made of which video. */
export interface MakeWish extends Pick<MakeRequest, 'slug' | 'payload'> {
  readonly video: PreviewVideo
  readonly videoName: string
  readonly editName: string
  /** The device edit that it takes the place of; null for a new one. */
  readonly againId: string | null
  /** Goes on with that one, from its kept pieces: it has the same options and moments. */
  readonly goesOn?: boolean
  /** What the server found in the video; left out = what this device found, where it has. */
  readonly moments?: MakeRequest['moments']
}

/** Why nothing was begun. */
export type MakeRefusal =
  /** This page, or another tab, makes an edit. */
  | { readonly code: 'made/busy' }
  | { readonly code: 'made/no-right'; readonly right: Exclude<MakeRight, 'granted'> | null }
  | { readonly code: 'made/no-room'; readonly missingBytes: number }
  /** This browser has no file system of its own, or no account is open. */
  | { readonly code: 'made/not-here' }
  | { readonly code: MadeFailureCode }

/** What this page makes now. */
export interface Making {
  readonly id: string
  /** Of what is kept until the first report; null where that is nothing. */
  readonly progress: MakeProgress | null
  /** Some of what was finished of it could not be used and is made again: it fell back. */
  readonly hasFallenBack: boolean
}

export interface MakerDeps {
  readonly media: Pick<MediaApi, 'make'> & { cancel(id: string): unknown }
  readonly account: () => { readonly userId: string; readonly db: AccountDb } | null
  /** Null where the browser has no file system of its own. */
  readonly files: OpenFiles | null
  /** Of the browser, as far as it has them. */
  readonly storage: {
    readonly estimate?: () => Promise<StorageEstimate>
    readonly persist?: () => Promise<boolean>
  }
  readonly locks: Pick<UploadLocks, 'withLock' | 'withFreeLock'>
  readonly ids: Ids
  readonly clock: Pick<Clock, 'now'>
  readonly log: Log
}

/** Where one account's device edits are. */
export interface Shelf {
  readonly userId: string
  readonly db: AccountDb
  readonly bytes: MadeBytes
  readonly unwritten: Unwritten
}

/** What becomes of a wish. */
export interface Reports {
  readonly begun: (answer: Result<string, MakeRefusal>) => void
  readonly report: (making: Making | null) => void
  readonly signal: AbortSignal
}

/**
 * Makes one device edit while none is made elsewhere. Never rejects; answers `begun` in any case.
 */
export async function makeUnderLock(
  deps: MakerDeps,
  own: Shelf,
  wish: MakeWish,
  on: Reports,
): Promise<void> {
  const work = async (): Promise<true> => {
    await make(deps, own, wish, on).finally(() => on.report(null))
    return true
  }
  try {
    const ran = await deps.locks.withFreeLock(makeLock(own.userId), work)
    if (ran === null) on.begun(err({ code: 'made/busy' }))
  } catch (thrown) {
    deps.log.error('an edit could not be made on this device', describeBug(thrown))
    on.begun(err({ code: 'made/not-saved' }))
  }
}

/** Waits until nothing is made, then does `settleLeft`. */
export async function settleUnderLock(
  { locks }: Pick<MakerDeps, 'locks'>,
  own: Shelf,
  signal: AbortSignal,
): Promise<void> {
  await locks.withLock(makeLock(own.userId), signal, () => settleLeft(own))
}

/** The lock under which one edit at a time is made. */
function makeLock(userId: string): string {
  return `make:${userId}`
}

/** Asks everything that speaks against it, then makes the edit. Under the lock. */
async function make(deps: MakerDeps, own: Shelf, wish: MakeWish, on: Reports): Promise<void> {
  const request: MakeRequest = {
    slug: wish.slug,
    payload: wish.payload,
    source: wish.video.source,
    moments: wish.moments ?? (await readFoundMoments(own.db, wish.video))?.moments ?? [],
  }
  await settleLeft(own)
  const refusal = await refusalOf(deps, own, wish, request)
  if (refusal !== null) return on.begun(err(refusal))
  const opened = await wish.video.open()
  if (!opened.ok) return on.begun(err({ code: opened.error.code }))
  if (on.signal.aborted) return on.begun(err({ code: 'probe/cancelled' }))
  const row = await rowOf(deps, own, wish, request)
  await own.db.madeFiles.put(row)
  on.report({ id: row.id, progress: row.kept ?? null, hasFallenBack: false })
  on.begun(ok(row.id))
  const pieces = createPieceKeeper(
    { ...own, log: deps.log, onFull: () => deps.media.cancel(row.id) },
    row.id,
    row.kept ?? null,
  )
  const ended = new AbortController()
  // What the worker said before its answer may come after it, by another port.
  const report = (progress: MakeProgress): void => {
    if (ended.signal.aborted) return
    on.report({ id: row.id, progress, hasFallenBack: pieces.hasFallenBack(progress) })
  }
  const tried = { file: opened.value, request, row, pieces, report, signal: on.signal }
  const made = await makeInTries(deps, tried)
  ended.abort()
  await pieces.end()
  if (made.ok && !on.signal.aborted) return finish(deps, own, row, request, made.value)
  if (pieces.isFull() && !on.signal.aborted) return leaveFull(deps, own, row, request)
  if (made.ok || made.error.code === 'probe/cancelled') return removeAll(own, row.id)
  await leaveFailed(own, row, { kind: 'failed', code: made.error.code })
}

/** How often the worker of one edit is started; then its device seems to be unable to make it. */
const MOST_TRIES = 3

interface Tried {
  readonly file: File
  readonly request: MakeRequest
  readonly row: MadeFileRow
  readonly pieces: PieceKeeper
  readonly report: (progress: MakeProgress) => void
  readonly signal: AbortSignal
}

/**
 * Makes the edit in a worker, and in another one where it dies: from the kept pieces, the last time
 * one rung lower, where there is one.
 */
async function makeInTries(
  { media }: MakerDeps,
  { file, request, row: { id, bytesKey = id }, pieces, report, signal }: Tried,
): Promise<Result<readonly MadeFile[], { readonly code: MadeFailureCode }>> {
  for (let tries = 1; tries <= MOST_TRIES; tries += 1) {
    const options = { id, bytesKey, from: pieces.rung(), isLower: tries === MOST_TRIES }
    const made = await media.make(file, request, options, report, pieces)
    if (signal.aborted || pieces.isFull()) return made.ok ? made : cancelled
    if (made.ok || !DEATHS.has(made.error.code)) return made
  }
  return err({ code: 'made/worker-died' })
}

const cancelled = err({ code: 'probe/cancelled' } as const)

/** What the page says of a worker that is no more, or hangs. */
const DEATHS: ReadonlySet<MadeFailureCode> = new Set(['probe/engine-crashed', 'probe/timeout'])

/** Its row, its files and its pieces. */
export async function removeAll({ db, bytes, unwritten }: Shelf, id: string): Promise<void> {
  forgetUnwritten(unwritten, id)
  await db.madeFiles.delete(id)
  await bytes.remove(id)
}

/** Its pieces stay: a person can go on with it. */
async function leaveFailed(
  { db }: Shelf,
  { id }: MadeFileRow,
  state: Extract<MadeFileRow['state'], { kind: 'failed' }>,
): Promise<void> {
  await db.madeFiles.update(id, { state })
}

async function leaveFull(
  { storage }: MakerDeps,
  own: Shelf,
  row: MadeFileRow,
  request: MakeRequest,
): Promise<void> {
  const needed = neededBytes(request)
  // Some browsers say that there is room although the disk itself has none.
  const missing = missingBytes(needed, (await storage.estimate?.()) ?? {}) || needed
  await leaveFailed(own, row, { kind: 'failed', code: 'made/no-space', missingBytes: missing })
}

async function refusalOf(
  { clock, storage }: MakerDeps,
  { db }: Shelf,
  { againId }: MakeWish,
  request: MakeRequest,
): Promise<MakeRefusal | null> {
  const right = await readMakeRight(db, clock.now(), againId)
  if (right !== 'granted') return { code: 'made/no-right', right }
  const missing = missingBytes(neededBytes(request), (await storage.estimate?.()) ?? {})
  return missing > 0 ? { code: 'made/no-room', missingBytes: missing } : null
}

/** The row of a new device edit, or of one that goes on or takes the place of another one. */
async function rowOf(
  { ids, clock }: MakerDeps,
  { db, bytes, unwritten }: Shelf,
  { video, videoName, slug, payload, editName, againId, goesOn = false }: MakeWish,
  { moments }: MakeRequest,
): Promise<MadeFileRow> {
  const before = againId === null ? undefined : await db.madeFiles.get(againId)
  if (againId !== null && !goesOn) {
    forgetUnwritten(unwritten, againId)
    await bytes.removePieces(againId)
  }
  const upload = await db.uploads.get(video.uploadId)
  return {
    id: againId ?? ids.uuid(),
    uploadId: video.uploadId,
    videoName,
    slug,
    payload,
    editName,
    state: { kind: 'making' },
    moments,
    bytesKey: (upload && bytesKeyOf(upload)) ?? video.uploadId,
    kept: goesOn ? (before?.kept ?? null) : null,
    createdAtEpochMs: clock.now(),
    seenAtEpochMs: null,
  }
}

/** Says which bytes the file of an upload has; null where its fingerprint is not known. */
function bytesKeyOf({ file, fingerprint }: UploadRow): string | null {
  return fingerprint === null ? null : [file.sizeBytes, fingerprint.head, fingerprint.tail].join()
}

/** Whether a device edit is of the video of an upload, also where it was chosen again. */
export function isOfUpload(
  { uploadId, bytesKey }: Pick<MadeFileRow, 'uploadId' | 'bytesKey'>,
  upload: UploadRow,
): boolean {
  return uploadId === upload.id || (bytesKey !== undefined && bytesKey === bytesKeyOf(upload))
}

/** Keeps the files first: a row that says ready has all of them. */
async function finish(
  deps: MakerDeps,
  own: Shelf,
  row: MadeFileRow,
  request: MakeRequest,
  made: readonly MadeFile[],
): Promise<void> {
  const { db, bytes, unwritten } = own
  const { id } = row
  try {
    await bytes.write(id, made)
  } catch (thrown) {
    deps.log.warn('the files of an edit could not be kept', describeBug(thrown))
    if (isNoRoom(thrown)) return leaveFull(deps, own, row, request)
    return leaveFailed(own, row, { kind: 'failed', code: 'made/not-saved' })
  }
  const isPlain = (await readFact(db, FACTS.profile))?.value.discreet === true
  const named = isPlain ? plainlyNamed(made, { jobId: id, edit: 1 }) : made
  const files = named.map(({ fileName, contentType, blob }) => ({
    fileName,
    contentType,
    sizeBytes: blob.size,
  }))
  await db.transaction('rw', db.madeFiles, db.facts, async () => {
    await db.madeFiles.update(id, { state: { kind: 'ready', files }, kept: null })
    const finished = (await readFact(db, FACTS.deviceEdits))?.value ?? []
    if (!finished.includes(id))
      await writeFact(db, FACTS.deviceEdits, [...finished, id], deps.clock.now())
  })
  forgetUnwritten(unwritten, id)
  await bytes.removePieces(id)
  // Some browsers ask the person; a refusal changes nothing.
  await deps.storage.persist?.().catch(() => false)
}

/**
 * What says that it is being made while this context holds the lock was left by another one. The
 * pieces of what was not finished stay while its row does, and there is one edit of them at most.
 */
async function settleLeft({ db, bytes }: Shelf): Promise<void> {
  const state = { kind: 'failed', code: 'made/unfinished' } as const
  await db.madeFiles.filter((row) => row.state.kind === 'making').modify({ state })
  const idsOf = async (kind: MadeFileRow['state']['kind']): Promise<ReadonlySet<string>> =>
    new Set(await db.madeFiles.filter((row) => row.state.kind === kind).primaryKeys())
  await bytes.keepOnly(await idsOf('ready'), await idsOf('failed'))
}
