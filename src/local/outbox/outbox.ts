import { stepAbortUpload } from './abort-upload.ts'
import { stepChooseSound } from './choose-sound.ts'
import { isAssetDue, stepCreateMediaAsset } from './create-media-asset.ts'
import { stepDeleteMediaAsset } from './delete-media-asset.ts'
import { stepSaveFaceReview } from './save-face-review.ts'
import { stepRenameVideo } from './rename-video.ts'
import type { StepDeps, StepOutcome } from './steps.ts'
import { canBeMeasured, stepSubmitEdits } from './submit-edits.ts'
import {
  apiFailureMessage,
  codeOf,
  isTransient,
  statusOf,
  type ApiFailure,
} from '#src/api/errors.ts'
import type { OutboxRow } from '#src/local/db/rows.ts'
import { backoffMs } from '#src/lib/backoff.ts'
import type { Locks } from '#src/lib/locks.ts'
import type { Log } from '#src/lib/log.ts'

export interface OutboxDeps extends StepDeps {
  readonly locks: Locks
  readonly log: Log
  /**
   * Asking for a measure pauses while the page is hidden; everything else goes on. Always true in
   * workers. See docs/product-decisions.md#metadata-polling.
   */
  readonly isVisible: () => boolean
}

/** The name of the lock that only one context of this origin holds while it drains. */
const OUTBOX_LOCK = 'outbox'

const BACKOFF = { firstDelayMs: 2000, maxDelayMs: 5 * 60_000 }
/** A session that ended: signing in wakes the outbox, this is only the fallback. */
const NO_SESSION_WAIT_MS = 60_000
/** A bug in a step must not spin. No intention has so many steps without a wait between them. */
const STEPS_AT_A_STRETCH = 10

/**
 * Sends every intention that is due, oldest first, under the lock `outbox`; one that waits does not
 * hold up the others. Another context that drains already makes this return at once.
 * @returns when to drain again (epoch ms); Infinity when only a change of rows can give work
 */
export async function drainOutbox(deps: OutboxDeps, signal?: AbortSignal): Promise<number> {
  const drained = await deps.locks.ifFree(OUTBOX_LOCK, async () => {
    for (const row of await deps.db.outbox.orderBy('createdAtEpochMs').toArray()) {
      if (signal?.aborted === true) return
      if (await isDue(deps, row)) await process(deps, row, signal)
    }
  })
  return drained ? nextDue(deps) : deps.clock.now() + BACKOFF.firstDelayMs
}

async function isDue(deps: OutboxDeps, row: OutboxRow): Promise<boolean> {
  if (row.state.kind === 'refused') return false
  return (row.notBeforeEpochMs <= deps.clock.now() && !isPaused(deps, row)) || isRoused(deps, row)
}

/**
 * Waits that another row ends, looked at or not: the upload got its id, enough of it arrived, or it
 * is over.
 */
async function isRoused(deps: OutboxDeps, row: OutboxRow): Promise<boolean> {
  const { intent } = row
  if (intent.kind === 'create-media-asset') return row.attempt === 0 && isAssetDue(deps.db, intent)
  if (intent.kind !== 'submit-edits' || intent.uploadId === null || row.attempt > 0) return false
  const upload = await deps.db.uploads.get(intent.uploadId)
  if (intent.uploadRequestId === null)
    return (
      upload === undefined || upload.uploadRequestId !== null || upload.state.kind === 'discarded'
    )
  return canBeMeasured(deps.db, intent, upload)
}

