import { downloadRequest, isAnswering, type FetchStepDeps } from './fetch-step.ts'
import { STEP_BYTES, type KeptBytes } from './kept-bytes.ts'
import { fitsTwice, type Estimate } from './room.ts'
import type { AccountDb } from '#src/local/db/account-db.ts'
import { startLiveLoop, type LiveLoop } from '#src/local/db/live-loop.ts'
import type { HandedFile, KeptFileRow } from '#src/local/db/rows.ts'
import { lookAtWork, type WorkSeen } from '#src/lib/browser-work.ts'
import { describeBug } from '#src/lib/describe-bug.ts'
import type { Locks } from '#src/lib/locks.ts'
import type { Log } from '#src/lib/log.ts'
import { MINUTE_MS, SECOND_MS } from '#src/lib/time.ts'

/**
 * [Note: got by the browser] Where the browser has Background Fetch, a press gives it the rest of a
 * file as one request, which goes on with the app closed; the service worker copies what has come
 * (`copy-fetched.ts`). The row says so (`handed`) from before the browser is asked until the copy
 * is whole or given up, and the loop leaves it alone: nothing is got twice. Pages follow what the
 * browser does, and take the file back where it does not get it ([Note: work of the browser] in
 * `src/lib/browser-work.ts`). Chromium gets one after the other: while one of them moves, the
 * others stand in line, not still.
 *
 * Only by a press: without one, browsers ask the person after the first file. Not what is one step
 * or less, which the loop has sooner than the browser begins; and not for an account with an app
 * lock, because the browser's own copy is not sealed and the service worker has no key.
 */

/** The browser's own downloads, by ids that the app gives them, as a page has them. */
export interface BrowserGetter {
  /** Whether it gets one without asking the person. */
  mayBegin(): boolean
  /** False where the browser refuses, or does not answer. */
  begin(id: string, request: Request, bytes: number): Promise<boolean>
  /** What has come of one; null where the browser knows nothing of it. */
  comeBytes(id: string): Promise<number | null>
  /**
   * Ends those with this beginning, and removes what has come. Idempotent; never rejects, and does
   * not wait for a browser that does not answer.
   */
  end(idPrefix: string): Promise<void>
}

/** Registrations outlive versions of the app: never change it. */
export const KEPT_FETCHES = 'onecut-kept:'

/** With what the ids of an account's downloads begin, or of one file's. */
export function keptFetchesOf(userId: string, outputId?: string): string {
  const own = `${KEPT_FETCHES}${userId}:`
  return outputId === undefined ? own : `${own}${outputId}:`
}

/** Each handing has an id of its own: the end of an earlier one says nothing of it. */
function keptFetchId(
  userId: string,
  outputId: string,
  { atEpochMs }: Pick<HandedFile, 'atEpochMs'>,
): string {
  return `${keptFetchesOf(userId, outputId)}${atEpochMs}`
}

export interface ByBrowserDeps extends FetchStepDeps {
  readonly db: AccountDb
  readonly bytes: KeptBytes
  readonly locks: Locks
  readonly log: Log
  readonly estimate: () => Promise<Estimate>
  /** Null where the browser gets none. */
  readonly getter: BrowserGetter | null
}

/**
 * Has a file got by the browser where it can. Call it from a press.
 * @param write the row, with what it is given, null for the loop; says whether it did
 */
export async function getByBrowser(
  deps: ByBrowserDeps,
  file: Pick<KeptFileRow, 'outputId' | 'sizeBytes'>,
  write: (handed: HandedFile | null) => Promise<boolean>,
): Promise<void> {
  const { db, getter } = deps
  const handed = await offer(deps, file)
  // Another press or tab was sooner where it is not written: what that began is left alone.
  if (!(await write(handed)) || handed === null) return
  const row = await db.keptFiles.get(file.outputId)
  if (row?.handed?.atEpochMs !== handed.atEpochMs) return
  const request = downloadRequest(deps, row, { fromBytes: handed.fromBytes })
  const id = keptFetchId(deps.userId, row.outputId, handed)
  const isTaken = await getter?.begin(id, request, row.sizeBytes - handed.fromBytes)
  if (isTaken !== true) return settle(db, { ...row, handed }, { state: 'queued' })
  // It may have been stopped meanwhile, or its account left, before the browser had begun.
  const now = await db.keptFiles.get(row.outputId).catch(() => undefined)
  if (now?.handed?.atEpochMs !== handed.atEpochMs) await getter?.end(id)
}

