/**
 * Which upload of an account works, waits or rests. It is one file because that is decided over all
 * of them at once, under the locks of the note below.
 */
import { driveUpload, type DriveEnd, type DriveStage } from './drive.ts'
import { FileLocks } from './file-locks.ts'
import { nextChange, whileUnchanged } from './row-changes.ts'
import { Runners } from './runners.ts'
import { SendLocks } from './send-locks.ts'
import { isSentFirst, stageOf } from './stage-of.ts'
import { reduceUpload, type UploadEvent } from '#src/local/uploads/model/machine.ts'
import { isDatabaseLost } from '#src/local/db/database-lost.ts'
import { isWeather } from '#src/local/db/upload-states.ts'
import { bytesProblemEvent } from '#src/local/uploads/model/problems.ts'
import type { UploadDeps } from '#src/local/uploads/ports.ts'
import type { UploadRow } from '#src/local/db/rows.ts'

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
  readonly #isBackground: boolean
  readonly #closing = new AbortController()
  readonly #draining = new AbortController()
  /** Ends every kind of waiting; only `#closing` ends parts in flight. */
  readonly #over = AbortSignal.any([this.#closing.signal, this.#draining.signal])
  readonly #runners: Runners
  readonly #sendLocks: SendLocks
  readonly #files: FileLocks
  #unwatch = (): void => undefined

  constructor(deps: UploadDeps, userId: string, isBackground: boolean) {
    this.#deps = deps
    this.#isBackground = isBackground
    this.#runners = new Runners(deps, this.#over)
    this.#files = new FileLocks(deps, this.#over)
    this.#sendLocks = new SendLocks(deps, userId, this.#closing.signal)
  }

  async open(): Promise<void> {
    const { store } = this.#deps
    const rows = await store.list()
    for (const row of rows.toSorted((a, b) => a.createdAtEpochMs - b.createdAtEpochMs)) {
      if (!this.#isBackground)
        await wakeUp(this.#deps, row).catch((thrown: unknown) => {
          if (isDatabaseLost(thrown)) throw thrown
          // A full disk keeps the others neither from opening nor this one from waking later.
          this.#runners.keep(`wake:${row.id}`, () => this.#wakeUp(row.id))
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
    if (this.#files.announce(uploadId)) this.#adopt(uploadId)
  }

  async idle(): Promise<void> {
    await this.#runners.ended()
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
    this.#runners.keep(uploadId, () => this.#proceed(uploadId))
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
    if (isSentFirst(row)) this.#sendLocks.letFirst()
    return this.#advance(row)
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
        await nextChange(store, row, this.#over)
        return 'again'
      case 'idle':
      case 'browser':
        if (this.#isBackground) return 'left'
        await nextChange(store, row, this.#over)
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

  #driveLocked(uploadId: string, stage: DriveStage, signal: AbortSignal): Promise<DriveEnd> {
    return driveUpload(this.#deps, uploadId, stage, {
      signal,
      draining: this.#draining.signal,
      isBackground: this.#isBackground,
    })
  }

  /** Goes on to send at once if no other upload sends and this context can read the bytes. */
  async #prepare(row: UploadRow): Promise<DriveEnd> {
    const isReadable = row.state.kind === 'preparing' && (await this.#deps.bytes.open(row)).ok
    const standing = isReadable ? await this.#sendLocks.standingOf(row) : null
    const begun =
      standing?.first === null
        ? await this.#sendLocks.withFreeLock(row, () => this.#begin(row, standing.signal))
        : null
    return begun ?? this.#drive(row, 'prepare', this.#over)
  }

  /**
   * Sends if this context can read the bytes. Otherwise writes into the row that the file is
   * missing, unless another context can read it.
   */
  async #send(row: UploadRow): Promise<DriveEnd> {
    const { bytes, store, clock } = this.#deps
    const source = await bytes.open(row)
    if (source.ok || (await this.#needsNoFile(row))) {
      const { first, signal } = await this.#sendLocks.standingOf(row)
      if (first !== null) {
        await nextChange(store, first, this.#over)
        return 'ended'
      }
      // A person may pause or discard the upload while it is queued; a granted lock does not react
      // to the signal anymore.
      return whileUnchanged(store, row, this.#over, (queueing) =>
        this.#sendLocks.withLock(row, queueing, () => this.#drive(row, 'send', signal)),
      )
    }
    if (this.#isBackground) return 'unreadable'
    if (await this.#files.isHeld(row.id)) {
      await whileUnchanged(store, row, this.#over, (waiting) =>
        Promise.race([nextChange(store, row, waiting), this.#files.untilFree(row.id, waiting)]),
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
