import { followRules, readKeeping } from './commands.ts'
import { fetchStep, type FetchStepDeps } from './fetch-step.ts'
import type { KeptBytes } from './kept-bytes.ts'
import { limitOf, roomFor, type Estimate } from './room.ts'
import type { AccountDb } from '#src/local/db/account-db.ts'
import { FACTS, readFact } from '#src/local/db/facts.ts'
import { subscribeLive } from '#src/local/db/live.ts'
import { startLiveLoop, type LiveLoopParts } from '#src/local/db/live-loop.ts'
import { isNoRoom } from '#src/local/db/no-room.ts'
import type { KeptFileFault, KeptFileRow } from '#src/local/db/rows.ts'
import { backoffMs } from '#src/lib/backoff.ts'
import { describeBug } from '#src/lib/describe-bug.ts'
import type { Locks } from '#src/lib/locks.ts'
import type { Log } from '#src/lib/log.ts'
import { MINUTE_MS, SECOND_MS } from '#src/lib/time.ts'

/** Another tab gets files: when it closes, this one goes on. */
const LOOK_AGAIN_MS = 5 * SECOND_MS
const AFTER_TROUBLE = { firstDelayMs: 2 * SECOND_MS, maxDelayMs: MINUTE_MS }

export interface KeepLoopDeps extends FetchStepDeps {
  readonly db: AccountDb
  readonly bytes: KeptBytes
  readonly locks: Locks
  readonly log: Log
  /** 0 <= value < 1 */
  readonly random: () => number
  readonly estimate: () => Promise<Estimate>
}

export interface KeepLoop {
  /** The network or the session came back: ends waits early. */
  poke(): void
  /** Ends the loop and waits for what is under way to end. */
  stop(): Promise<void>
}

/**
 * Gets the files that this device is to keep, one after the other and in one of all tabs, whenever
 * rows, rules or results change. Goes on where an earlier page or a broken line has left off.
 */
export function startKeepLoop(deps: KeepLoopDeps): KeepLoop {
  const { clock, db, log } = deps
  const look = createLook(deps)
  const loop = startLiveLoop({
    clock,
    watch: () => watchedState(db),
    onWatchFailed: () => log.warn('the kept files cannot be watched'),
    turn: (signal) =>
      look(signal).catch((thrown: unknown) => {
        if (!signal.aborted) log.error('keeping files failed', describeBug(thrown))
        return MINUTE_MS
      }),
  })
  return { poke: loop.rouse, stop: loop.stop }
}

/** One look at what there is to do. Resolves with after how long to look again; null: at news. */
function createLook(deps: KeepLoopDeps): LiveLoopParts['turn'] {
  const { db, locks, userId } = deps
  let isChecked = false
  let failures = 0
  return async (signal) => {
    await followRules(deps)
    // Nothing was ever kept here: neither a lock nor the browser's files are touched.
    if ((await db.keptFiles.count()) === 0) return null
    let delayMs: number | null = null
    const ran = await locks.ifFree(`onecut-keep-${userId}`, async () => {
      if (!isChecked) await checkAgainstFiles(deps)
      isChecked = true
      for (let row = await findNext(db); row !== null; row = await findNext(db)) {
        const got = await getFile(deps, row, signal)
        failures = got.kind === 'later' ? failures + 1 : 0
        if (got.kind !== 'later') continue
        delayMs = backoffMs(AFTER_TROUBLE, failures, deps.random(), got.retryAfterMs)
        return
      }
    })
    if (ran) return delayMs
    return (await findNext(db)) === null ? null : LOOK_AGAIN_MS
  }
}

/**
 * The browser may remove files, and a page may end between a row and its file: rows say what is
 * here, and files without a row go.
 */
async function checkAgainstFiles({ db, bytes }: KeepLoopDeps): Promise<void> {
  // First the files: each that is written has a row before.
  const present = await bytes.list()
  const rows = await db.keptFiles.toArray()
  const known = new Set(rows.map(({ outputId }) => outputId))
  for (const outputId of present)
    if (!known.has(outputId)) await bytes.remove(outputId).catch(() => undefined)
  for (const { outputId, state, sizeBytes, gotBytes, handed } of rows) {
    if (handed !== undefined) continue
    const found = await bytes.count(outputId, sizeBytes)
    if (state === 'kept' && found < sizeBytes) await fail(db, outputId, 'removed', found)
    else if (found !== gotBytes) await db.keptFiles.update(outputId, { gotBytes: found })
  }
}

/**
 * The file under way, else the one that has waited for the longest time; null: none. What the
 * browser gets is left to it.
 */
