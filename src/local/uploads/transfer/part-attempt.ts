import { decidePut, type PutDecision } from './answers.ts'
import { isSameFile } from '#src/local/uploads/file/fingerprint.ts'
import type { PartUrl } from './part-urls.ts'
import { partRange, partSize } from '#src/local/uploads/model/plan.ts'
import { bytesProblemEvent } from '#src/local/uploads/model/problems.ts'
import type { TransferContext } from './transfer-context.ts'
import { expectedGapMs, type PutPace } from '#src/local/uploads/network/watchdog.ts'
import type { UploadFailureCode } from '#src/local/db/rows.ts'

/** Silent first parts, while the API works, before CORS is blamed. */
const CORS_STRIKES = 3
/** The failure count is capped at this while bytes move: waits of 8 s at most. */
const MOVING_FAILURES = 3

/** How an attempt ended: the part is safe, or it must be sent again. */
export type AttemptEnd =
  { readonly kind: 'safe' } | { readonly kind: 'again'; readonly losesSlot: boolean }

/** One attempt to send one part. */
export interface PartAttempt {
  readonly partNumber: number
  readonly url: PartUrl
  readonly signal: AbortSignal
  /**
   * Called when the storage has the part: its slot is free, while the row that makes it safe is
   * still being written.
   */
  readonly onStored: (tookMs: number) => void
}

interface PartHistory {
  forbiddenGeneration: number | null
  digestFailures: number
  refusals: number
}
interface SentAttempt extends PartAttempt {
  readonly sha256: string
  readonly tookMs: number
  readonly history: PartHistory
}

const AGAIN: AttemptEnd = { kind: 'again', losesSlot: false }

/**
 * Runs one attempt: hash, send, interpret the answer, confirm. Reports reasons to stop and
 * back-offs to the context. Rejects with `AbortError` when the attempt was dropped.
 *
 * @param refresh asks the server for its part list; false when there was no answer (the context
 * knows why)
 */
export function createAttemptRunner(
  context: TransferContext,
  refresh: () => Promise<boolean>,
): (attempt: PartAttempt) => Promise<AttemptEnd> {
  const histories = new Map<number, PartHistory>()
  return async (attempt) => {
    const { partNumber, url, signal } = attempt
    const history = histories.get(partNumber) ?? {
      forbiddenGeneration: null,
      digestFailures: 0,
      refusals: 0,
    }
    histories.set(partNumber, history)
    const { deps, plan, source, meter, faults, retries } = context
    const { start, end } = partRange(plan, partNumber)
    const hashed = await context.hashes.take(partNumber)
    if (!hashed.ok) return retryAfter(() => context.end(bytesProblemEvent(hashed.error)))
    const sha256 = hashed.value
    signal.throwIfAborted()
    const startedAtMs = deps.clock.now()
    meter.sent(partNumber, 0)
    const outcome = await deps.transport.put({
      url: url.url,
      body: source.slice(start, end),
      sha256,
      signal,
      pace: paceOf(context),
      onSent: (sentBytes) => meter.sent(partNumber, sentBytes),
    })
    const isStalled = outcome.kind === 'silence' && outcome.didStall
    if (!isStalled) context.storage.answered(partNumber)
    // During a storage outage its trial decides when to resume; a part that stalled meanwhile says
    // nothing new.
    else if (context.storage.isOngoing()) return AGAIN
    if (outcome.kind === 'silence') {
      faults.failedConnects = outcome.movedBytes === 0 ? faults.failedConnects + 1 : 0
      // A network that moves bytes is not down, however often connections break. But "moved" bytes
      // may only be in the system's buffers, so the back-off does not vanish; it ends when a part
      // arrives.
      if (outcome.movedBytes > 0)
        retries.failedInARow = Math.min(retries.failedInARow, MOVING_FAILURES)
    }
    const isUnanswered = isStalled && outcome.movedBytes >= end - start
    // Attempts that end by one fault are one failure.
    if (isUnanswered && context.backingOff() === null) context.network.unansweredParts += 1
    // A URL that expired while the computer slept was fresh once; only the refusal of a URL that
    // should still work counts.
    const shouldWork = context.urls.get(partNumber, deps.clock.now())?.generation === url.generation
    const isUrlFresh =
      shouldWork &&
      history.forbiddenGeneration !== null &&
      url.generation > history.forbiddenGeneration
    const decision = decidePut(outcome, {
      isUrlFresh,
      digestFailures: history.digestFailures,
      refusals: history.refusals,
    })
    const settled = await act(context, refresh, decision, {
      ...attempt,
      sha256,
      tookMs: deps.clock.now() - startedAtMs,
      history,
    })
    // Fewer parts at once get their answers sooner on a network that is slower than it seems.
    return isUnanswered && settled.kind === 'again' ? { ...settled, losesSlot: true } : settled
  }
}

