/**
 * The stages of one upload, from its creation to its verification. It is one file because each
 * stage begins with the row that the one before has written.
 */
import { compareFile, type FileComparison } from '#src/local/uploads/file/fingerprint.ts'
import { createPartHashes, type PartHashes } from '#src/local/uploads/file/part-hashes.ts'
import type { UploadEvent } from '#src/local/uploads/model/machine.ts'
import { endsFirst, missingParts } from '#src/local/uploads/model/plan.ts'
import {
  apiProblemEvent,
  backOffEvent,
  because,
  bytesProblemEvent,
} from '#src/local/uploads/model/problems.ts'
import { claimUpload, type UploadClaim } from '#src/local/uploads/model/upload-claim.ts'
import { ReachWatch } from '#src/local/uploads/network/watch.ts'
import type { ByteSource, ServerUpload, UploadDeps } from '#src/local/uploads/ports.ts'
import { endedAtServer } from '#src/local/uploads/transfer/ended-at-server.ts'
import { NotesByPart } from '#src/local/uploads/transfer/part-notes.ts'
import { createPartUrls } from '#src/local/uploads/transfer/part-urls.ts'
import { PieceSize } from '#src/local/uploads/transfer/pieces.ts'
import { ProgressMeter } from '#src/local/uploads/transfer/progress-meter.ts'
import { transferParts, type TransferInput } from '#src/local/uploads/transfer/transfer.ts'
import { completeUpload, createUpload, discardUpload, verifyUpload } from './stages.ts'
import type { Result } from '#src/lib/result.ts'
import { err, ok } from '#src/lib/result.ts'
import type { PartPlan, UploadState, UploadWait } from '#src/local/db/rows.ts'

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

/** The first parts of a file, read and hashed while the upload is created. */
interface ReadAhead {
  readonly source: ByteSource
  /** How the file is expected to be cut; hashes are of no use for another plan. */
  readonly plan: PartPlan
  readonly hashes: PartHashes
}

/** What one driver knows, over all stages and transfers. */
interface Drive extends Omit<
  TransferInput,
  'plan' | 'isResumable' | 'urlsNeedChecksums' | 'source' | 'hashes' | 'allHashed'
> {
  /** What one step leaves to the next; each is used once. */
  readonly left: {
    created: ServerUpload | null
    readAhead: ReadAhead | null
    /** The comparison that began when the last part was hashed. */
    compared: Promise<Result<Compared, UploadEvent>> | null
  }
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
    left: { created: null, readAhead: null, compared: null },
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

/**
 * Creates the upload. When it is sent next, its first parts are read meanwhile and nothing is asked
 * twice: without that the last of five slots begins 0.3 s later (parts of 16 MiB, 60 ms).
 */
async function prepare(drive: Drive, isSentNext: boolean): Promise<UploadEvent | null> {
  const { deps, claim, retries, draining, left } = drive
  const reading = isSentNext ? quietly(readAhead(drive)) : null
  const { event, server } = await createUpload(deps, claim, retries)
  if (draining.aborted && server === null) return null
  if (reading !== null) {
    left.created = server
    left.readAhead = await reading
  }
  return event
}

/** Null when the file cannot be read, or the cut is not known; sending then finds out why. */
async function readAhead(drive: Drive): Promise<ReadAhead | null> {
  const { deps, claim } = drive
  const { sizeBytes } = claim.row().file
  const usualBytes = await deps.usualPartBytes()
  if (usualBytes === null) return null
  const partSizeBytes = Math.min(usualBytes, sizeBytes)
  const plan = { partSizeBytes, partCount: Math.ceil(sizeBytes / partSizeBytes), sizeBytes }
  const source = await openCompared(drive)
  if (!source.ok) return null
  const hashes = createPartHashes(deps.digest, plan, source.value)
  hashes.ahead(endsFirst(plan, missingParts(plan, new Set())).slice(0, deps.firstSlots))
  return { source: source.value, plan, hashes }
}

/**
 * Sends what is missing. The server's list says what it has; the file says whether that is right:
 * a part that this device did not send itself is compared by its hash.
 */
async function send(drive: Drive): Promise<UploadEvent | null> {
  const { deps, claim, retries, urls, notes, left } = drive
  const { uploadRequestId, plan } = claim.row()
  if (uploadRequestId === null || plan === null) return { kind: 'gone' }
  // No byte is sent before the plan is written: a crash would leave an upload without an owner.
  if (left.created !== null && claim.isUnsaved()) return null
  const server =
    left.created === null ? await deps.api.read(uploadRequestId, claim.signal) : ok(left.created)
  left.created = null
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
    const ahead = left.readAhead
    left.readAhead = null
    const source = ahead === null ? await openCompared(drive) : ok(ahead.source)
    if (!source.ok) return source.error
    const end = await transferParts({
      ...drive,
      plan,
      isResumable: server.value.isResumable,
      urlsNeedChecksums: server.value.urlsNeedChecksums,
      source: source.value,
      hashes:
        ahead?.plan.partSizeBytes === plan.partSizeBytes
          ? ahead.hashes
          : createPartHashes(deps.digest, plan, source.value),
      allHashed: () => {
        left.compared = quietly(compareOpened(drive))
      },
    })
    // The handle may return a fresh file with the same bytes, for example after an editor touched
    // it.
    if (end?.kind !== 'file-lost' || tries >= REOPEN_TRIES) return end
    notes.forgetHashes()
  }
}