async function process(
  deps: OutboxDeps,
  row: OutboxRow,
  signal: AbortSignal | undefined,
): Promise<void> {
  for (let count = 0; count < STEPS_AT_A_STRETCH; count += 1) {
    // Why it had to wait is true until it is answered.
    const limit = count === 0 && row.state.kind === 'waiting' ? row.state.limit : undefined
    const state = limit === undefined ? {} : { limit }
    await deps.db.outbox.update(row.id, { state: { kind: 'sending', ...state } })
    const present = await deps.db.outbox.get(row.id)
    if (present === undefined) return
    const outcome = await step(deps, present, signal)
    if (outcome.kind === 'done') return
    if (outcome.kind !== 'advanced') {
      await settle(deps, row.id, outcome)
      return
    }
  }
  deps.log.error('an intention made too many steps at a stretch', { kind: row.intent.kind })
  await deps.db.outbox.update(row.id, {
    state: { kind: 'waiting' },
    notBeforeEpochMs: deps.clock.now() + BACKOFF.maxDelayMs,
  })
}

function step(
  deps: OutboxDeps,
  row: OutboxRow,
  signal: AbortSignal | undefined,
): Promise<StepOutcome> {
  const { intent } = row
  switch (intent.kind) {
    case 'submit-edits':
      return stepSubmitEdits(deps, { ...row, intent }, signal)
    case 'abort-upload':
      return stepAbortUpload(deps, { ...row, intent }, signal)
    case 'create-media-asset':
      return stepCreateMediaAsset(deps, { ...row, intent }, signal)
    case 'delete-media-asset':
      return stepDeleteMediaAsset(deps, { ...row, intent }, signal)
    case 'rename-video':
      return stepRenameVideo(deps, { ...row, intent }, signal)
    case 'save-face-review':
      return stepSaveFaceReview(deps, { ...row, intent }, signal)
    case 'choose-sound':
      return stepChooseSound(deps, { ...row, intent }, signal)
  }
}

async function settle(
  deps: OutboxDeps,
  id: string,
  outcome: Exclude<StepOutcome, { kind: 'done' | 'advanced' }>,
): Promise<void> {
  switch (outcome.kind) {
    case 'wait':
      await deps.db.outbox.update(id, {
        state: { kind: 'waiting' },
        notBeforeEpochMs: outcome.notBeforeEpochMs,
      })
      return
    case 'refused':
      await deps.db.outbox.update(id, {
        state: { kind: 'refused', code: outcome.code, message: outcome.message },
      })
      return
    case 'failed':
      await settleFailure(deps, id, outcome.failure)
  }
}

async function settleFailure(deps: OutboxDeps, id: string, failure: ApiFailure): Promise<void> {
  const row = await deps.db.outbox.get(id)
  if (row === undefined) return
  const now = deps.clock.now()
  if (failure.code === 'api/aborted')
    await deps.db.outbox.update(id, { state: { kind: 'waiting' } })
  else if (statusOf(failure) === 401)
    await deps.db.outbox.update(id, {
      state: { kind: 'waiting', isForSession: true },
      // The server was reached: it is not what the next try waits for.
      attempt: 0,
      notBeforeEpochMs: now + NO_SESSION_WAIT_MS,
    })
  else if (isTransient(failure) || codeOf(failure) === 'auth/xsrf') {
    const attempt = row.attempt + 1
    const delayMs = backoffMs(
      BACKOFF,
      attempt,
      deps.random(),
      failure.code === 'api/http' ? failure.retryAfterMs : null,
    )
    await deps.db.outbox.update(id, {
      state:
        codeOf(failure) === 'request/too-many'
          ? { kind: 'waiting', limit: apiFailureMessage(failure) }
          : { kind: 'waiting' },
      attempt,
      notBeforeEpochMs: now + delayMs,
    })
  } else
    await deps.db.outbox.update(id, {
      state: { kind: 'refused', code: codeOf(failure), message: apiFailureMessage(failure) },
    })
}

async function nextDue(deps: OutboxDeps): Promise<number> {
  const rows = await deps.db.outbox
    .filter((row) => row.state.kind !== 'refused' && !isPaused(deps, row))
    .toArray()
  return Math.min(Infinity, ...rows.map((row) => row.notBeforeEpochMs))
}

function isPaused(deps: OutboxDeps, row: OutboxRow): boolean {
  return row.intent.kind === 'submit-edits' && row.intent.stage === 'analysing' && !deps.isVisible()
}
