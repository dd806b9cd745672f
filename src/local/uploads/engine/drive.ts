/**
 * The stages of one upload, from its creation to its verification. It is one file because each
 * stage begins with the row that the one before has written.
 */
import { DrivenFile } from './driven-file.ts'
import type { UploadEvent } from '#src/local/uploads/model/machine.ts'
import { apiProblemEvent, backOffEvent, because } from '#src/local/uploads/model/problems.ts'
import { claimUpload, type UploadClaim } from '#src/local/uploads/model/upload-claim.ts'
import { ReachWatch } from '#src/local/uploads/network/watch.ts'
import type { ServerUpload, UploadDeps } from '#src/local/uploads/ports.ts'
import { endedAtServer } from '#src/local/uploads/transfer/ended-at-server.ts'
import { NotesByPart } from '#src/local/uploads/transfer/part-notes.ts'
import { createPartUrls } from '#src/local/uploads/transfer/part-urls.ts'
import { PieceSize } from '#src/local/uploads/transfer/pieces.ts'
import { ProgressMeter } from '#src/local/uploads/transfer/progress-meter.ts'
import { transferParts, type TransferInput } from '#src/local/uploads/transfer/transfer.ts'
import { completeUpload, createUpload, discardUpload, verifyUpload } from './stages.ts'
import { ok } from '#src/lib/result.ts'
import type { UploadState, UploadWait } from '#src/local/db/rows.ts'

/**
 * The part of an upload's life that one call drives; the rest needs other locks or a person.
 * `begin` is `prepare` and `send` in one go.
 */
export type DriveStage = 'prepare' | 'begin' | 'send' | 'verify' | 'discard'

/** What each stage does of an upload. One that sends needs the account's send lock. */
const DRIVE_STAGES: Readonly<
  Record<DriveStage, { readonly creates: boolean; readonly sends: boolean }>
> = {
  prepare: { creates: true, sends: false },
  begin: { creates: true, sends: true },
  send: { creates: false, sends: true },
  verify: { creates: false, sends: false },
  discard: { creates: false, sends: false },
}

/** How often a file that changed during the upload is opened again before the person is asked. */
const REOPEN_TRIES = 2
/** Pause between two tries to write what this device refuses to write. */
const SAVE_AGAIN_MS = 5_000
/**
 * If the device's clock was changed, the stored time may be far away; no wait is longer than this.
 */
const LONGEST_WAIT_MS = 10 * 60_000

export interface DriveLimits {
  /** Ends the drive at once. */
  readonly signal: AbortSignal
  /** Starts nothing new; attempts in flight may end. */
  readonly draining: AbortSignal
  /**
   * No person is present: an upload with unreadable bytes is left to a page, which can ask for the
   * file. Nothing is written.
   */
  readonly isBackground: boolean
}

/** `unreadable`: only in the background; this context can do nothing for the upload. */
export type DriveEnd = 'ended' | 'unreadable'

/** What one driver knows, over all stages and transfers. */
interface Drive extends Omit<
  TransferInput,
  'plan' | 'isResumable' | 'urlsNeedChecksums' | 'source' | 'hashes' | 'allHashed'
> {
  readonly file: DrivenFile
  /** The answer to the creation, from which sending begins. */
  readonly answered: { creation: ServerUpload | null }
}

/**
 * Drives one upload until its stage is over, the upload needs a person, or a limit is reached. Call
 * under the lock `upload:<id>`; for 'begin' and 'send' also under the account's send lock. Rejects
 * only for bugs.
 */
export async function driveUpload(
  deps: UploadDeps,
  uploadId: string,
  stage: DriveStage,
  limits: DriveLimits,
): Promise<DriveEnd> {
  const { draining } = limits
  const claim = await claimUpload(
    deps,
    uploadId,
    limits.signal,
    stage === 'send' ? [{ kind: 'recover' }, { kind: 'begin-sending' }] : [],
  )
  if (claim === null) return 'ended'
  const drive = beginDrive(deps, claim, draining)
  try {
    while (!claim.signal.aborted && !draining.aborted) {
      const event = await nextEvent(drive, stage, claim.row().state)
      if (claim.signal.aborted) break
      if (event === null) {
        if (!claim.isUnsaved()) break
        await saveAgain(drive)
        continue
      }
      if (limits.isBackground && (event.kind === 'file-lost' || event.kind === 'permission-lost'))
        return 'unreadable'
      const before = claim.row()
      // Creating and sending share a commit.
      if (stage === 'begin' && event.kind === 'planned')
        await claim.apply(event, { kind: 'begin-sending' })
      else await claim.apply(event)
      // The same step would follow again, at once and for ever.
      if (claim.row() === before && !claim.signal.aborted)
        throw new Error(`${event.kind} does not fit ${before.state.kind}`)
    }
  } catch (thrown) {
    if (!claim.signal.aborted && !draining.aborted) throw thrown
  } finally {
    await claim.reportSafeBytes()
    claim.close()
  }
  return 'ended'
}

function beginDrive(deps: UploadDeps, claim: UploadClaim, draining: AbortSignal): Drive {
  const { file, safeBytes } = claim.row()
  return {
    deps,
    draining,
    claim,
    retries: { failedInARow: 0 },
    faults: { failedConnects: 0, unanswered: 0, silentFirstParts: 0 },
    urls: createPartUrls(),
    meter: new ProgressMeter(deps, claim.uploadId, file.sizeBytes, safeBytes),
    reach: new ReachWatch(deps),
    notes: new NotesByPart(claim.parts),
    pieces: new PieceSize(),
    file: new DrivenFile(deps, claim),
    answered: { creation: null },
  }
}