/** Getters, because the network may change while a part is in flight. */
function paceOf({ faults, network, meter, partsInFlight }: TransferContext): PutPace {
  return {
    get failedConnects() {
      return faults.failedConnects
    },
    get unansweredParts() {
      return network.unansweredParts
    },
    get expectedGapMs() {
      return expectedGapMs(meter.bytesPerSecond(), partsInFlight())
    },
    get bytesPerSecond() {
      return meter.bytesPerSecond()
    },
  }
}

async function act(
  context: TransferContext,
  refresh: () => Promise<boolean>,
  decision: PutDecision,
  attempt: SentAttempt,
): Promise<AttemptEnd> {
  const { history, partNumber, url } = attempt
  switch (decision.kind) {
    case 'safe':
      return confirm(context, attempt, decision.eTag)
    case 'look-up':
      return lookUp(context, attempt)
    case 'back-off':
      context.backOff(decision.reason, decision.retryAfterMs)
      return { kind: 'again', losesSlot: decision.losesSlot }
    case 'check-file':
      return checkFile(context, refresh, attempt)
    case 'fresh-url':
      history.forbiddenGeneration = url.generation
      // Another attempt may have brought fresh URLs meanwhile.
      if (context.urls.get(partNumber, context.deps.clock.now())?.generation === url.generation)
        context.urls.drop(partNumber)
      return AGAIN
    case 'ask-api':
      history.refusals += 1
      if (!(await refresh())) return AGAIN
      if (decision.ifStillOpen === 'fail') return fail(context, 'upload/server-misconfigured')
      return retryAfter(() =>
        decision.ifStillOpen === 'expire'
          ? context.end({ kind: 'gone' })
          : context.backOff('server', null),
      )
    case 'hash-again':
      history.digestFailures += 1
      return AGAIN
    case 'verify-file':
      return verifyFile(context, history)
    case 'fail':
      return fail(context, decision.code)
  }
}

async function confirm(
  context: TransferContext,
  attempt: SentAttempt,
  eTag: string,
): Promise<AttemptEnd> {
  const { partNumber, sha256, tookMs, history } = attempt
  attempt.onStored(tookMs)
  await context.claim.confirmPart({
    partNumber,
    eTag,
    sizeBytes: partSize(context.plan, partNumber),
    sha256,
  })
  Object.assign(history, { forbiddenGeneration: null, digestFailures: 0, refusals: 0 })
  context.retries.failedInARow = 0
  context.faults.failedConnects = 0
  context.network.unansweredParts = 0
  context.meter.confirmed(partNumber, context.claim.row().safeBytes)
  return { kind: 'safe' }
}

/**
 * The storage accepted the part but its ETag is unreadable (CORS hides it): look it up in the
 * server's list.
 */
async function lookUp(context: TransferContext, attempt: SentAttempt): Promise<AttemptEnd> {
  const answer = await context.deps.api.read(
    context.claim.row().uploadRequestId ?? '',
    context.claim.signal,
  )
  const part = answer.ok
    ? answer.value.parts.find((listed) => listed.partNumber === attempt.partNumber)
    : undefined
  if (
    part !== undefined &&
    part.eTag !== null &&
    part.storedBytes === partSize(context.plan, attempt.partNumber)
  )
    return confirm(context, attempt, part.eTag)
  return retryAfter(() => context.backOff('server', null))
}

/**
 * Status 0 hides the reason: reading one byte of the slice distinguishes a lost file from a lost
 * network.
 */
async function checkFile(
  context: TransferContext,
  refresh: () => Promise<boolean>,
  attempt: SentAttempt,
): Promise<AttemptEnd> {
  const { start } = partRange(context.plan, attempt.partNumber)
  const probe = await context.source.read(start, start + 1)
  if (!probe.ok) return retryAfter(() => context.end(bytesProblemEvent(probe.error)))
  context.backOff('network', null)
  context.faults.silentFirstParts += 1
  const mayBeCors =
    context.claim.safeParts().size === 0 &&
    context.faults.silentFirstParts >= CORS_STRIKES &&
    context.deps.transport.isForeign(attempt.url.url)
  return mayBeCors && (await refresh()) ? fail(context, 'upload/cors') : AGAIN
}

async function verifyFile(context: TransferContext, history: PartHistory): Promise<AttemptEnd> {
  history.digestFailures = 0
  const { deps, claim, source } = context
  const same = await isSameFile(
    deps.digest,
    source,
    claim.row(),
    Array.from(claim.safeParts().values()),
  )
  if (!same.ok) return retryAfter(() => context.end(bytesProblemEvent(same.error)))
  return retryAfter(() =>
    same.value ? context.backOff('network', null) : context.end({ kind: 'file-differs' }),
  )
}

function fail(context: TransferContext, code: UploadFailureCode): AttemptEnd {
  return retryAfter(() => context.end({ kind: 'fail', code, message: null }))
}

/** Reports a reason to the context; the part must be sent again. */
function retryAfter(report: () => void): AttemptEnd {
  report()
  return AGAIN
}