/** A promise that may stay without a reader; its rejection still reaches one who comes. */
function quietly<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => undefined)
  return promise
}

function isAllSafe(claim: UploadClaim): boolean {
  const { plan } = claim.row()
  return plan !== null && claim.parts.missing(plan).length === 0
}

/**
 * Compares the file again before the upload is completed: what was changed in place since would
 * make a mixture of two versions. The contents may have been compared beside the last parts, once
 * all were hashed; then its name, size and time must still be the same. A file that cannot be read
 * any more was compared when it was opened last.
 */
async function complete(drive: Drive): Promise<UploadEvent> {
  const { left } = drive
  const early = await left.compared
  left.compared = null
  const isSame = early?.ok === true && early.value.comparison === 'same'
  if (!isSame || !(await isUntouched(drive))) {
    const compared = await openCompared(drive)
    if (!compared.ok && compared.error.kind === 'file-differs') return compared.error
  }
  return completeUpload(drive.deps, drive.claim, drive.retries)
}

async function isUntouched({ deps, claim }: Drive): Promise<boolean> {
  const source = await deps.bytes.open(claim.row())
  const { name, sizeBytes, lastModifiedEpochMs } = claim.row().file
  return (
    source.ok &&
    source.value.sizeBytes === sizeBytes &&
    source.value.file.name === name &&
    source.value.file.lastModifiedEpochMs === lastModifiedEpochMs
  )
}

/** A file that was opened, and how it compares with the one that the upload started with. */
interface Compared {
  readonly source: ByteSource
  readonly comparison: Exclude<FileComparison, 'differs'>
}

async function compareOpened({ deps, claim }: Drive): Promise<Result<Compared, UploadEvent>> {
  const source = await deps.bytes.open(claim.row())
  if (!source.ok) return err(bytesProblemEvent(source.error))
  const compared = await compareFile(
    deps.digest,
    source.value,
    claim.row(),
    Array.from(claim.parts.safe().values()),
  )
  if (!compared.ok) return err(bytesProblemEvent(compared.error))
  return compared.value === 'differs'
    ? err({ kind: 'file-differs' })
    : ok({ source: source.value, comparison: compared.value })
}

/** Opens and compares the file; the row takes a new name or time of the same bytes. */
async function openCompared(drive: Drive): Promise<Result<ByteSource, UploadEvent>> {
  const opened = await compareOpened(drive)
  if (!opened.ok) return opened
  const { source, comparison } = opened.value
  if (comparison === 'touched') await drive.claim.apply({ kind: 'file-touched', file: source.file })
  return ok(source)
}
