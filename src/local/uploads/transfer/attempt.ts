/**
 * One attempt to bring one part to the server. It is one file because what an answer means depends
 * on what was asked before it.
 */
import { decidePut, type PutDecision } from './answers.ts'
import type { NotesByPart, PartNotes } from './part-notes.ts'
import type { PartQueue } from './part-queue.ts'
import type { PartUrl, PartUrls } from './part-urls.ts'
import type { PartsInFlight } from './parts-in-flight.ts'
import type { PieceSize } from './pieces.ts'
import type { ProgressMeter } from './progress-meter.ts'
import type { PartPlan } from '#src/local/db/rows.ts'
import { compareFile } from '#src/local/uploads/file/fingerprint.ts'
import type { PartHashes } from '#src/local/uploads/file/part-hashes.ts'
import type { UploadEvent } from '#src/local/uploads/model/machine.ts'
import {
  because,
  bytesProblemEvent,
  type Retries,
  type WaitCause,
} from '#src/local/uploads/model/problems.ts'
import { partRange, partSize } from '#src/local/uploads/model/plan.ts'
import type { UploadClaim } from '#src/local/uploads/model/upload-claim.ts'
import { expectedGapMs } from '#src/local/uploads/network/watchdog.ts'
import type { ByteSource, PutOutcome, PutPace, UploadDeps } from '#src/local/uploads/ports.ts'

/** What the attempts of one transfer share. */
export interface AttemptInput {
  readonly deps: UploadDeps
  readonly claim: UploadClaim
  readonly plan: PartPlan
  readonly isResumable: boolean
  readonly source: ByteSource
  readonly hashes: PartHashes
  readonly urls: PartUrls
  readonly notes: NotesByPart
  readonly pieces: PieceSize
  readonly retries: Retries
  readonly faults: { failedConnects: number; unanswered: number; silentFirstParts: number }
  readonly meter: ProgressMeter
}

/** The same, with what an attempt reports to its transfer. */
export interface AttemptContext extends AttemptInput {
  readonly queue: PartQueue
  readonly inFlight: PartsInFlight
  /** A part was read and hashed. */
  readonly hashed: () => void
  /** Ends the transfer; the first reason counts. */
  readonly end: (event: UploadEvent) => void
  /** See `UrlFetcher`. */
  readonly askApi: () => Promise<WaitCause | null>
}

/** How an attempt ended. `again`: after a wait for `cause`, or at once when it is null. */
export type AttemptEnd =
  | { readonly kind: 'stored' }
  | { readonly kind: 'again'; readonly cause: WaitCause | null; readonly losesSlot: boolean }

/** One attempt to bring one part to the server. */
interface Attempt {
  readonly context: AttemptContext
  readonly notes: PartNotes
  readonly url: PartUrl
  readonly sha256: string
  readonly signal: AbortSignal
}

/** Silent first parts, while the API works, before CORS is blamed. */
const CORS_STRIKES = 3
/** Answers of one attempt that bring the part no byte further; more of them are a wait. */
const MAX_IDLE_ANSWERS = 3

/** The part goes back into the queue, and may be tried at once. */
export const AGAIN: AttemptEnd = { kind: 'again', cause: null, losesSlot: false }

/**
 * Brings one part to the server: hash it, compare it with what the server has, ask how much of it
 * the server holds, send the rest in pieces, and record it. Reports reasons to stop to the context.
 * Rejects with `AbortError` when the attempt was dropped.
 *
 * @param url null for a part that the server lists: it is only compared
 */
export async function runAttempt(
  context: AttemptContext,
  notes: PartNotes,
  url: PartUrl | null,
  signal: AbortSignal,
): Promise<AttemptEnd> {
  const sha256 = await hashOf(context, notes)
  if (sha256 === null) return AGAIN
  signal.throwIfAborted()
  const listed = context.claim.parts.unproven().get(notes.partNumber)
  if (listed?.eTag != null && listed.sha256 === sha256)
    return confirm({ context, notes, sha256 }, listed.eTag)
  // The server has other bytes: they are sent again, to a URL that has to be asked for.
  context.claim.parts.disprove(notes.partNumber)
  if (url === null) return AGAIN
  if (url.sha256 !== null && url.sha256 !== sha256) {
    // The file was read again and is another one by now: its URL takes only what was read first.
    context.urls.drop(notes.partNumber)
    return AGAIN
  }
  const attempt: Attempt = { context, notes, url, sha256, signal }
  for (let idleAnswers = 0; idleAnswers < MAX_IDLE_ANSWERS;) {
    const before = notes.heldBytes
    const end = await act(attempt, await request(attempt))
    if (end !== null) return end
    if (notes.heldBytes > before) {
      idleAnswers = 0
      notes.failedInARow = 0
      context.queue.progressed()
    } else idleAnswers += 1
  }
  return later(because('server'))
}

