/**
 * Which upload of an account works, waits or rests. It is one file because that is decided over all
 * of them at once, under the locks of the note below.
 */
import { driveUpload, type DriveEnd, type DriveStage } from './drive.ts'
import { reduceUpload, type UploadEvent } from '#src/local/uploads/model/machine.ts'
import { isDatabaseLost } from '#src/local/db/database-lost.ts'
import { isWeather, stageOfKind } from '#src/local/db/upload-states.ts'
import { bytesProblemEvent } from '#src/local/uploads/model/problems.ts'
import type { UploadDeps } from '#src/local/uploads/ports.ts'
import { describeBug } from '#src/lib/describe-bug.ts'
import { isAbort } from '#src/lib/abort.ts'
import type { UploadRow } from '#src/local/db/rows.ts'

/** A bug in one upload must not become a busy loop. */
const AFTER_BUG_MS = 5_000

/**
 * Continues every unfinished upload of one account. Several engines may live at the same time
 * (tabs); locks decide which one works.
 */
export interface UploadEngine {
  /** Resumes what is in the database and whatever is added later. Call once. */
  open(): Promise<void>
  /**
   * Holds the file lock while this context has the bytes in memory, so that other contexts do not
   * ask the person for the file.
   */
  announceFile(uploadId: string): void
  /** Resolves when this context can do nothing more. In a page that is never before `close`. */
  idle(): Promise<void>
  /**
   * Starts no further part; resolves when the attempts in flight have ended. Only `close` may
   * follow.
   */
  drain(): Promise<void>
  /** Ends everything; resolves when no request is in flight. */
  close(): Promise<void>
}

/**
 * `background`: no person is present, and the engine ends when it can do no more; see
 * `background.ts`.
 */
export type EngineMode = 'page' | 'background'

/**
 * [Note: upload locks] `upload:<id>`: one driver for each upload. `upload-turn:<account>` (the send
 * lock): one video sends at a time, so that all tabs together send five parts of it at most; the
 * context that asked first is next. `upload-turn-asset:<account>`: the same for assets, because an
 * intro is needed while its video is on its way, which can take hours.
 * `upload-turn-excerpt:<account>`: the same for excerpts, for which all videos stand back.
 * `upload-file:<id>`: held by the context that has the file in memory; other contexts must not ask
 * the person for the file. Tabs of two versions share these locks: never rename them.
 */
export function createUploadEngine(
  deps: UploadDeps,
  userId: string,
  mode: EngineMode = 'page',
): UploadEngine {
  return new Engine(deps, userId, mode === 'background')
}

class Engine implements UploadEngine {
  readonly #deps: UploadDeps
  readonly #sendLocks: Readonly<Record<UploadRow['purpose'], string>>
  readonly #isBackground: boolean
  readonly #closing = new AbortController()
  readonly #draining = new AbortController()
  /** Ends every kind of waiting; only `#closing` ends parts in flight. */
  readonly #over = AbortSignal.any([this.#closing.signal, this.#draining.signal])
  readonly #runners = new Map<string, Promise<void>>()
  readonly #announced = new Set<string>()
  /** Ends the sending of videos in this context, so that an excerpt has the line for itself. */
  #standBack = new AbortController()
  #unwatch = (): void => undefined