/**
 * The next stage starts from the written rows. Until they are written, this stage keeps trying and
 * reports that it does.
 */
async function saveAgain({ deps, draining, meter, retries, claim }: Drive): Promise<void> {
  await claim.save()
  if (!claim.isUnsaved()) return
  meter.tick(true)
  meter.waits({
    reason: 'storage-write',
    retryAtEpochMs: deps.clock.now() + SAVE_AGAIN_MS,
    attempt: retries.failedInARow,
  })
  await deps.clock.sleep(SAVE_AGAIN_MS, AbortSignal.any([claim.signal, draining]))
}

/** Does what the state asks for; null when this stage has nothing left to do. */
async function nextEvent(
  drive: Drive,
  stage: DriveStage,
  state: UploadState,
): Promise<UploadEvent | null> {
  const { deps, claim, retries } = drive
  const { creates, sends } = DRIVE_STAGES[stage]
  switch (state.kind) {
    case 'preparing':
      return creates ? prepare(drive, sends) : null
    case 'waiting':
      // An upload that cannot be created yet does not block the others from sending.
      if (claim.row().plan === null ? stage !== 'prepare' : !sends) return null
      // The attempt count survives a reload, so that a new driver does not retry too fast.
      retries.failedInARow = Math.max(retries.failedInARow, state.wait.attempt)
      return (await waitOut(drive, state.wait))
        ? { kind: 'retry' }
        : backOffEvent(deps, retries, because('network'))
    case 'queued':
      return sends ? { kind: 'begin-sending' } : null
    case 'uploading':
      return sends ? send(drive) : null
    case 'finalising':
      return sends ? complete(drive) : null
    case 'verifying':
      return stage === 'verify' ? verifyUpload(deps, claim) : null
    case 'discarding':
      return stage === 'discard' ? discardUpload(deps, claim) : null
    default:
      return null
  }
}

/**
 * Waits until the given time, or until the server is reachable again after it was down. Every
 * other wait keeps its length. False when the network is still down at the end: a part sent into it
 * would hang, and the screen would say 'Uploading'.
 */
async function waitOut(
  { deps, reach, claim, draining }: Drive,
  wait: UploadWait,
): Promise<boolean> {
  const over = new AbortController()
  const signal = AbortSignal.any([claim.signal, draining, over.signal])
  const pause = deps.clock.sleep(
    Math.min(LONGEST_WAIT_MS, Math.max(0, wait.retryAtEpochMs - deps.clock.now())),
    signal,
  )
  try {
    if (wait.reason !== 'network') {
      await pause
      return true
    }
    // Without the short limit of the reachability checks: a very slow network may answer only this.
    const afterPause = pause.then(() => deps.api.ping(signal))
    return await Promise.race([afterPause, reach.isBack(signal).then(() => true)])
  } finally {
    over.abort()
  }
}

/** Creates the upload. When it is sent next, its first parts are read meanwhile. */
async function prepare(drive: Drive, isSentNext: boolean): Promise<UploadEvent | null> {
  const { deps, claim, retries, draining, file, answered } = drive
  const reading = isSentNext ? file.readAhead() : null
  reading?.catch(() => undefined)
  const { event, server } = await createUpload(deps, claim, retries)
  if (draining.aborted && server === null) return null
  if (isSentNext) answered.creation = server
  await reading
  return event
}

/**
 * Sends what is missing. The server's list says what it has; the file says whether that is right:
 * a part that this device did not send itself is compared by its hash.
 */
async function send(drive: Drive): Promise<UploadEvent | null> {
  const { deps, claim, retries, urls, notes, file, answered } = drive
  const { uploadRequestId, plan } = claim.row()
  if (uploadRequestId === null || plan === null) return { kind: 'gone' }
  // No byte is sent before the plan is written: a crash would leave an upload without an owner.
  const { creation } = answered
  if (creation !== null && claim.isUnsaved()) return null
  answered.creation = null
  const server =
    creation === null ? await deps.api.read(uploadRequestId, claim.signal) : ok(creation)
  if (claim.signal.aborted) return null
  if (!server.ok) return apiProblemEvent(deps, retries, server.error)
  if (server.value.state !== 'open') return endedAtServer(deps, claim, server.value)
  await claim.adopt(server.value.parts)
  drive.meter.corrected(claim.parts.safeBytes())
  urls.clear()
  urls.fill(server.value.parts, deps.clock.now())
  notes.forgetAll()
  if (isAllSafe(claim)) return { kind: 'all-safe' }
  for (let tries = 0; ; tries += 1) {
    const found = await file.toSend(plan)
    if (!found.ok) return found.error
    const end = await transferParts({
      ...drive,
      ...found.value,
      plan,
      isResumable: server.value.isResumable,
      urlsNeedChecksums: server.value.urlsNeedChecksums,
      allHashed: () => file.compareEarly(),
    })
    // The handle may return a fresh file with the same bytes, for example after an editor touched
    // it.
    if (end?.kind !== 'file-lost' || tries >= REOPEN_TRIES) return end
    notes.forgetHashes()
  }
}

function isAllSafe(claim: UploadClaim): boolean {
  const { plan } = claim.row()
  return plan !== null && claim.parts.missing(plan).length === 0
}

async function complete({ deps, claim, retries, file }: Drive): Promise<UploadEvent> {
  return (await file.compareAtEnd()) ?? completeUpload(deps, claim, retries)
}