/** The hash of the part; null when the file cannot be read, which ends the transfer. */
export async function hashOf(context: AttemptContext, notes: PartNotes): Promise<string | null> {
  if (notes.sha256 !== null) return notes.sha256
  const hashed = await context.hashes.take(notes.partNumber)
  if (hashed.ok) {
    notes.sha256 = hashed.value
    context.hashed()
  } else context.end(bytesProblemEvent(hashed.error))
  return notes.sha256
}

/** Asks for the offset if it is not known, else sends the next piece; returns what to do next. */
async function request(attempt: Attempt): Promise<PutDecision> {
  const { context, notes, url, sha256, signal } = attempt
  const { deps, plan, isResumable } = context
  const isAsking = isResumable && notes.mustAsk
  const { start, end } = partRange(plan, notes.partNumber)
  const offset = isResumable ? notes.heldBytes : 0
  const bodyBytes = isResumable ? context.pieces.next(end - start - offset) : end - start
  const startedAtMs = deps.clock.now()
  const common = { url: url.url, headers: url.headers, sha256, signal, pace: paceOf(context) }
  context.inFlight.sent(notes.partNumber, 0)
  const outcome = isAsking
    ? await deps.transport.offset(common)
    : await deps.transport.put({
        ...common,
        offset,
        partSizeBytes: end - start,
        body: context.source.slice(start + offset, start + offset + bodyBytes),
        onSent: (sentBytes) => context.inFlight.sent(notes.partNumber, sentBytes),
      })
  context.inFlight.answered(notes.partNumber, outcome)
  countFaults(context, outcome, bodyBytes)
  const decision = decidePut(outcome, {
    isUrlFresh: isUrlFresh(attempt),
    digestFailures: notes.digestFailures,
  })
  const didArrive = decision.kind === 'stored' || decision.kind === 'held'
  if (isAsking && didArrive) learnFromBreak(context, notes, decision)
  if (!isAsking && didArrive) context.pieces.answered(bodyBytes, deps.clock.now() - startedAtMs)
  if (!isAsking && !didArrive && outcome.kind === 'answer') context.pieces.startOver()
  if (!isAsking && outcome.kind === 'silence')
    notes.broken = { offset, sentBytes: outcome.movedBytes }
  notes.mustAsk = !didArrive
  const didShrink =
    decision.kind === 'smaller' && isResumable && !isAsking && context.pieces.refused(bodyBytes)
  return didShrink ? { kind: 'retry' } : decision
}

/** Bytes that were sent and are not there were lost on the way: smaller pieces lose less. */
function learnFromBreak(context: AttemptContext, notes: PartNotes, decision: PutDecision): void {
  const { broken } = notes
  notes.broken = null
  if (decision.kind === 'held' && broken !== null && decision.heldBytes <= broken.offset)
    context.pieces.lost(broken.sentBytes)
}

/** Getters, because the network may change while a part is in flight. */
function paceOf({ faults, meter, inFlight }: AttemptContext): PutPace {
  return {
    get failedConnects() {
      return faults.failedConnects
    },
    get unanswered() {
      return faults.unanswered
    },
    get expectedGapMs() {
      return expectedGapMs(meter.bytesPerSecond(), inFlight.count())
    },
    get bytesPerSecond() {
      return meter.bytesPerSecond()
    },
  }
}

function countFaults({ faults }: AttemptContext, outcome: PutOutcome, bodyBytes: number): void {
  if (outcome.kind === 'answer') {
    faults.failedConnects = 0
    faults.unanswered = 0
    return
  }
  faults.failedConnects = outcome.movedBytes === 0 ? faults.failedConnects + 1 : 0
  if (outcome.didStall && outcome.movedBytes >= bodyBytes) faults.unanswered += 1
}

/**
 * A URL that expired while the computer slept was fresh once; only the refusal of a URL that should
 * still work counts.
 */
