import type { CreatedUploads } from './created.ts'
import { isSameFile } from './fingerprint.ts'
import { createLine, lineIsBack, type Line } from './line.ts'
import type { UploadEvent } from './machine.ts'
import { createPartUrls, type PartUrls } from './part-urls.ts'
import { createPartHashes } from './part-hashes.ts'
import { missingParts } from './plan.ts'
import type { ByteSource, UploadDeps } from './ports.ts'
import { apiProblemEvent, bytesProblemEvent, stallEvent, type Patience } from './problems.ts'
import { createProgressMeter, type ProgressMeter } from './progress-meter.ts'
import { openSession, type UploadSession } from './session.ts'
import {
  completeUpload,
  discardUpload,
  prepareUpload,
  sayComplete,
  verifyUpload,
  type Completion,
} from './stages.ts'
import { transferParts } from './transfer.ts'
import type { Result } from '#src/lib/result.ts'
import { err, ok } from '#src/lib/result.ts'
import type { UploadState, UploadWait } from '#src/local/db/rows.ts'

/**
 * The share of an upload's life that one call drives; the rest needs other locks or a person.
 * `begin`: it is created and sent in one go, because its turn has come already.
 */
export type DriveStage = 'prepare' | 'begin' | 'send' | 'verify' | 'discard'

/** How often a file that changed under us is opened anew before the person is asked. */
const REOPEN_TRIES = 2

/**
 * How sending begins, in one commit with what comes before: each makes the first byte wait for the
 * disk.
 */
const TURN: UploadEvent = { kind: 'turn' }
const TAKE_UP: readonly UploadEvent[] = [{ kind: 'recover' }, TURN]
/** What this device refuses to write is tried again so often. */
const SAVE_AGAIN_MS = 5_000

/** A clock that was set may name a time far away; nothing waits longer than this for it. */
const LONGEST_WAIT_MS = 10 * 60_000

export interface DriveLimits {
  /** Ends everything at once. */
  readonly signal: AbortSignal
  /** Begins nothing new; what is under way may end. */
  readonly easing: AbortSignal
  /**
   * No person is there: bytes that cannot be read are left to a page, which asks for them, and
   * nothing is written.
   */
  readonly isBackground: boolean
  readonly created: CreatedUploads
}

/** `unreadable`: only in the background; this context can do nothing for the upload. */
export type DriveEnd = 'ended' | 'unreadable'

interface Drive {
  readonly deps: UploadDeps
  readonly easing: AbortSignal
  readonly created: CreatedUploads
  readonly line: Line
  readonly session: UploadSession
  readonly patience: Patience
  readonly urls: PartUrls
  readonly meter: ProgressMeter
  /** Said while the last rows are still being written; null unless it was. */
  saying: Promise<Completion> | null
}

/**
 * Drives one upload until its stage is over, the upload needs a person, or a limit is reached. Call
 * under the lock `upload:<id>`; for 'begin' and 'send' also under the account's turn. Rejects only
 * for bugs.
 */
export async function driveUpload(
  deps: UploadDeps,
  uploadId: string,
  stage: DriveStage,
  limits: DriveLimits,
): Promise<DriveEnd> {
  const { easing, created } = limits
  const session = await openSession(deps, uploadId, limits.signal, isSending(stage) ? TAKE_UP : [])
  if (session === null) return 'ended'
  const meter = createProgressMeter(
    deps,
    uploadId,
    session.row().file.sizeBytes,
    session.row().safeBytes,
  )
  const drive: Drive = {
    deps,
    easing,
    created,
    line: createLine(),
    session,
    patience: { failedInARow: 0 },
    urls: createPartUrls(),
    meter,
    saying: null,
  }
  try {
    while (!session.signal.aborted && !easing.aborted) {
      const event = await nextEvent(drive, stage, session.row().state)
      if (session.signal.aborted) break
      if (event === null) {
        if (!session.isUnsaved()) break
        await saveAgain(drive)
        continue
      }
      if (limits.isBackground && (event.kind === 'file-lost' || event.kind === 'permission-lost'))
        return 'unreadable'
      await session.apply(event, ...(event.kind === 'planned' && stage === 'begin' ? [TURN] : []))
    }
  } catch (thrown) {
    if (!session.signal.aborted && !easing.aborted) throw thrown
  } finally {
    await session.tellSafeBytes()
    session.close()
  }
  return 'ended'
}

/** Whether it needs the account's turn. */
export function isSending(stage: DriveStage): boolean {
  return stage === 'begin' || stage === 'send'
}

/**
 * The next stage begins with what is written: until it is, this one goes on trying, and says so.
 */
async function saveAgain({ deps, easing, meter, patience, session }: Drive): Promise<void> {
  await session.save()
  if (!session.isUnsaved()) return
  meter.tick(session.row().safeBytes, true)
  meter.hanging({
    reason: 'storage-write',
    retryAtEpochMs: deps.clock.now() + SAVE_AGAIN_MS,
    attempt: patience.failedInARow,
  })
  await deps.clock.sleep(SAVE_AGAIN_MS, AbortSignal.any([session.signal, easing]))
}

