import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { usageUnits } from '#recipes/pricing.ts'
import { checkUpload } from '#server/media/check-upload.ts'
import type { Ffmpeg } from '#server/media/ffmpeg.ts'
import { makeClip, testFfmpeg } from '#tests/setup/media.ts'
import { makeMinutes } from '#tests/setup/minutes.ts'
import { patience } from '#tests/setup/patience.ts'

// Containers and lengths like those that `npm test` checks.
let ffmpeg: Ffmpeg
let dir = ''
const at = (name: string): string => join(dir, name)
beforeAll(async () => {
  ffmpeg = await testFfmpeg()
  dir = await mkdtemp(join(tmpdir(), 'onecut-containers-'))
})
afterAll(() => rm(dir, { recursive: true, force: true }))

async function lengthOf(name: string): Promise<number> {
  const result = await checkUpload(ffmpeg, {
    path: at(name),
    fileName: name,
    purpose: 'media-job',
    scratchDir: dir,
    signal: AbortSignal.timeout(patience(60)),
  })
  if (!result.ok) throw new Error(`${result.error.message} ${result.error.detail}`)
  return result.value.probe.source.durationMs
}

it.each([
  ['mov', ['-c:v', 'libx264', '-preset', 'ultrafast', '-c:a', 'aac']],
  ['mkv', ['-c:v', 'libx264', '-preset', 'ultrafast', '-c:a', 'aac']],
  ['wmv', ['-c:v', 'wmv2', '-c:a', 'wmav2']],
  ['mpg', ['-c:v', 'mpeg2video', '-c:a', 'mp2']],
  ['flv', ['-c:v', 'flv', '-c:a', 'mp3', '-ar', '44100']],
])('UPL-12 a %s file is accepted', async (extension, output) => {
  const name = `good.${extension}`
  await makeClip(at(name), 4, { size: '160x90', output })
  expect(Math.abs((await lengthOf(name)) - 4000)).toBeLessThan(150)
})

it.each([
  ['minutes.mkv', 1],
  ['minutes.mp4', 60],
])('TRU-01 %s of exactly %i minutes is as long', async (name, minutes) => {
  await makeMinutes(at(name), minutes)
  const lengthMs = await lengthOf(name)
  expect(usageUnits('source-video-minutes', lengthMs), `${lengthMs} ms`).toBe(minutes)
  expect(lengthMs).toBeGreaterThan(minutes * 60_000 - 50)
})
