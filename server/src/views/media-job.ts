import type { components } from '#openapi/schema.gen.ts'
import { shownName } from '#recipes/shown-name.ts'
import type { JobRow, OutputRow, TaskRow, UploadRow } from '#server/db/rows.ts'
import { readStoredImmersive, readStoredProbe } from '#server/media/stored-probe.ts'
import type { JobFacts, TaskFacts } from '#server/operations/media/media-jobs/facts.ts'
import { workWeights } from '#server/operations/media/media-jobs/estimate.ts'
import { parseSlug } from '#server/operations/core/presets/stored.ts'
import { viewTrim } from './upload-request.ts'

type MediaJobView = components['schemas']['MediaJob']
type MediaJobTaskView = components['schemas']['MediaJobTask']

/** A job as the contract shows it. */
export function viewMediaJob(facts: JobFacts): MediaJobView {
  const { job, upload, order, attestedAt } = facts
  const isHeld = (upload?.heldAt ?? null) !== null
  const tasks = facts.tasks.map(({ task }) => task)
  return {
    _id: job.id,
    uploadRequestId: job.uploadRequestId,
    name: shownName(job.name),
    tasks: facts.tasks
      .map(viewTask)
      .map((task) => (canBeEdited(upload) ? task : { ...task, redoUntil: null }))
      .map((task) => (isHeld ? { ...task, outputs: [] } : task)),
    mediaJobTaskRequests: tasks.map(viewRequest),
    progressRatio: jobProgress(tasks),
    isMediaWorkflowStarted:
      job.workflowStartedAt !== null || tasks.some(({ sourceUploadId }) => sourceUploadId !== null),
    isMediaWorkflowFailed:
      tasks.length > 0 &&
      tasks.every(isEnded) &&
      !tasks.some((task) => task.status === 'succeeded'),
    ...viewUploadFacts(job, upload),
    isHeld,
    attestedAt: attestedAt?.toISOString() ?? null,
    orderIsPlaced: order !== undefined,
    orderId: order?.id ?? null,
    estimatedCompletedAt: facts.estimatedCompletedAt?.toISOString() ?? null,
    createdAt: job.createdAt.toISOString(),
  }
}

/** A task with its outputs as the contract shows it. */
export function viewTask({
  task,
  outputs,
  refundedCoinAmount,
  filesGoAt,
  reviewUntil,
  redoUntil,
}: TaskFacts): MediaJobTaskView {
  return {
    _id: task.id,
    name: task.name,
    status: task.status,
    mediaJobTaskPresetSlug: parseSlug(task.presetSlug),
    errorMessage: task.errorMessage,
    outputs: outputs.map(viewOutput),
    progressRatio: progressOf(task),
    refundedCoinAmount,
    filesGoAt: filesGoAt?.toISOString() ?? null,
    review:
      task.reviewState === null
        ? null
        : { state: task.reviewState, until: reviewUntil?.toISOString() ?? null },
    redoOfTaskId: task.redoOfTaskId,
    redoUntil: redoUntil?.toISOString() ?? null,
    createdAt: task.createdAt.toISOString(),
  }
}

/** Whether its file is there and not held. */
function canBeEdited(upload: UploadRow | undefined): boolean {
  return upload?.state === 'validated' && upload.sourceRemovedAt === null && upload.heldAt === null
}

function viewUploadFacts(job: JobRow, upload: UploadRow | undefined) {
  return {
    isUploadRequestFailed: upload?.state === 'failed' || upload?.state === 'aborted',
    isUploadRequestCompleted: (upload?.uploadEndedAt ?? null) !== null,
    isUploadRequestValidated: upload?.state === 'validated',
    thumbnailUrl:
      (upload?.thumbnailKey ?? null) === null || (upload?.heldAt ?? null) !== null
        ? null
        : `/editors/api/v1/media-jobs/${job.id}/thumbnail`,
    videoDuration: readStoredProbe(upload?.probe)?.durationMs ?? null,
    videoImmersive: readStoredImmersive(upload?.findings),
    videoTrim: upload === undefined || upload.heldAt !== null ? null : viewTrim(upload),
  }
}

function viewOutput(output: OutputRow): MediaJobTaskView['outputs'][number] {
  if (output.kind === 'text') return { _id: output.id, kind: 'text', text: output.text ?? '' }
  return {
    _id: output.id,
    kind: 'download-button',
    buttonText: output.buttonText ?? '',
    downloadUrl: `/editors/api/v1/media-job-tasks/${output.taskId}/outputs/${output.id}/download`,
    fileName: output.fileName ?? '',
    contentType: output.contentType ?? 'application/octet-stream',
    sizeBytes: output.sizeBytes ?? 0,
    width: output.widthPx,
    height: output.heightPx,
    duration: output.durationMs,
  }
}

function viewRequest(task: TaskRow): MediaJobView['mediaJobTaskRequests'][number] {
  const hasOptions =
    typeof task.payload === 'object' &&
    task.payload !== null &&
    Object.keys(task.payload).length > 0
  // Stored as its recipe validated it against the same contract, and checked again as an answer.
  return {
    mediaJobTaskPresetSlug: task.presetSlug,
    ...(hasOptions ? { payload: task.payload } : {}),
  } as MediaJobView['mediaJobTaskRequests'][number]
}

/** By the work in each edit, so that what is left is as much as it takes. */
function jobProgress(tasks: readonly TaskRow[]): number {
  const weights = workWeights(tasks)
  const done = tasks.reduce((sum, task, at) => sum + progressOf(task) * (weights[at] ?? 0), 0)
  // Shares of one do not always add up to one.
  return tasks.length > 0 && tasks.every(isEnded) ? 1 : Math.min(done, 1)
}

function progressOf(task: TaskRow): number {
  return isEnded(task) ? 1 : task.progressRatio
}

function isEnded(task: TaskRow): boolean {
  return task.status === 'succeeded' || task.status === 'failed' || task.status === 'canceled'
}
