import { nextMetadataPollMs } from './metadata-schedule.ts'
import { moveOn, type RowOf, type StepDeps, type StepOutcome } from './steps.ts'
import { codeOf } from '#src/api/errors.ts'
import { send, sendWithStatus } from '#src/api/send.ts'
import { IDEMPOTENCY_HEADER } from '#src/config/paths.ts'
import type { AccountDb } from '#src/local/db/account-db.ts'
import { putUnlessNewer } from '#src/local/db/put.ts'
import type { SubmitEditsIntent, UploadRow } from '#src/local/db/rows.ts'
import { mediaJobToRow, orderToRow } from '#src/local/db/to-rows.ts'
import { isReceived } from '#src/local/db/upload-states.ts'
import { jobTables, putJobs } from '#src/local/db/media-jobs.ts'

type Row = RowOf<SubmitEditsIntent>

/** Words of the specification. */
const ANALYSIS_FAILED_MESSAGE = "We couldn't analyze your video. Please try again."
const UPLOAD_GONE_MESSAGE = 'The upload of this video was discarded.'
/**
 * While bytes are still on their way the server is asked seldom; the end of the upload wakes the
 * outbox anyway.
 */
const NOT_RECEIVED_POLL_MS = 30_000

/**
 * One step of "Submit for Editing": upload request -> job -> order. A price that goes by a length
 * which the server cannot know yet makes it wait: the order is asked for again when both ends of
 * the file have arrived, when all of it has, and at times between; after that for as long as the
 * server measures. Refusals of its own: `submission/upload-gone`, `submission/upload-failed`,
 * `submission/analysis-timeout`.
 */
export async function stepSubmitEdits(
  deps: StepDeps,
  row: Row,
  signal?: AbortSignal,
): Promise<StepOutcome> {
  const { intent } = row
  const upload = intent.uploadId === null ? undefined : await deps.db.uploads.get(intent.uploadId)
  if (intent.uploadRequestId === null) return takeUploadRequest(deps, row, upload)
  if (intent.mediaJobId === null) return createJob(deps, row, intent.uploadRequestId, signal)
  if (intent.stage !== 'analysing') return createOrder(deps, row, intent.mediaJobId, signal)
  if (await canBeMeasured(deps.db, intent, upload)) {
    await moveOn(deps, row, {
      ...intent,
      isReceived: hasArrived(upload),
      hasAskedEarly: true,
      stage: 'creating-order',
      polls: 0,
      polledForMs: 0,
    })
    return { kind: 'advanced' }
  }
  return pollMetadata(deps, row, intent.uploadRequestId, signal)
}

/**
 * True when more arrived at the server than when the order was asked for last; wakes a submission
 * before its next poll.
 */
export async function canBeMeasured(
  db: AccountDb,
  intent: SubmitEditsIntent,
  upload: UploadRow | undefined,
): Promise<boolean> {
  if (intent.stage !== 'analysing' || intent.isReceived || upload === undefined) return false
  return hasArrived(upload) || (intent.hasAskedEarly !== true && (await areEndsSafe(db, upload)))
}

/** Whether the server has the first and the last part. */
export async function areEndsSafe(db: AccountDb, { id, plan }: UploadRow): Promise<boolean> {
  if (plan === null) return false
  return (
    (await db.uploadParts
      .where('[uploadId+partNumber]')
      .anyOf([
        [id, 1],
        [id, plan.partCount],
      ])
      .count()) === Math.min(2, plan.partCount)
  )
}

async function takeUploadRequest(
  deps: StepDeps,
  row: Row,
  upload: UploadRow | undefined,
): Promise<StepOutcome> {
  if (upload === undefined || upload.state.kind === 'discarded')
    return { kind: 'refused', code: 'submission/upload-gone', message: UPLOAD_GONE_MESSAGE }
  if (upload.uploadRequestId === null) return { kind: 'wait', notBeforeEpochMs: Infinity }
  await moveOn(deps, row, {
    ...row.intent,
    uploadRequestId: upload.uploadRequestId,
    stage: 'creating-job',
  })
  return { kind: 'advanced' }
}

async function createJob(
  deps: StepDeps,
  row: Row,
  uploadRequestId: string,
  signal: AbortSignal | undefined,
): Promise<StepOutcome> {
  const answer = await send(
    deps.api.POST('/v2/media-jobs', {
      params: { header: { [IDEMPOTENCY_HEADER]: `${row.idempotencyKey}:job` } },
      body: {
        mediaJob: {
          uploadRequestId,
          mediaJobTaskRequests: [...row.intent.requests],
          ...redoOf(row.intent),
        },
      },
      ...(signal === undefined ? {} : { signal }),
    }),
  )
  if (!answer.ok) return { kind: 'failed', failure: answer.error }
  const { mediaJob } = answer.value
  const needsAnalysis = await isPricedByLength(deps, row.intent)
  await moveOn(
    deps,
    row,
    {
      ...row.intent,
      mediaJobId: mediaJob._id,
      isReceived: mediaJob.isUploadRequestCompleted,
      needsAnalysis,
      stage: 'creating-order',
    },
    () => putJobs(deps.db, [mediaJobToRow(mediaJob, deps.clock.now())]),
  )
  return { kind: 'advanced' }
}

