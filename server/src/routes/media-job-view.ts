import { asc, desc, inArray } from 'drizzle-orm'
import type { components } from '#openapi/schema.gen.ts'
import type { Deps } from '#server/deps.ts'
import { mediaJobTasks, orders, taskOutputs, uploadRequests } from '#server/db/schema.ts'
import { readStoredProbe } from '#server/media/stored-probe.ts'
import type { JobRow } from '#server/operations/media-jobs/create.ts'
import { estimateRemainingMs } from '#server/operations/media-jobs/estimate.ts'
import { refundedByTaskId } from '#server/operations/orders/pay.ts'
import { parseSlug } from '#server/operations/presets.ts'
import type { TaskRow } from '#server/operations/tasks/claim.ts'
import type { UploadRow } from '#server/operations/uploads/find.ts'

export type MediaJobView = components['schemas']['MediaJob']
export type MediaJobTaskView = components['schemas']['MediaJobTask']
type Row = typeof taskOutputs.$inferSelect

/**
 * Jobs as the contract shows them, in the order given, with five queries however many there are.
 */
export async function viewMediaJobs(
  deps: Pick<Deps, 'db' | 'clock' | 'settings'>,
  jobs: readonly JobRow[],
): Promise<MediaJobView[]> {
  if (jobs.length === 0) return []
  const jobIds = jobs.map((job) => job.id)
  const [tasks, uploads, placed] = await Promise.all([
    deps.db
      .select()
      .from(mediaJobTasks)
      .where(inArray(mediaJobTasks.mediaJobId, jobIds))
      .orderBy(asc(mediaJobTasks.position)),
    deps.db
      .select()
      .from(uploadRequests)
      .where(
        inArray(
          uploadRequests.id,
          jobs.map((job) => job.uploadRequestId),
        ),
      ),
    deps.db
      .select({ id: orders.id, mediaJobId: orders.mediaJobId, status: orders.status })
      .from(orders)
      .where(inArray(orders.mediaJobId, jobIds))
      .orderBy(desc(orders.createdAt)),
  ])
  const taskViews = await viewTasks(deps, tasks)
  const viewById = new Map(taskViews.map((view) => [view._id, view]))
  return jobs.map((job) => {
    const own = tasks.filter((task) => task.mediaJobId === job.id)
    const upload = uploads.find((each) => each.id === job.uploadRequestId)
    const order = placed.find((each) => each.mediaJobId === job.id && each.status !== 'canceled')
    const remainingMs = estimateRemainingMs(own, deps.settings.renderConcurrency, deps.clock())
    return {
      _id: job.id,
      uploadRequestId: job.uploadRequestId,
      name: job.name,
      tasks: own.flatMap((task) => viewById.get(task.id) ?? []),
      mediaJobTaskRequests: own.map(viewRequest),
      progressRatio:
        own.length === 0
          ? 0
          : own.reduce((sum, task) => sum + (isEnded(task) ? 1 : task.progressRatio), 0) /
            own.length,
      isMediaWorkflowStarted: job.workflowStartedAt !== null,
      isMediaWorkflowFailed:
        own.length > 0 && own.every(isEnded) && !own.some((task) => task.status === 'succeeded'),
      ...viewUploadFacts(job, upload),
      orderIsPlaced: order !== undefined,
      orderId: order?.id ?? null,
      estimatedCompletedAt:
        job.workflowStartedAt === null || remainingMs === null
          ? null
          : new Date(deps.clock().getTime() + remainingMs).toISOString(),
      createdAt: job.createdAt.toISOString(),
    }
  })
}

/** Tasks with their outputs, in the order given. */
export async function viewTasks(
  deps: Pick<Deps, 'db'>,
  tasks: readonly TaskRow[],
): Promise<MediaJobTaskView[]> {
  if (tasks.length === 0) return []
  const ids = tasks.map((task) => task.id)
  const outputs = await deps.db
    .select()
    .from(taskOutputs)
    .where(inArray(taskOutputs.taskId, ids))
    .orderBy(asc(taskOutputs.position))
  const refunded = await refundedByTaskId(deps.db, ids)
  return tasks.map((task) => ({
    _id: task.id,
    name: task.name,
    status: task.status,
    mediaJobTaskPresetSlug: parseSlug(task.presetSlug),
    errorMessage: task.errorMessage,
    outputs: outputs.filter((output) => output.taskId === task.id).map(viewOutput),
    progressRatio: isEnded(task) ? 1 : task.progressRatio,
    refundedCoinAmount: refunded.get(task.id) ?? 0,
    createdAt: task.createdAt.toISOString(),
  }))
}

function viewUploadFacts(job: JobRow, upload: UploadRow | undefined) {
  return {
    isUploadRequestFailed: upload?.state === 'failed' || upload?.state === 'aborted',
    isUploadRequestCompleted: (upload?.uploadEndedAt ?? null) !== null,
    isUploadRequestValidated: upload?.state === 'validated',
    thumbnailUrl:
      (upload?.thumbnailKey ?? null) === null
        ? null
        : `/editors/api/v1/media-jobs/${job.id}/thumbnail`,
    videoDuration: readStoredProbe(upload?.probe)?.durationMs ?? null,
  }
}

function viewOutput(output: Row): MediaJobTaskView['outputs'][number] {
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
  // Stored as its recipe validated it against the same contract; the frame checks answers once
  // more.
  return {
    mediaJobTaskPresetSlug: task.presetSlug,
    ...(hasOptions ? { payload: task.payload } : {}),
  } as MediaJobView['mediaJobTaskRequests'][number]
}

function isEnded(task: TaskRow): boolean {
  return task.status === 'succeeded' || task.status === 'failed' || task.status === 'canceled'
}
