import { compareFile } from '#src/local/uploads/file/fingerprint.ts'
import { createPartHashes } from '#src/local/uploads/file/part-hashes.ts'
import type { UploadEvent } from '#src/local/uploads/model/machine.ts'
import { missingParts } from '#src/local/uploads/model/plan.ts'
import {
  apiProblemEvent,
  backOffEvent,
  because,
  bytesProblemEvent,
} from '#src/local/uploads/model/problems.ts'
import { claimUpload, type UploadClaim } from '#src/local/uploads/model/upload-claim.ts'
import { ReachWatch } from '#src/local/uploads/network/watch.ts'
import type { ByteSource, UploadDeps } from '#src/local/uploads/ports.ts'
import { endedAtServer } from '#src/local/uploads/transfer/ended-at-server.ts'
import { createPartUrls } from '#src/local/uploads/transfer/part-urls.ts'
import { PieceSize } from '#src/local/uploads/transfer/pieces.ts'
import { ProgressMeter } from '#src/local/uploads/transfer/progress-meter.ts'
import { transferParts, type TransferInput } from '#src/local/uploads/transfer/transfer.ts'
import { completeUpload, discardUpload, prepareUpload, verifyUpload } from './stages.ts'
import type { Result } from '#src/lib/result.ts'
import { err, ok } from '#src/lib/result.ts'
import type { UploadState, UploadWait } from '#src/local/db/rows.ts'

/** The part of an upload's life that one call drives; the rest needs other locks or a person. */
export type DriveStage = 'prepare' | 'send' | 'verify' | 'discard'

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
type Drive = Omit<TransferInput, 'plan' | 'isResumable' | 'source' | 'hashes'>

/**
 * Drives one upload until its stage is over, the upload needs a person, or a limit is reached. Call
 * under the lock `upload:<id>`; for 'send' also under the account's send lock. Rejects only for
 * bugs.
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
      await claim.apply(event)
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
    notes: new Map(),
    pieces: new PieceSize(),
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
  switch (state.kind) {
    case 'preparing':
      return stage === 'prepare' ? prepareUpload(deps, claim, retries) : null
    case 'waiting':
      // An upload that cannot be created yet does not block the others from sending.
      if (stage !== (claim.row().plan === null ? 'prepare' : 'send')) return null
      // The attempt count survives a reload, so that a new driver does not retry too fast.
      retries.failedInARow = Math.max(retries.failedInARow, state.wait.attempt)
      return (await waitOut(drive, state.wait))
        ? { kind: 'retry' }
        : backOffEvent(deps, retries, because('network'))
    case 'queued':
      return stage === 'send' ? { kind: 'begin-sending' } : null
    case 'uploading':
      return stage === 'send' ? send(drive) : null
    case 'finalising':
      return stage === 'send' ? complete(drive) : null
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

/**
 * Sends what is missing. The server's list says what it has; the file says whether that is right:
 * a part that this device did not send itself is compared by its hash.
 */
async function send(drive: Drive): Promise<UploadEvent | null> {
  const { deps, claim, retries, urls, notes } = drive
  const { uploadRequestId, plan } = claim.row()
  if (uploadRequestId === null || plan === null) return { kind: 'gone' }
  const server = await deps.api.read(uploadRequestId, claim.signal)
  if (claim.signal.aborted) return null
  if (!server.ok) return apiProblemEvent(deps, retries, server.error)
  if (server.value.state !== 'open') return endedAtServer(deps, claim, server.value)
  await claim.adopt(server.value.parts)
  drive.meter.corrected(claim.safeBytes())
  urls.fill(server.value.parts, deps.clock.now())
  notes.clear()
  if (isAllSafe(claim)) return { kind: 'all-safe' }
  for (let tries = 0; ; tries += 1) {
    const source = await openCompared(drive)
    if (!source.ok) return source.error
    const end = await transferParts({
      ...drive,
      plan,
      isResumable: server.value.isResumable,
      source: source.value,
      hashes: createPartHashes(deps.digest, plan, source.value),
    })
    // The handle may return a fresh file with the same bytes, for example after an editor touched
    // it.
    if (end?.kind !== 'file-lost' || tries >= REOPEN_TRIES) return end
    for (const each of notes.values()) each.sha256 = null
  }
}

function isAllSafe(claim: UploadClaim): boolean {
  const { plan } = claim.row()
  return plan !== null && missingParts(plan, new Set(claim.safeParts().keys())).length === 0
}

/**
 * Compares the file again before the upload is completed: what was changed in place since would
 * make a mixture of two versions. A file that cannot be read any more was compared when it was
 * opened last.
 */
async function complete(drive: Drive): Promise<UploadEvent> {
  const compared = await openCompared(drive)
  if (!compared.ok && compared.error.kind === 'file-differs') return compared.error
  return completeUpload(drive.deps, drive.claim, drive.retries)
}

/** Opens the file and compares it with the one that the upload started with. */
async function openCompared({ deps, claim }: Drive): Promise<Result<ByteSource, UploadEvent>> {
  const source = await deps.bytes.open(claim.row())
  if (!source.ok) return err(bytesProblemEvent(source.error))
  const compared = await compareFile(
    deps.digest,
    source.value,
    claim.row(),
    Array.from(claim.safeParts().values()),
  )
  if (!compared.ok) return err(bytesProblemEvent(compared.error))
  if (compared.value === 'differs') return err({ kind: 'file-differs' })
  if (compared.value === 'touched')
    await claim.apply({ kind: 'file-touched', file: source.value.file })
  return ok(source.value)
}