async function findNext(db: AccountDb): Promise<KeptFileRow | null> {
  const rows = (await db.keptFiles.toArray()).filter(({ handed }) => handed === undefined)
  const under = rows.find(({ state }) => state === 'getting')
  const [first] = rows
    .filter(({ state }) => state === 'queued')
    .toSorted((one, other) => one.queuedAtEpochMs - other.queuedAtEpochMs)
  return under ?? first ?? null
}

type Got =
  /** It is here, or it failed for good, or it is not wanted any more. */
  { readonly kind: 'over' } | { readonly kind: 'later'; readonly retryAfterMs: number | null }

/** Gets what is missing of a file. */
async function getFile(deps: KeepLoopDeps, row: KeptFileRow, ending: AbortSignal): Promise<Got> {
  const { db, bytes } = deps
  const { outputId, sizeBytes } = row
  const unwanted = watchRow(deps, outputId)
  const signal = AbortSignal.any([ending, unwanted.signal])
  try {
    let at = await bytes.count(outputId, sizeBytes)
    if (!(await hasRoom(deps, row, at))) return await fail(db, outputId, 'no-room', at)
    await db.keptFiles.update(outputId, { state: 'getting', gotBytes: at })
    while (at < sizeBytes) {
      const step = await fetchStep(deps, row, at, signal)
      if (!step.ok)
        return step.error.code === 'kept/fault'
          ? await fail(db, outputId, step.error.fault, at)
          : { kind: 'later', retryAfterMs: step.error.retryAfterMs }
      await bytes.write(outputId, at, step.value)
      signal.throwIfAborted()
      at += step.value.size
      await db.keptFiles.update(outputId, { gotBytes: at })
    }
    await db.keptFiles.update(outputId, { state: 'kept', gotBytes: sizeBytes })
    return { kind: 'over' }
  } catch (thrown) {
    ending.throwIfAborted()
    if (unwanted.signal.aborted) return { kind: 'over' }
    return await fail(db, outputId, isNoRoom(thrown) ? 'no-room' : 'unwritable', null)
  } finally {
    unwanted.end()
    await removeUnwanted(deps, outputId)
  }
}

/** Asked before each file: below the limit, and free on the device. */
async function hasRoom(deps: KeepLoopDeps, row: KeptFileRow, gotBytes: number): Promise<boolean> {
  const [all, keeping, estimate] = await Promise.all([
    deps.db.keptFiles.toArray(),
    readKeeping(deps.db),
    deps.estimate(),
  ])
  // Those behind it in line take no room from it.
  const files = all.filter(
    ({ outputId, state }) => outputId !== row.outputId && (state === 'kept' || state === 'getting'),
  )
  const room = { files, limitBytes: limitOf(keeping, estimate), estimate }
  return roomFor(room, row.sizeBytes, gotBytes).kind === 'fits'
}

async function fail(
  db: AccountDb,
  outputId: string,
  fault: KeptFileFault,
  gotBytes: number | null,
): Promise<Got> {
  const got = gotBytes === null ? {} : { gotBytes }
  await db.keptFiles.update(outputId, { state: 'failed', fault, ...got })
  return { kind: 'over' }
}

/** A signal that says that the row of a file has gone. */
function watchRow({ db }: KeepLoopDeps, outputId: string) {
  const gone = new AbortController()
  const stop = subscribeLive(() => db.keptFiles.get(outputId), {
    next: (row) => {
      if (row === undefined) gone.abort()
    },
    // The database was taken away, which ends this loop.
    error: () => undefined,
  })
  return { signal: gone.signal, end: stop }
}

/** What was written while its row went. */
async function removeUnwanted({ db, bytes }: KeepLoopDeps, outputId: string): Promise<void> {
  if (!db.isOpen() || (await db.keptFiles.get(outputId)) !== undefined) return
  await bytes.remove(outputId).catch(() => undefined)
}

/** What can give the loop something to do. */
async function watchedState(db: AccountDb): Promise<string> {
  // Not by `readKeeping`: in browsers a live query does not watch what it reads behind an async
  // function that awaits another one.
  const [rows, keeping] = await Promise.all([db.keptFiles.toArray(), readFact(db, FACTS.keeping)])
  const rules = keeping?.value.rules ?? []
  const jobs = await Promise.all(
    rules.map(({ uploadRequestId }) =>
      db.mediaJobs.where('uploadRequestId').equals(uploadRequestId).toArray(),
    ),
  )
  const made = jobs.flat().map(({ value }) => value.tasks.map(({ _id, status }) => [_id, status]))
  return JSON.stringify([rows.map(({ outputId, state }) => [outputId, state]), rules, made])
}
