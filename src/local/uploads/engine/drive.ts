import type { WarmStarts } from './warm-start.ts'
import { isSameFile } from '#src/local/uploads/file/fingerprint.ts'
import {
  createNetworkState,
  networkIsBack,
  type NetworkState,
} from '#src/local/uploads/network/network.ts'
import type { UploadEvent } from '#src/local/uploads/model/machine.ts'
import { createPartUrls, type PartUrls } from '#src/local/uploads/transfer/part-urls.ts'
import { createPartHashes } from '#src/local/uploads/file/part-hashes.ts'
import { missingParts } from '#src/local/uploads/model/plan.ts'
import type { ByteSource, UploadDeps } from '#src/local/uploads/ports.ts'
import {
  apiProblemEvent,
  bytesProblemEvent,
  backOffEvent,
  type Retries,
} from '#src/local/uploads/model/problems.ts'
import {
  createProgressMeter,
  type ProgressMeter,
} from '#src/local/uploads/transfer/progress-meter.ts'
import { claimUpload, type UploadClaim } from '#src/local/uploads/model/upload-claim.ts'
import {
  completeUpload,
  discardUpload,
  prepareUpload,
  requestCompletion,
  verifyUpload,
  type Completion,
} from './stages.ts'
import { transferParts } from '#src/local/uploads/transfer/transfer.ts'
import type { Result } from '#src/lib/result.ts'
import { err, ok } from '#src/lib/result.ts'
import type { UploadState, UploadWait } from '#src/local/db/rows.ts'

/**
 * The part of an upload's life that one call drives; the rest needs other locks or a person.
 * `begin` creates and sends in one call, because the send lock is held already.
 */
export type DriveStage = 'prepare' | 'begin' | 'send' | 'verify' | 'discard'

/** How often a file that changed during the upload is opened again before the person is asked. */
const REOPEN_TRIES = 2

/**
 * Events that start sending. They share one commit with the event before them: each commit delays
 * the first byte by one disk write.
 */
const BEGIN_SENDING: UploadEvent = { kind: 'begin-sending' }
const TAKE_OVER: readonly UploadEvent[] = [{ kind: 'recover' }, BEGIN_SENDING]
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
  readonly warmStarts: WarmStarts
}

/** `unreadable`: only in the background; this context can do nothing for the upload. */
export type DriveEnd = 'ended' | 'unreadable'

interface Drive {
  readonly deps: UploadDeps
  readonly draining: AbortSignal
  readonly warmStarts: WarmStarts
  readonly network: NetworkState
  readonly claim: UploadClaim
  readonly retries: Retries
  readonly urls: PartUrls
  readonly meter: ProgressMeter
  /**
   * The completing call, sent while the last rows are still being written; null when it was not
   * sent.
   */
  completing: Promise<Completion> | null
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
  const { draining, warmStarts } = limits
  const claim = await claimUpload(deps, uploadId, limits.signal, isSending(stage) ? TAKE_OVER : [])
  if (claim === null) return 'ended'
  const meter = createProgressMeter(
    deps,
    uploadId,
    claim.row().file.sizeBytes,
    claim.row().safeBytes,
  )
  const drive: Drive = {
    deps,
    draining,
    warmStarts,
    network: createNetworkState(),
    claim,
    retries: { failedInARow: 0 },
    urls: createPartUrls(),
    meter,
    completing: null,
  }
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
      await claim.apply(
        event,
        ...(event.kind === 'planned' && stage === 'begin' ? [BEGIN_SENDING] : []),
      )
    }
  } catch (thrown) {
    if (!claim.signal.aborted && !draining.aborted) throw thrown
  } finally {
    await claim.reportSafeBytes()
    claim.close()
  }
  return 'ended'
}

/** Whether the stage needs the account's send lock. */
export function isSending(stage: DriveStage): boolean {
  return stage === 'begin' || stage === 'send'
}

/**
 * The next stage starts from the written rows. Until they are written, this stage keeps trying and
 * reports that it does.
 */