function isUrlFresh({ context, notes, url }: Attempt): boolean {
  const { forbiddenGeneration } = notes
  const current = context.urls.get(notes.partNumber, context.deps.clock.now())
  return (
    current?.generation === url.generation &&
    forbiddenGeneration !== null &&
    url.generation > forbiddenGeneration
  )
}

/** Acts on a decision; null when the attempt goes on. */
async function act(attempt: Attempt, decision: PutDecision): Promise<AttemptEnd | null> {
  const { context, notes, url } = attempt
  switch (decision.kind) {
    case 'stored':
      return confirm(attempt, decision.eTag)
    case 'held':
      context.inFlight.hold(notes, decision.heldBytes)
      return null
    case 'look-up':
      return lookUp(attempt)
    case 'wait':
      return later(decision.cause, decision.losesSlot)
    case 'smaller':
      return later(decision.cause)
    case 'retry':
      return AGAIN
    case 'check-file':
      return checkFile(attempt)
    case 'fresh-url':
      notes.forbiddenGeneration = url.generation
      // Another attempt may have brought fresh URLs meanwhile.
      if (
        context.urls.get(notes.partNumber, context.deps.clock.now())?.generation === url.generation
      )
        context.urls.drop(notes.partNumber)
      return AGAIN
    case 'ask-api': {
      const problem = await context.askApi()
      return later(problem ?? decision.cause)
    }
    case 'hash-again':
      notes.digestFailures += 1
      notes.sha256 = null
      context.inFlight.hold(notes, 0)
      return AGAIN
    case 'verify-file':
      return verifyFile(attempt)
  }
}

async function confirm(
  { context, notes, sha256 }: Pick<Attempt, 'context' | 'notes' | 'sha256'>,
  eTag: string,
): Promise<AttemptEnd> {
  const sizeBytes = partSize(context.plan, notes.partNumber)
  const gainedBytes = context.claim.parts.unproven().has(notes.partNumber)
    ? 0
    : sizeBytes - notes.heldBytes
  await context.claim.confirmPart({ partNumber: notes.partNumber, eTag, sizeBytes, sha256 })
  context.meter.acknowledged(notes.partNumber, gainedBytes, context.claim.parts.safeBytes())
  context.retries.failedInARow = 0
  return { kind: 'stored' }
}

/**
 * The storage accepted the part but its ETag is unreadable (CORS hides it), or something in between
 * answered: the server's list says which.
 */
async function lookUp(attempt: Attempt): Promise<AttemptEnd> {
  const { context, notes, sha256 } = attempt
  const answer = await context.deps.api.partUrls(
    context.claim.row().uploadRequestId ?? '',
    [{ partNumber: notes.partNumber, sha256: null }],
    attempt.signal,
  )
  const part = answer.ok
    ? answer.value.find((listed) => listed.partNumber === notes.partNumber)
    : undefined
  return part?.eTag != null && (part.sha256 === null || part.sha256 === sha256)
    ? confirm(attempt, part.eTag)
    : later(because('network'))
}

/**
 * Status 0 hides the reason: reading one byte of the slice distinguishes a lost file from a lost
 * network.
 */
async function checkFile({ context, notes, url }: Attempt): Promise<AttemptEnd> {
  const { start } = partRange(context.plan, notes.partNumber)
  const probe = await context.source.read(start, start + 1)
  if (!probe.ok) {
    context.end(bytesProblemEvent(probe.error))
    return AGAIN
  }
  context.faults.silentFirstParts += 1
  const mayBeCors =
    context.claim.parts.safeBytes() === 0 &&
    context.faults.silentFirstParts >= CORS_STRIKES &&
    context.deps.transport.isForeign(url.url)
  return mayBeCors && (await context.askApi()) === null
    ? later({ reason: 'refused', code: 'upload/cors', retryAfterMs: null })
    : later(because('network'))
}

async function verifyFile({ context, notes }: Attempt): Promise<AttemptEnd> {
  const { deps, claim, source } = context
  notes.digestFailures = 0
  notes.sha256 = null
  context.inFlight.hold(notes, 0)
  const compared = await compareFile(
    deps.digest,
    source,
    claim.row(),
    Array.from(claim.parts.safe().values()),
  )
  if (!compared.ok) context.end(bytesProblemEvent(compared.error))
  else if (compared.value === 'differs') context.end({ kind: 'file-differs' })
  return later(because('network'))
}

function later(cause: WaitCause, losesSlot = false): AttemptEnd {
  return { kind: 'again', cause, losesSlot }
}