/** From the presets this device knows; one it does not know is found out by the order's 409. */
async function isPricedByLength(deps: StepDeps, intent: SubmitEditsIntent): Promise<boolean> {
  const slugs = intent.requests.map((request) => request.mediaJobTaskPresetSlug)
  const presets = await deps.db.presets.where('slug').anyOf(slugs).toArray()
  return presets.some((preset) =>
    preset.value.pricingStrategies.some(
      (strategy) => strategy.pricingStrategySlug === 'usage-based',
    ),
  )
}

async function pollMetadata(
  deps: StepDeps,
  row: Row,
  uploadRequestId: string,
  signal: AbortSignal | undefined,
): Promise<StepOutcome> {
  const answer = await sendWithStatus(
    deps.api.GET('/v1/upload-requests/{id}/metadata', {
      params: { path: { id: uploadRequestId } },
      ...(signal === undefined ? {} : { signal }),
    }),
  )
  if (!answer.ok) return { kind: 'failed', failure: answer.error }
  const { uploadRequest } = answer.value.data
  if (answer.value.status === 202 && row.intent.isReceived) return waitForMeasure(deps, row)
  if (answer.value.status === 202) {
    await moveOn(deps, row, {
      ...row.intent,
      isReceived: uploadRequest.uploadEndedAt !== null,
      stage: 'creating-order',
      polls: 0,
      polledForMs: 0,
    })
    return { kind: 'advanced' }
  }
  if (uploadRequest.isFailed)
    return {
      kind: 'refused',
      code: 'submission/upload-failed',
      message: uploadRequest.failureReason ?? ANALYSIS_FAILED_MESSAGE,
    }
  await moveOn(deps, row, {
    ...row.intent,
    isReceived: true,
    isAnalysed: true,
    stage: 'creating-order',
  })
  return { kind: 'advanced' }
}

async function waitForMeasure(deps: StepDeps, row: Row): Promise<StepOutcome> {
  const { intent } = row
  if (!intent.isReceived)
    return { kind: 'wait', notBeforeEpochMs: deps.clock.now() + NOT_RECEIVED_POLL_MS }
  const delayMs = nextMetadataPollMs(intent, deps.random())
  if (delayMs === null)
    return {
      kind: 'refused',
      code: 'submission/analysis-timeout',
      message: ANALYSIS_FAILED_MESSAGE,
    }
  await moveOn(deps, row, {
    ...intent,
    polls: intent.polls + 1,
    polledForMs: intent.polledForMs + delayMs,
  })
  return { kind: 'wait', notBeforeEpochMs: deps.clock.now() + delayMs }
}

async function createOrder(
  deps: StepDeps,
  row: Row,
  mediaJobId: string,
  signal: AbortSignal | undefined,
): Promise<StepOutcome> {
  const { db } = deps
  const init = signal === undefined ? {} : { signal }
  const answer = await send(
    deps.api.POST('/v1/orders', {
      params: { header: { [IDEMPOTENCY_HEADER]: `${row.idempotencyKey}:order` } },
      body: { order: { mediaJobId, ...attestationOf(row.intent) } },
      ...init,
    }),
  )
  if (!answer.ok) {
    if (codeOf(answer.error) !== 'orders/metadata-pending')
      return { kind: 'failed', failure: answer.error }
    const intent: SubmitEditsIntent = {
      ...row.intent,
      needsAnalysis: true,
      isAnalysed: false,
      stage: 'analysing',
    }
    await moveOn(deps, row, intent)
    // Counted as a poll, so that a server that contradicts itself is not asked in a tight loop.
    return waitForMeasure(deps, { ...row, intent })
  }
  const answeredAtEpochMs = deps.clock.now()
  // The job now knows its order; failing to fetch it does not matter, the next pull brings it.
  const job = await send(
    deps.api.GET('/v1/media-jobs/{id}', { params: { path: { id: mediaJobId } }, ...init }),
  )
  await db.transaction('rw', [db.outbox, db.orders, ...jobTables(db)], async () => {
    await putUnlessNewer(db.orders, [orderToRow(answer.value.order, answeredAtEpochMs)])
    if (job.ok) await putJobs(db, [mediaJobToRow(job.value.mediaJob, deps.clock.now())])
    await db.outbox.delete(row.id)
  })
  return { kind: 'done' }
}

/** The server wants it with the first order of a video only. */
function attestationOf({ attestedVersion = null }: SubmitEditsIntent) {
  return attestedVersion === null ? {} : { attestation: { version: attestedVersion } }
}

function redoOf({ redoOfTaskId = null }: SubmitEditsIntent) {
  return redoOfTaskId === null ? {} : { redoOfTaskId }
}

function hasArrived(upload: UploadRow | undefined): boolean {
  return upload !== undefined && isReceived(upload.state.kind)
}
