import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { livingPostmaster } from '#server/db/embedded/stale-locks.ts'
import { startE2eServer, type E2eServer } from '#tests/setup/e2e-server.ts'
import { signUpAt } from '#tests/setup/e2e-sign-up.ts'
import { makeClip } from '#tests/setup/media.ts'
import { balance, fetchJob, payFor, requestEdits, type MediaJob } from '#tests/setup/order.ts'
import { beginUpload, uploadFile } from '#tests/setup/upload.ts'
import type { TestClient } from '#tests/setup/client.ts'
import { patience } from '#tests/setup/patience.ts'
import { crash, killDatabase, toolsOf } from './crash-harness.ts'

let server: E2eServer
let client: TestClient
let folder: string
let uploadId: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'onecut-kill-'))
  const clip = join(folder, 'clip.mp4')
  await makeClip(clip, 8, { size: '640x360' })
  server = await startE2eServer({ ONECUT_WORKERS: '2' })
  ;({ client } = await signUpAt(server))
  uploadId = (await uploadFile(client, clip))._id
  await vi.waitFor(
    async () =>
      expect((await client.get(`/v1/upload-requests/${uploadId}/metadata`)).status).toBe(200),
    { timeout: patience(30), interval: 100 },
  )
})
afterAll(async () => {
  await server.dispose()
  await rm(folder, { recursive: true, force: true })
})

it('JOB-08 a server whose database is killed starts it again, keeps everything and goes on', async () => {
  const upload = await beginUpload(client, 1000)
  const pid = server.pid()
  await killDatabase(server)
  await expect
    .poll(async () => (await client.get(`/v1/upload-requests/${upload._id}`)).status, {
      timeout: patience(20),
      interval: 50,
    })
    .toBe(200)
  expect(server.pid()).toBe(pid)
  expect((await beginUpload(client, 2000)).state).toBe('open')
  // Mail goes through the queue, so that one works again too.
  await expect
    .poll(async () => (await signUpAt(server)).email, { timeout: patience(20) })
    .toMatch(/@/)
})

it('JOB-08 an edit goes on by itself, is delivered once and charged once, whether the server was killed with its database or ended by Ctrl-C', async () => {
  const before = await balance(client)
  const job = await requestEdits(client, uploadId, [
    { mediaJobTaskPresetSlug: 'dynamic-watermark', payload: { text: '@mara' } },
    { mediaJobTaskPresetSlug: 'still-pack' },
  ])
  await payFor(client, job._id)
  const price = before - (await balance(client))
  expect(price).toBeGreaterThan(0)
  for (const end of ['kill with the database', 'Ctrl-C']) {
    // At once, because a machine with other work may look again only when the edit is made.
    await expect
      .poll(() => toolsOf(server).some((command) => command.includes('task-')), {
        timeout: patience(60),
        interval: 20,
      })
      .toBe(true)
    if (end === 'Ctrl-C') await interrupt()
    else await crash(server, { withDatabase: true })
    await server.start()
  }
  const done = await settled(job._id)
  expect(
    done.tasks.map((task) => [task.status, task.errorMessage, task.refundedCoinAmount]),
  ).toEqual([
    ['succeeded', null, 0],
    ['succeeded', null, 0],
  ])
  expect(before - (await balance(client))).toBe(price)
  const outputs = done.tasks.flatMap((task) => task.outputs)
  expect(new Set(outputs.map((output) => output._id)).size).toBe(outputs.length)
  expect(outputs.map(positionIn(done))).toEqual([...new Set(outputs.map(positionIn(done)))])
  for (const output of outputs) {
    if (output.kind !== 'download-button') continue
    const file = await client.get(output.downloadUrl)
    expect([file.status, file.bytes.length]).toEqual([200, output.sizeBytes])
  }
  // Nothing of the attempts that were cut off stays: one stored file an output, no work folder.
  for (const task of done.tasks)
    expect(await storedFiles(task._id)).toHaveLength(task.outputs.length)
  await expect
    .poll(async () => await readdir(join(server.dataDir, 'scratch')).catch(() => []))
    .toEqual([])
  expect(toolsOf(server)).toEqual([])
})

async function interrupt(): Promise<void> {
  expect(await server.stop()).toBe(0)
  expect(await livingPostmaster(join(server.dataDir, 'postgres'))).toBeNull()
  expect(toolsOf(server)).toEqual([])
}

async function settled(id: string): Promise<MediaJob> {
  const isEnded = async (): Promise<boolean> =>
    (await fetchJob(client, id)).tasks.every(
      ({ status }) => status === 'succeeded' || status === 'failed',
    )
  await expect.poll(isEnded, { timeout: patience(90), interval: 200 }).toBe(true)
  return await fetchJob(client, id)
}

/** What a creator would call the same result twice: the same button of the same edit. */
function positionIn(
  job: MediaJob,
): (output: MediaJob['tasks'][number]['outputs'][number]) => string {
  return (output) =>
    `${job.tasks.findIndex((task) => task.outputs.includes(output))}: ${output.kind === 'download-button' ? `${output.buttonText} ${output.fileName}` : output.text}`
}

async function storedFiles(taskId: string): Promise<string[]> {
  const found = await readdir(join(server.dataDir, 'store/objects/outputs', taskId), {
    recursive: true,
    withFileTypes: true,
  })
  return found.filter((each) => each.isFile()).map(({ name }) => name)
}
