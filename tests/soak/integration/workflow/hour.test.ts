import type { ChildProcess } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { checkedUploads } from '#tests/setup/checked-upload.ts'
import {
  begunAgain,
  expectOneResult,
  expectTheWhole,
  freezeOne,
  untilWorkersSay,
  watchSegments,
} from '#tests/setup/divided-edit.ts'
import { paidWatermark, saveResult } from '#tests/setup/order.ts'
import { patience } from '#tests/setup/patience.ts'
import { payer } from '#tests/setup/payments.ts'
import { renderTask } from '#tests/setup/render-task.ts'
import { movingClip } from '#tests/setup/segment-figures.ts'
import { startTestServer, type SignedUp, type TestServer } from '#tests/setup/server.ts'
import { startWorker } from '#tests/setup/worker.ts'

const HOUR_S = 3600
const MINUTES = 60

let server: TestServer
let me: SignedUp
let folder: string
const workers: ChildProcess[] = []

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'onecut-hour-'))
  // With the lengths that every installation has.
  server = await startTestServer()
  me = await server.signUp()
})
afterAll(async () => {
  for (const worker of workers) worker.kill('SIGKILL')
  await server.stop()
  await rm(folder, { recursive: true, force: true })
})

it(
  'SCL-07 an edit of an hour in segments of a minute, of which a worker is killed, equals the whole',
  { timeout: patience(3000) },
  async () => {
    const person = payer(me.client)
    const session = await person.buy(10_000)
    await person.press(session, 'pay')
    await person.look(session)
    const clip = await movingClip('15/1', HOUR_S)
    const uploadId = await checkedUploads(server)(me.client, clip.path)
    const ordered = async () => await paidWatermark(me.client, uploadId)
    const alone = await ordered()
    await renderTask(server.deps, {
      taskId: alone.taskId,
      stop: AbortSignal.timeout(patience(1500)),
    })
    const whole = await saveResult(me.client, alone.jobId, folder)
    for (let n = 0; n < 2; n += 1) workers.push(await startWorker(server))
    await untilWorkersSay(server, 2)
    const { jobId, taskId } = await ordered()
    const watching = watchSegments(server, taskId)
    const { worker, making } = await freezeOne(server, { started: workers, taskId }, 'other')
    worker.kill('SIGKILL')
    const watched = await watching
    expect(begunAgain(watched, MINUTES)).toEqual(making)
    await expectTheWhole(await saveResult(me.client, jobId, folder), whole)
    await expectOneResult(server, taskId)
  },
)
