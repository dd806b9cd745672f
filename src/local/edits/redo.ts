import type { components } from '#openapi/schema.gen.ts'
import { findRecipe } from '#recipes/presets.ts'
import { discounted, REDO_DISCOUNT_PERCENT } from '#recipes/pricing.ts'
import { makeAgainPath, paths } from '#src/config/paths.ts'
import type { AccountDb } from '#src/local/db/account-db.ts'
import { chosenMoments, takesMoments, withoutMoments } from './moment-boards.ts'
import type { EditPrice } from './price.ts'
import { plainRequest, type TaskRequest } from './task-requests.ts'

type MediaJob = components['schemas']['MediaJob']
type Task = MediaJob['tasks'][number]

/** One edit of a video, and the newest order that makes it again. */
export interface RedoSubject {
  readonly job: MediaJob
  readonly task: Task
  /** What was asked for, with its options. */
  readonly request: TaskRequest
  /** The job that makes it again, paid or not; null without, and once its edit failed. */
  readonly redo: MediaJob | null
}

/** The key under which the choice of a redo is kept among the selections. */
export function redoSelectionKey(taskId: string): string {
  return `redo:${taskId}`
}

/** The edit that a job makes again; null for all other jobs. Rows of an older app say nothing. */
export function redoneTaskId({ tasks }: Pick<MediaJob, 'tasks'>): string | null {
  return tasks[0]?.redoOfTaskId ?? null
}

/** Where edits are chosen: the formats of a video, or the redo of a delivered edit. */
export function choicePath(uploadRequestId: string, redoOfTaskId: string | null): string {
  return redoOfTaskId === null
    ? paths.newMediaJob(uploadRequestId)
    : makeAgainPath(uploadRequestId, redoOfTaskId)
}

/** What this device knows of an edit to make again; null when it does not have it. Local read. */
export async function readRedoSubject(
  db: AccountDb,
  uploadRequestId: string,
  taskId: string,
): Promise<RedoSubject | null> {
  const jobs = await readJobsOf(db, uploadRequestId)
  for (const job of jobs) {
    const task = job.tasks.find(({ _id }) => _id === taskId)
    const slug = task?.mediaJobTaskPresetSlug
    const request = job.mediaJobTaskRequests.find((each) => each.mediaJobTaskPresetSlug === slug)
    if (task !== undefined && request !== undefined)
      return { job, task, request, redo: jobs.findLast((each) => isRedoOf(each, taskId)) ?? null }
  }
  return null
}

/** One edit that this device has; null when it does not. Local read. */
export async function readTask(
  db: AccountDb,
  uploadRequestId: string,
  taskId: string,
): Promise<Task | null> {
  const tasks = (await readJobsOf(db, uploadRequestId)).flatMap((job) => job.tasks)
  return tasks.find(({ _id }) => _id === taskId) ?? null
}

/** Why an edit cannot be made again at half price; null when it can. */
export type RedoObstacle = 'used' | 'late' | 'never'

/** As far as this device knows; the server decides. */
export function redoObstacle(
  { redoUntil }: Pick<Task, 'redoUntil'>,
  redo: Pick<MediaJob, 'isMediaWorkflowStarted'> | null,
  nowEpochMs: number,
): RedoObstacle | null {
  if (redo?.isMediaWorkflowStarted === true) return 'used'
  if (redoUntil === null || redoUntil === undefined) return 'never'
  return nowEpochMs < Date.parse(redoUntil) ? null : 'late'
}

/** The price of a redo. One that goes by a length that is not known yet is left as it is. */
export function redoPrice(price: EditPrice): EditPrice {
  return 'coinAmount' in price
    ? { ...price, coinAmount: discounted(price.coinAmount, REDO_DISCOUNT_PERCENT) }
    : price
}

/** Whether an edit has options or moments; others would come out as they are. */
export function canChange({
  mediaJobTaskPresetSlug: slug,
}: Pick<Task, 'mediaJobTaskPresetSlug'>): boolean {
  return takesMoments(slug) || plainRequest(slug) === null
}

/** Whether two requests of one format would make the same edit. */
export function makesTheSame(one: TaskRequest, other: TaskRequest): boolean {
  return signOf(one) === signOf(other)
}

/** The order of keys differs between a form and an answer; locks and bans change nothing. */
function signOf(request: TaskRequest): string {
  const shown = chosenMoments(request)?.shown ?? []
  const { mediaJobTaskPresetSlug, payload } = withoutMoments(request)
  const read = findRecipe(mediaJobTaskPresetSlug)?.validate(payload ?? {})
  const options = Object.entries(read?.ok === true ? read.value : {})
  return JSON.stringify([
    shown.map(({ startMs, endMs }) => [startMs, endMs]),
    options.toSorted(([one], [other]) => one.localeCompare(other)),
  ])
}

/** Oldest first. */
async function readJobsOf(db: AccountDb, uploadRequestId: string): Promise<readonly MediaJob[]> {
  const rows = await db.mediaJobs
    .where('uploadRequestId')
    .equals(uploadRequestId)
    .sortBy('createdAt')
  return rows.map(({ value }) => value)
}

function isRedoOf(job: MediaJob, taskId: string): boolean {
  return job.tasks.some(
    ({ redoOfTaskId, status }) =>
      redoOfTaskId === taskId && status !== 'failed' && status !== 'canceled',
  )
}
