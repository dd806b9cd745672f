import { plainlyNamed } from '#recipes/plain-names.ts'
import { createMadeBytes, type MadeBytes } from './made-bytes.ts'
import type { MakeProgress, MakeRequest, MadeFile } from './make.ts'
import { readMakeRight, type MakeRight } from './rights.ts'
import { missingBytes, mostBytes } from './room.ts'
import type { AccountDb } from '#src/local/db/account-db.ts'
import type { OpenFiles } from '#src/local/db/account-files.ts'
import { readFoundMoments } from '#src/local/db/found-moments.ts'
import { FACTS, readFact, writeFact } from '#src/local/db/facts.ts'
import type { MadeFailureCode, MadeFileRow } from '#src/local/db/rows.ts'
import type { PreviewVideo } from '#src/local/previews/preview.ts'
import type { MediaApi } from '#src/local/probe/api.ts'
import type { UploadLocks } from '#src/local/uploads/ports.ts'
import { describeBug } from '#src/lib/describe-bug.ts'
import type { Ids } from '#src/lib/ids.ts'
import type { Log } from '#src/lib/log.ts'
import { err, ok, type Result } from '#src/lib/result.ts'
import { createSettable, type Subscribable } from '#src/lib/subscribable.ts'
import type { Clock } from '#src/lib/time.ts'

