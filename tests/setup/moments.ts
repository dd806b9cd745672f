import { writeFile } from 'node:fs/promises'
import { expect } from 'vitest'
import type { components } from '#openapi/schema.gen.ts'
import type { MomentBoard } from '#recipes/moment-candidates.ts'
import type { MomentChoice } from '#recipes/moment-choice.ts'
import { momentBoard } from '#src/local/edits/moment-boards.ts'
import type { TaskRequest } from '#src/local/edits/task-requests.ts'
import { searchAhead } from '#server/operations/processing/rendering/search-ahead.ts'
import { validateUpload } from '#server/operations/workflows/upload-arrived.ts'
import type { TestClient } from './client.ts'
import { fetchJob } from './order.ts'
import { patience } from './patience.ts'
import { renderTask } from './render-task.ts'
import type { SignedUp, TestServer } from './server.ts'
import { uploadFile } from './upload.ts'

export type UploadMoments = components['schemas']['UploadMoments']
type Task = components['schemas']['MediaJob']['tasks'][number]

export const askForMoments = (client: TestClient, id: string) =>
  client.get<{ uploadMoments: UploadMoments }>(`/v1/upload-requests/${id}/moments`)

/** A video of one device that was checked; its id. */
async function checkedVideo(api: TestServer, { client }: SignedUp, path: string): Promise<string> {
  const { _id } = await uploadFile(client, path)
  const signal = AbortSignal.timeout(patience(60))
  await validateUpload(api.deps, { uploadRequestId: _id, signal })
  return _id
}

/** The same, searched for its moments. */
export async function searchedVideo(api: TestServer, me: SignedUp, path: string): Promise<string> {
  const id = await checkedVideo(api, me, path)
  expect((await askForMoments(me.client, id)).body.uploadMoments).toMatchObject({
    state: 'searching',
    moments: [],
    pictures: null,
  })
  await searchAhead(api.deps, { uploadRequestId: id, signal: AbortSignal.timeout(patience(60)) })
  return id
}

/** What the page makes of the answer of the server. */
export function boardFrom(
  request: TaskRequest,
  { source, moments, pictures }: Pick<UploadMoments, 'source' | 'moments' | 'pictures'>,
): { readonly board: MomentBoard; readonly begin: MomentChoice } {
  const found = { state: 'ready', source, moments, pictures, video: null } as const
  const made = momentBoard(request, found)
  if (made === null) throw new Error('nothing to choose')
  return made
}

/** The first task of a job, made as a worker makes it. */
export async function madeBy(api: TestServer, client: TestClient, jobId: string): Promise<Task> {
  for (const { _id } of (await fetchJob(client, jobId)).tasks)
    await renderTask(api.deps, { taskId: _id, stop: AbortSignal.timeout(patience(120)) })
  const { tasks } = await fetchJob(client, jobId)
  expect(tasks.map(({ status }) => status)).toEqual(['succeeded'])
  const [task] = tasks
  if (task === undefined) throw new Error('no task')
  return task
}

/** Downloads an output of a task to a path. */
export async function download(
  client: TestClient,
  task: Task,
  outputIndex: number,
  path: string,
): Promise<void> {
  const address = `/v1/media-job-tasks/${task._id}/outputs/${task.outputs[outputIndex]?._id}/download`
  await writeFile(path, await bytesOf(client, address))
}

export async function bytesOf(client: TestClient, path: string): Promise<Buffer> {
  const answer = await client.get(path)
  expect(answer.status).toBe(200)
  return Buffer.from(answer.bytes)
}