  constructor(deps: UploadDeps, userId: string, isBackground: boolean) {
    this.#deps = deps
    this.#sendLocks = {
      'media-job': `upload-turn:${userId}`,
      'media-asset': `upload-turn-asset:${userId}`,
      excerpt: `upload-turn-excerpt:${userId}`,
    }
    this.#isBackground = isBackground
  }

  async open(): Promise<void> {
    const { store } = this.#deps
    const rows = await store.list()
    for (const row of rows.toSorted((a, b) => a.createdAtEpochMs - b.createdAtEpochMs)) {
      if (!this.#isBackground)
        await wakeUp(this.#deps, row).catch((thrown: unknown) => {
          if (isDatabaseLost(thrown)) throw thrown
          // A full disk keeps the others neither from opening nor this one from waking later.
          this.#keep(`wake:${row.id}`, () => this.#wakeUp(row.id))
        })
      this.#adopt(row.id)
    }
    // Uploads that are queued later come with their own sync event.
    if (!this.#isBackground)
      this.#unwatch = store.watchAll((uploadIds) => {
        for (const uploadId of uploadIds) this.#adopt(uploadId)
      })
  }

  announceFile(uploadId: string): void {
    if (this.#announced.has(uploadId)) return
    this.#announced.add(uploadId)
    void this.#deps.locks
      .withLock(fileLock(uploadId), this.#over, () => this.#untilOver(uploadId))
      .catch(() => undefined)
      .finally(() => this.#announced.delete(uploadId))
    this.#adopt(uploadId)
  }

  async idle(): Promise<void> {
    await Promise.allSettled(this.#runners.values())
  }

  async drain(): Promise<void> {
    this.#unwatch()
    this.#draining.abort(new DOMException('the engine drains', 'AbortError'))
    await this.idle()
  }

  async close(): Promise<void> {
    this.#unwatch()
    this.#closing.abort(new DOMException('the engine closes', 'AbortError'))
    await this.idle()
  }

  #adopt(uploadId: string): void {
    this.#keep(uploadId, () => this.#proceed(uploadId))
  }

  /** Begins `work` unless it runs already, and repeats it until it says `left`. */
  #keep(key: string, work: () => Promise<'again' | 'left'>): void {
    if (this.#over.aborted || this.#runners.has(key)) return
    this.#runners.set(
      key,
      this.#repeat(work).finally(() => this.#runners.delete(key)),
    )
  }

  /** What fails on this device, such as a write on a full disk, is tried again after a while. */
  async #repeat(work: () => Promise<'again' | 'left'>): Promise<void> {
    while (!this.#over.aborted) {
      try {
        if ((await work()) === 'left') return
      } catch (thrown) {
        if (this.#over.aborted) return
        if (isAbort(thrown)) continue
        // It does not come back; the host that opened it ends this engine.
        if (isDatabaseLost(thrown)) return
        this.#deps.log.error('an upload stumbled', describeBug(thrown))
        await this.#deps.clock.sleep(AFTER_BUG_MS, this.#over).catch(() => undefined)
      }
    }
  }

  async #wakeUp(uploadId: string): Promise<'left'> {
    const row = await this.#deps.store.read(uploadId)
    if (row !== null) await wakeUp(this.#deps, row)
    return 'left'
  }

  /** Takes one upload to its next stage; `left` when this context can do nothing more for it. */
  async #proceed(uploadId: string): Promise<'again' | 'left'> {
    const row = await this.#deps.store.read(uploadId)
    if (row === null) return 'left'
    if (isSentFirst(row)) this.#letFirst()
    return this.#advance(row)
  }

  /** What of a part has arrived stays there: a video goes on behind it. */
  #letFirst(): void {
    this.#standBack.abort(new DOMException('an excerpt is sent first', 'AbortError'))
    this.#standBack = new AbortController()
  }

  /** The excerpt for which a video stands back; null for uploads that do not. */
  async #firstOf({ purpose }: UploadRow): Promise<UploadRow | null> {
    if (purpose !== 'media-job') return null
    return (await this.#deps.store.list()).find(isSentFirst) ?? null
  }

  /** Does one stage; `left` when nothing remains to be done here. */
  async #advance(row: UploadRow): Promise<'again' | 'left'> {
    const { bytes, store } = this.#deps
    const stage = stageOf(row)
    switch (stage) {
      case 'send':
        return (await this.#send(row)) === 'unreadable' ? 'left' : 'again'
      case 'over':
        bytes.letGo(row.id)
        if (row.state.kind === 'discarded') {
          await store.remove(row.id)
          return 'left'
        }
        await store.dropBytes(row.id)
        if (this.#isBackground) return 'left'
        // The receipt stays until the person dismisses it.
        await nextChange(this.#deps, row, this.#over)
        return 'again'
      case 'idle':
      case 'browser':
        if (this.#isBackground) return 'left'
        await nextChange(this.#deps, row, this.#over)
        return 'again'
      case 'prepare':
        await this.#prepare(row)
        return 'again'
      case 'verify':
      case 'discard':
        await this.#drive(row, stage, this.#over)
        return 'again'
    }
  }

  #drive({ id }: UploadRow, stage: DriveStage, signal: AbortSignal): Promise<DriveEnd> {
    return this.#deps.locks.withLock(`upload:${id}`, this.#over, () =>
      this.#driveLocked(id, stage, signal),
    )
  }

  /**
   * Null when another context holds the upload: it may keep it through many back-offs, and the send
   * lock must not wait for that.
   */
  #begin({ id }: UploadRow, signal: AbortSignal): Promise<DriveEnd | null> {
    return this.#deps.locks.withFreeLock(`upload:${id}`, () =>
      this.#driveLocked(id, 'begin', signal),
    )
  }

  /** Until when an upload may send. Taken before `#firstOf` is asked, it misses no excerpt. */
  #sending({ purpose }: UploadRow): AbortSignal {
    return purpose === 'media-job'
      ? AbortSignal.any([this.#closing.signal, this.#standBack.signal])
      : this.#closing.signal
  }

  #driveLocked(uploadId: string, stage: DriveStage, signal: AbortSignal): Promise<DriveEnd> {
    return driveUpload(this.#deps, uploadId, stage, {
      signal,
      draining: this.#draining.signal,
      isBackground: this.#isBackground,
    })
  }

  /** Goes on to send at once if no other upload sends and this context can read the bytes. */
  async #prepare(row: UploadRow): Promise<DriveEnd> {
    const { bytes, locks } = this.#deps
    const sending = this.#sending(row)
    const maySend =
      row.state.kind === 'preparing' &&
      (await bytes.open(row)).ok &&
      (await this.#firstOf(row)) === null
    const begun = maySend
      ? await locks.withFreeLock(this.#sendLocks[row.purpose], () => this.#begin(row, sending))
      : null
    return begun ?? this.#drive(row, 'prepare', this.#over)
  }

  /**
   * Sends if this context can read the bytes. Otherwise writes into the row that the file is
   * missing, unless another context can read it.
   */
  async #send(row: UploadRow): Promise<DriveEnd> {
    const { bytes, locks, store, clock } = this.#deps
    const sending = this.#sending(row)
    const source = await bytes.open(row)
    if (source.ok || (await this.#needsNoFile(row))) {
      const first = await this.#firstOf(row)
      if (first !== null) {
        await nextChange(this.#deps, first, this.#over)
        return 'ended'
      }
      // A person may pause or discard the upload while it is queued; a granted lock does not react
      // to the signal anymore.
      return this.#untilChanged(row, (queueing) =>
        locks.withLock(this.#sendLocks[row.purpose], queueing, () =>
          this.#drive(row, 'send', sending),
        ),
      )
    }
    if (this.#isBackground) return 'unreadable'
    if (await locks.isHeld(fileLock(row.id))) {
      await this.#untilChanged(row, (waiting) =>
        Promise.race([
          nextChange(this.#deps, row, waiting),
          locks.withLock(fileLock(row.id), waiting, () => Promise.resolve()),
        ]),
      )
      return 'ended'
    }
    const event = bytesProblemEvent(source.error)
    await store.change(row.id, row.epoch, (current) => reduceUpload(current, event, clock.now()))
    return 'ended'
  }

  /** All parts are proven: the browser sent them, or the page closed before the last call. */
  async #needsNoFile({ id, plan }: UploadRow): Promise<boolean> {
    const safe = (await this.#deps.store.parts(id)).filter(({ sha256 }) => sha256 !== '')
    return plan !== null && safe.length === plan.partCount
  }

  /** Runs `work` with a signal that aborts when the row changes. */
  async #untilChanged<T>(row: UploadRow, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const changed = new AbortController()
    const signal = AbortSignal.any([this.#over, changed.signal])
    void nextChange(this.#deps, row, signal).then(
      () => changed.abort(new DOMException('the upload changed', 'AbortError')),
      () => undefined,
    )
    try {
      return await work(signal)
    } finally {
      changed.abort(new DOMException('the work is done', 'AbortError'))
    }
  }

  async #untilOver(uploadId: string): Promise<void> {
    while (!this.#over.aborted) {
      const row = await this.#deps.store.read(uploadId)
      if (row === null || stageOf(row) === 'over') return
      await nextChange(this.#deps, row, this.#over)
    }
  }
}

type Stage = Exclude<DriveStage, 'begin'> | 'idle' | 'browser' | 'over'

/**
 * True for an excerpt that can be sent now: videos stand back for it. One that waits for a person,
 * or for what the server refuses, keeps no video waiting.
 */
function isSentFirst(row: UploadRow): boolean {
  if (row.purpose !== 'excerpt') return false
  const { state } = row
  if (state.kind === 'waiting') return state.wait.reason === 'network'
  const stage = stageOf(row)
  return stage === 'prepare' || stage === 'send'
}

/** What has to be done for an upload in its state. */
export function stageOf(row: UploadRow): Stage {
  const stage = stageOfKind(row.state.kind)
  return stage === 'send' && row.state.kind === 'waiting' && row.plan === null ? 'prepare' : stage
}

/**
 * A page that opens may have what an earlier one lacked: a login, permission to read the file, or a
 * version that does not give an upload up for what something in between answered.
 */
async function wakeUp(deps: UploadDeps, row: UploadRow): Promise<void> {
  const event = await wakingEvent(deps, row)
  if (event !== null)
    await deps.store.change(row.id, row.epoch, (current) =>
      reduceUpload(current, event, deps.clock.now()),
    )
}

async function wakingEvent(deps: UploadDeps, row: UploadRow): Promise<UploadEvent | null> {
  const { state } = row
  switch (state.kind) {
    case 'needs-auth':
      return { kind: 'auth-back' }
    case 'needs-file':
    case 'needs-permission':
      return (await deps.bytes.open(row)).ok ? { kind: 'file-found' } : null
    case 'failed':
      return isWeather(state.code) ? { kind: 'reopen' } : null
    default:
      return null
  }
}

/** Resolves when the row's epoch or state differs from `seen`; rejects when aborted. */
function nextChange(deps: UploadDeps, seen: UploadRow, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = (settle: () => void): void => {
      unwatch()
      signal.removeEventListener('abort', onAbort)
      settle()
    }
    const onAbort = (): void => end(() => reject(signal.reason))
    let unwatch = (): void => undefined
    if (signal.aborted) {
      reject(signal.reason)
      return
    }
    signal.addEventListener('abort', onAbort, { once: true })
    unwatch = deps.store.watch(seen.id, (row) => {
      if (row === null || row.epoch !== seen.epoch || row.state.kind !== seen.state.kind)
        end(resolve)
    })
  })
}

function fileLock(uploadId: string): string {
  return `upload-file:${uploadId}`
}