async function saveAgain({ deps, draining, meter, retries, claim }: Drive): Promise<void> {
  await claim.save()
  if (!claim.isUnsaved()) return
  meter.tick(claim.row().safeBytes, true)
  meter.stalled({
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
  const { warmStarts, deps, claim, retries } = drive
  const hasPlan = claim.row().plan !== null
  const sends = isSending(stage)
  switch (state.kind) {
    case 'preparing':
      return stage === 'prepare' || stage === 'begin'
        ? prepareUpload(deps, claim, retries, (server, plan) =>
            warmStarts.keep(claim.uploadId, server, plan, sends),
          )
        : null
    case 'waiting':
      // An upload that cannot be created yet does not block the others from sending.
      if (hasPlan ? !sends : stage !== 'prepare') return null
      // The attempt count survives a reload, so that a new driver does not retry too fast.
      retries.failedInARow = Math.max(retries.failedInARow, state.wait.attempt)
      return (await waitOut(drive, state.wait))
        ? { kind: 'retry' }
        : backOffEvent(deps, retries, 'network', null)
    case 'queued':
      return sends ? BEGIN_SENDING : null
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
 * Waits until the given time, or until the server is reachable again after a network outage. The
 * back-off of a busy server is never cut short. False when the network is still down at the end: a
 * part sent into it would hang, and the screen would say 'Uploading'.
 */
async function waitOut(
  { deps, network, claim, draining }: Drive,
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
    // Without the short limit of `networkIsBack`: a very slow network may answer only this call.
    const afterPause = pause.then(() => deps.api.ping(signal))
    return await Promise.race([afterPause, networkIsBack(deps, network, signal).then(() => true)])
  } finally {
    over.abort()
  }
}

async function send(drive: Drive): Promise<UploadEvent | null> {
  const { warmStarts, deps, claim, retries, urls } = drive
  const { uploadRequestId, plan } = claim.row()
  // What an earlier transfer sent is out of date.
  drive.completing = null
  if (uploadRequestId === null || plan === null) return { kind: 'gone' }
  const warmStart = await warmStarts.take(claim.uploadId, uploadRequestId)
  const server =
    warmStart === null ? await deps.api.read(uploadRequestId, claim.signal) : ok(warmStart.server)
  if (claim.signal.aborted) return null
  if (!server.ok) return apiProblemEvent(deps, retries, server.error)
  if (server.value.state !== 'open')
    return { kind: server.value.state === 'aborted' ? 'gone' : 'completed' }
  urls.fill(server.value, deps.clock.now())
  await claim.adopt(server.value)
  if (missingParts(plan, new Set(claim.safeParts().keys())).length === 0)
    return { kind: 'all-safe' }
  for (let tries = 0; ; tries += 1) {
    const readAhead = tries === 0 ? (warmStart?.readAhead ?? null) : null
    const source = readAhead === null ? await openVerified(drive) : ok(readAhead.source)
    if (!source.ok) return source.error
    const hashes = readAhead?.hashes ?? createPartHashes(deps.digest, plan, source.value)
    const end = await transferParts({
      ...drive,
      plan,
      source: source.value,
      hashes,
      onAllStored: () => {
        drive.completing = requestCompletion(deps, claim)
      },
    })
    // The handle may return a fresh file with the same bytes, for example after an editor touched
    // it.
    if (end?.kind !== 'file-lost' || tries >= REOPEN_TRIES) return end
  }
}

async function complete(drive: Drive): Promise<UploadEvent> {
  const { deps, retries, completing, claim } = drive
  // Use the early call only once: a retry sends a new one.
  drive.completing = null
  return completeUpload(deps, claim, retries, completing ?? requestCompletion(deps, claim))
}

async function openVerified({ deps, claim }: Drive): Promise<Result<ByteSource, UploadEvent>> {
  const source = await deps.bytes.open(claim.row())
  if (!source.ok) return err(bytesProblemEvent(source.error))
  const same = await isSameFile(
    deps.digest,
    source.value,
    claim.row(),
    Array.from(claim.safeParts().values()),
  )
  if (!same.ok) return err(bytesProblemEvent(same.error))
  return same.value ? ok(source.value) : err({ kind: 'file-differs' })
}