/** Does what the state asks for; null when this stage has nothing more to do. */
async function nextEvent(
  drive: Drive,
  stage: DriveStage,
  state: UploadState,
): Promise<UploadEvent | null> {
  const { created, deps, session, patience } = drive
  const hasPlan = session.row().plan !== null
  const sends = isSending(stage)
  switch (state.kind) {
    case 'preparing':
      return stage === 'prepare' || stage === 'begin'
        ? prepareUpload(deps, session, patience, (server, plan) =>
            created.keep(session.uploadId, server, plan, sends),
          )
        : null
    case 'waiting':
      // One that cannot be created yet keeps nobody else from sending.
      if (hasPlan ? !sends : stage !== 'prepare') return null
      // The attempt count survives a reload, so that a new driver does not begin to hammer.
      patience.failedInARow = Math.max(patience.failedInARow, state.wait.attempt)
      return (await waitOut(drive, state.wait))
        ? { kind: 'retry' }
        : stallEvent(deps, patience, 'network', null)
    case 'queued':
      return sends ? TURN : null
    case 'uploading':
      return sends ? send(drive) : null
    case 'finalising':
      return sends ? complete(drive) : null
    case 'verifying':
      return stage === 'verify' ? verifyUpload(deps, session) : null
    case 'discarding':
      return stage === 'discard' ? discardUpload(deps, session) : null
    default:
      return null
  }
}

/**
 * Until the time named, or until a line that was down answers again. A busy server is left in
 * peace. False when the line is still down then: what is sent into it hangs for long, and the
 * person would read 'Uploading'.
 */
async function waitOut({ deps, line, session, easing }: Drive, wait: UploadWait): Promise<boolean> {
  const over = new AbortController()
  const signal = AbortSignal.any([session.signal, easing, over.signal])
  const pause = deps.clock.sleep(
    Math.min(LONGEST_WAIT_MS, Math.max(0, wait.retryAtEpochMs - deps.clock.now())),
    signal,
  )
  try {
    if (wait.reason !== 'network') {
      await pause
      return true
    }
    // Asked without the short limit of `lineIsBack`: a line may be so slow that only this is
    // answered.
    const afterPause = pause.then(() => deps.api.ping(signal))
    return await Promise.race([afterPause, lineIsBack(deps, line, signal).then(() => true)])
  } finally {
    over.abort()
  }
}

async function send(drive: Drive): Promise<UploadEvent | null> {
  const { created, deps, session, patience, urls } = drive
  const { uploadRequestId, plan } = session.row()
  // What an earlier transfer said is out of date.
  drive.saying = null
  if (uploadRequestId === null || plan === null) return { kind: 'gone' }
  const just = await created.take(session.uploadId, uploadRequestId)
  const server =
    just === null ? await deps.api.read(uploadRequestId, session.signal) : ok(just.server)
  if (session.signal.aborted) return null
  if (!server.ok) return apiProblemEvent(deps, patience, server.error)
  if (server.value.state !== 'open')
    return { kind: server.value.state === 'aborted' ? 'gone' : 'completed' }
  urls.fill(server.value, deps.clock.now())
  await session.adopt(server.value)
  if (missingParts(plan, new Set(session.safeParts().keys())).length === 0)
    return { kind: 'all-safe' }
  for (let tries = 0; ; tries += 1) {
    const opening = tries === 0 ? (just?.opening ?? null) : null
    const source = opening === null ? await openVerified(drive) : ok(opening.source)
    if (!source.ok) return source.error
    const hashes = opening?.hashes ?? createPartHashes(deps.digest, plan, source.value)
    const end = await transferParts({
      ...drive,
      way: drive.line,
      plan,
      source: source.value,
      hashes,
      onAllStored: () => {
        drive.saying = sayComplete(deps, session)
      },
    })
    // The handle may give a fresh file with the same bytes, for instance after an editor touched
    // it.
    if (end?.kind !== 'file-lost' || tries >= REOPEN_TRIES) return end
  }
}

async function complete(drive: Drive): Promise<UploadEvent> {
  const { deps, patience, saying, session } = drive
  // Said once: another try says it anew.
  drive.saying = null
  return completeUpload(deps, session, patience, saying ?? sayComplete(deps, session))
}

async function openVerified({ deps, session }: Drive): Promise<Result<ByteSource, UploadEvent>> {
  const source = await deps.bytes.open(session.row())
  if (!source.ok) return err(bytesProblemEvent(source.error))
  const same = await isSameFile(
    deps.digest,
    source.value,
    session.row(),
    Array.from(session.safeParts().values()),
  )
  if (!same.ok) return err(bytesProblemEvent(same.error))
  return same.value ? ok(source.value) : err({ kind: 'file-differs' })
}