/** Which edit is to be made of which video. */
export interface MakeWish extends Pick<MakeRequest, 'slug' | 'payload'> {
  readonly video: PreviewVideo
  readonly videoName: string
  readonly editName: string
  /** The device edit that it takes the place of; null for a new one. */
  readonly againId: string | null
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
  /** Null until the first report. */
  readonly progress: MakeProgress | null
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

/**
 * Makes device edits, one at a time of all tabs (lock `make:<userId>`), and keeps what becomes of
 * them: a row in `madeFiles`, bytes in the browser's file system. Goes on while the page stands.
 */
export interface Maker extends Subscribable<Making | null> {
  /** Resolves with the id of the device edit once its making has begun. */
  start(wish: MakeWish): Promise<Result<string, MakeRefusal>>
  /** Gives up what is being made, and removes its row. */
  cancel(): void
  /**
   * Waits until no context makes anything, then writes down what a page left that went in the
   * middle: its row says so, and its files go. Rejects with the signal's reason.
   */
  settle(signal: AbortSignal): Promise<void>
  /** One file of a finished device edit; null where the browser removed it, which is noted. */
  open(row: MadeFileRow, index: number): Promise<File | null>
  /** Removes a device edit from this device. */
  remove(id: string): Promise<void>
  /** Gives up what is being made and waits for its end. */
  stop(): Promise<void>
}

/** Where one account's device edits are. */
interface Shelf {
  readonly userId: string
  readonly db: AccountDb
  readonly bytes: MadeBytes
}

export function createMaker(deps: MakerDeps): Maker {
  const making = createSettable<Making | null>(null)
  const ends = new Set<AbortController>()
  let runs: Promise<unknown> = Promise.resolve()
  const shelf = (): Shelf | null => shelfOf(deps)
  const cancel = (): void => {
    for (const end of ends) end.abort()
    const now = making.current()
    if (now !== null) deps.media.cancel(now.id)
  }
  return {
    current: making.current,
    subscribe: making.subscribe,
    start: async (wish) => {
      const own = shelf()
      if (own === null) return err({ code: 'made/not-here' })
      const begun = Promise.withResolvers<Result<string, MakeRefusal>>()
      const end = new AbortController()
      ends.add(end)
      const on = { begun: begun.resolve, report: making.become, signal: end.signal }
      const ran = makeUnderLock(deps, own, wish, on).finally(() => ends.delete(end))
      // What is refused because another edit is made must not take its place.
      runs = Promise.all([runs, ran])
      return begun.promise
    },
    cancel,
    settle: async (signal) => {
      const own = shelf()
      if (own !== null)
        await deps.locks.withLock(makeLock(own.userId), signal, () => settleLeft(own))
    },
    open: async (row, index) => {
      const own = shelf()
      return own === null ? null : openMade(own, row, index)
    },
    remove: async (id) => {
      const own = shelf()
      await own?.db.madeFiles.delete(id)
      await own?.bytes.remove(id)
    },
    stop: async () => {
      cancel()
      await runs
    },
  }
}

function shelfOf({ account, files }: MakerDeps): Shelf | null {
  const open = account()
  if (open === null || files === null) return null
  return {
    userId: open.userId,
    db: open.db,
    bytes: createMadeBytes(files, open.userId, open.db.keys),
  }
}

async function openMade({ db, bytes }: Shelf, row: MadeFileRow, index: number) {
  const facts = row.state.kind === 'ready' ? row.state.files[index] : undefined
  if (facts === undefined) return null
  const file = await bytes.open(row.id, index, facts.sizeBytes)
  // By reference: the browser's own file has neither the name nor the type.
  if (file !== null) return new File([file], facts.fileName, { type: facts.contentType })
  await db.madeFiles.update(row.id, { state: { kind: 'gone' } })
  return null
}

/** Never rejects; answers `begun` in any case. */
async function makeUnderLock(
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

/** The lock under which one edit at a time is made. */
function makeLock(userId: string): string {
  return `make:${userId}`
}

interface Reports {
  readonly begun: (answer: Result<string, MakeRefusal>) => void
  readonly report: (making: Making | null) => void
  readonly signal: AbortSignal
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
  const row = rowOf(wish, wish.againId ?? deps.ids.uuid(), deps.clock.now())
  await own.db.madeFiles.put(row)
  on.report({ id: row.id, progress: null })
  on.begun(ok(row.id))
  const { id } = row
  const made = await deps.media.make(opened.value, request, { id }, (progress) =>
    on.report({ id, progress }),
  )
  if (made.ok && !on.signal.aborted) return keep(deps, own, row, made.value)
  await (made.ok || made.error.code === 'probe/cancelled'
    ? own.db.madeFiles.delete(id)
    : own.db.madeFiles.update(id, { state: { kind: 'failed', code: made.error.code } }))
}

async function refusalOf(
  { clock, storage }: MakerDeps,
  { db }: Shelf,
  { againId }: MakeWish,
  request: MakeRequest,
): Promise<MakeRefusal | null> {
  const right = await readMakeRight(db, clock.now(), againId)
  if (right !== 'granted') return { code: 'made/no-right', right }
  const missing = missingBytes(mostBytes(request), (await storage.estimate?.()) ?? {})
  return missing > 0 ? { code: 'made/no-room', missingBytes: missing } : null
}

function rowOf(wish: MakeWish, id: string, nowEpochMs: number): MadeFileRow {
  const { video, videoName, slug, payload, editName } = wish
  return {
    id,
    uploadId: video.uploadId,
    videoName,
    slug,
    payload,
    editName,
    state: { kind: 'making' },
    createdAtEpochMs: nowEpochMs,
    seenAtEpochMs: null,
  }
}

/** Keeps the files first: a row that says ready has all of them. */
async function keep(
  { storage, clock, log }: MakerDeps,
  { db, bytes }: Shelf,
  { id }: MadeFileRow,
  made: readonly MadeFile[],
): Promise<void> {
  try {
    await bytes.write(id, made)
  } catch (thrown) {
    log.warn('the files of an edit could not be kept', describeBug(thrown))
    const isFull = thrown instanceof DOMException && thrown.name === 'QuotaExceededError'
    const code = isFull ? 'made/no-space' : 'made/not-saved'
    await db.madeFiles.update(id, { state: { kind: 'failed', code } })
    return
  }
  const isPlain = (await readFact(db, FACTS.profile))?.value.discreet === true
  const named = isPlain ? plainlyNamed(made, { jobId: id, edit: 1 }) : made
  const files = named.map(({ fileName, contentType, blob }) => ({
    fileName,
    contentType,
    sizeBytes: blob.size,
  }))
  await db.transaction('rw', db.madeFiles, db.facts, async () => {
    await db.madeFiles.update(id, { state: { kind: 'ready', files } })
    const finished = (await readFact(db, FACTS.deviceEdits))?.value ?? []
    if (!finished.includes(id))
      await writeFact(db, FACTS.deviceEdits, [...finished, id], clock.now())
  })
  // Some browsers ask the person; a refusal changes nothing.
  await storage.persist?.().catch(() => false)
}

/** What says that it is being made while this context holds the lock was left by another one. */
async function settleLeft({ db, bytes }: Shelf): Promise<void> {
  const state = { kind: 'failed', code: 'made/unfinished' } as const
  await db.madeFiles.filter((row) => row.state.kind === 'making').modify({ state })
  const ready = await db.madeFiles.filter((row) => row.state.kind === 'ready').primaryKeys()
  await bytes.keepOnly(new Set(ready))
}