/** Null where the loop is to get it. */
async function offer(
  { db, bytes, clock, getter, estimate }: ByBrowserDeps,
  { outputId, sizeBytes }: Pick<KeptFileRow, 'outputId' | 'sizeBytes'>,
): Promise<HandedFile | null> {
  if (getter?.mayBegin() !== true || db.keys !== null) return null
  const fromBytes = await bytes.count(outputId, sizeBytes)
  const missing = sizeBytes - fromBytes
  if (missing <= STEP_BYTES) return null
  const files = await db.keptFiles.where('outputId').notEqual(outputId).toArray()
  const fits = fitsTwice({ files, estimate: await estimate() }, missing)
  return fits ? { fromBytes, atEpochMs: clock.now() } : null
}

/** A file as it was given to the browser. */
export type HandedRow = KeptFileRow & { readonly handed: HandedFile }

/**
 * Ends that the browser gets a file; `queued` gives it back to the loop. Not where it was taken
 * back and given to the browser again meanwhile.
 */
export async function settle(
  db: AccountDb,
  { outputId, handed: { atEpochMs } }: Pick<HandedRow, 'outputId' | 'handed'>,
  end: Pick<KeptFileRow, 'state'> & Partial<Pick<KeptFileRow, 'fault' | 'gotBytes'>>,
): Promise<void> {
  await db.keptFiles
    .where('outputId')
    .equals(outputId)
    .and(({ handed }) => handed?.atEpochMs === atEpochMs)
    .modify((row: { -readonly [Key in keyof KeptFileRow]: KeptFileRow[Key] }) => {
      Object.assign(row, end)
      delete row.handed
    })
}

/** Gives the loop what was given to the browser, whose downloads end beside this. */
export async function takeAllBack(db: AccountDb): Promise<void> {
  for (const row of await handedRows(db)) await settle(db, row, { state: 'queued' })
}

/** Held while the service worker copies a file, and while it is taken back. */
export function handedLock(userId: string, outputId: string): string {
  return `onecut-keep-${userId}:${outputId}`
}

/** The service worker begins its copy within this time; the browser has forgotten the file then. */
const FORGOTTEN_MS = 10 * SECOND_MS

/** Follows what the browser gets, in every page: how much has come, and what to take back. */
export function followBrowser(deps: ByBrowserDeps): LiveLoop {
  const { clock, db, log } = deps
  /** By the ids of downloads; of what is handed now. */
  let seen: ReadonlyMap<string, WorkSeen> = new Map()
  return startLiveLoop({
    clock,
    watch: async () => JSON.stringify((await handedRows(db)).map(({ outputId }) => outputId)),
    onWatchFailed: () => log.warn('the files that the browser gets cannot be watched'),
    turn: async (signal) => {
      try {
        const found: Found[] = []
        for (const row of await handedRows(db)) {
          const id = keptFetchId(deps.userId, row.outputId, row.handed)
          const comeBytes = (await deps.getter?.comeBytes(id)) ?? null
          found.push({ row, id, comeBytes, last: seen.get(id) })
        }
        const isMoving = found.some(({ comeBytes, last }) => comeBytes !== last?.bytes)
        const now = new Map<string, WorkSeen>()
        for (const each of found) now.set(each.id, await look(deps, each, isMoving))
        seen = now
        return found.length === 0 ? null : SECOND_MS
      } catch (thrown) {
        if (!signal.aborted) log.error('following the browser failed', describeBug(thrown))
        return MINUTE_MS
      }
    },
  })
}

/** A file that is handed now. */
interface Found {
  readonly row: HandedRow
  /** Of its download. */
  readonly id: string
  readonly comeBytes: number | null
  readonly last: WorkSeen | undefined
}

/** @param isMoving whether any file that the browser gets has moved since the last look */
async function look(
  deps: ByBrowserDeps,
  { row, id, comeBytes, last }: Found,
  isMoving: boolean,
): Promise<WorkSeen> {
  const { clock, db, getter } = deps
  const { outputId, handed } = row
  if (comeBytes !== null && comeBytes !== last?.bytes)
    await db.keptFiles.update(outputId, { gotBytes: handed.fromBytes + comeBytes })
  const seen = await lookAtWork(
    { clock, forgottenAfterMs: FORGOTTEN_MS, isAnswering: () => isAnswering(deps, row) },
    comeBytes,
    last,
    isMoving,
  )
  if (seen.isOver || db.keys !== null || getter === null)
    await deps.locks.ifFree(handedLock(deps.userId, outputId), async () => {
      // First the row: an end that this app asks for is no person's.
      await settle(db, row, { state: 'queued' })
      await getter?.end(id)
    })
  return seen
}

async function handedRows(db: AccountDb): Promise<readonly HandedRow[]> {
  const rows = await db.keptFiles.toArray()
  return rows.flatMap((row) => (row.handed === undefined ? [] : [{ ...row, handed: row.handed }]))
}
