import { execFileSync } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { startE2eServer, type E2eServer } from '#tests/setup/e2e-server.ts'
import { signUpAt } from '#tests/setup/e2e-sign-up.ts'
import { makeClip } from '#tests/setup/media.ts'
import { fetchJob, payFor, requestEdits } from '#tests/setup/order.ts'
import { uploadFile } from '#tests/setup/upload.ts'
import type { TestClient } from '#tests/setup/client.ts'

let server: E2eServer
let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'onecut-clip-'))
  server = await startE2eServer()
})
afterEach(async () => {
  await server.dispose()
  await rm(folder, { recursive: true, force: true })
})

/** ffmpeg processes below a process, however deep. */
function ffmpegBelow(pid: number | null): number[] {
  const rows = execFileSync('ps', ['-eo', 'pid=,ppid=,comm='], { encoding: 'utf8' })
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
  const below = (parent: number): string[][] =>
    rows
      .filter(([, ppid]) => Number(ppid) === parent)
      .flatMap((row) => [row, ...below(Number(row[0]))])
  return pid === null
    ? []
    : below(pid)
        .filter(([, , name]) => name === 'ffmpeg')
        .map(([id]) => Number(id))
}

function isAlive(pid: number): boolean {
  // A zombie, which its parent has not waited for, is not a running process.
  return /^[^ZX]/.test(
    execFileSync('sh', ['-c', `ps -o stat= -p ${pid} || true`], { encoding: 'utf8' }).trim(),
  )
}

async function startRender(): Promise<{
  client: TestClient
  mediaJobId: string
  ffmpegs: number[]
}> {
  const { client } = await signUpAt(server)
  const clip = join(folder, 'long.mp4')
  await makeClip(clip, 16, { size: '1280x720' })
  const upload = await uploadFile(client, clip)
  await expect
    .poll(async () => (await client.get(`/v1/upload-requests/${upload._id}/metadata`)).status, {
      timeout: 30_000,
    })
    .toBe(200)
  const job = await requestEdits(client, upload._id, [
    { mediaJobTaskPresetSlug: 'dynamic-watermark', payload: { text: 'mara' } },
  ])
  await payFor(client, job._id)
  await expect
    .poll(() => ffmpegBelow(server.pid()).length, { timeout: 30_000, interval: 50 })
    .toBeGreaterThan(0)
  return { client, mediaJobId: job._id, ffmpegs: ffmpegBelow(server.pid()) }
}

describe('a server that ends while it renders', () => {
  it.each(['stop', 'kill'] as const)(
    'takes its ffmpeg along and finishes the edit after the next start (%s)',
    { timeout: 180_000 },
    async (end) => {
      const { client, mediaJobId, ffmpegs } = await startRender()
      const code = await server[end]()
      if (end === 'stop') expect(code).toBe(0)
      await expect.poll(() => ffmpegs.filter(isAlive), { timeout: 5_000 }).toEqual([])
      await server.start()
      await expect
        .poll(async () => (await fetchJob(client, mediaJobId)).tasks[0]?.status, {
          timeout: 120_000,
          interval: 250,
        })
        .toBe('succeeded')
    },
  )
})
