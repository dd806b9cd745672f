import { copyFile, mkdtemp, readFile, rm, truncate, writeFile, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openDevicePage, type DevicePage } from '#tests/setup/device-page.ts'
import { keptClip } from '#tests/setup/kept.ts'
import type {} from '#tests/fixtures/device-page/main.ts'
import type { ProbeReport } from '#src/local/probe/report.ts'
import { runTool } from '#tests/setup/run-tool.ts'

const H264 = ['-c:v', 'libx264', '-preset', 'ultrafast', '-pix_fmt', 'yuv420p']
let device: DevicePage
let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'onecut-media-worker-'))
  const made = async (name: string, ...args: readonly string[]): Promise<void> => {
    const video = ['-f', 'lavfi', '-i', 'testsrc2=size=320x180:rate=25:duration=4']
    const sound = ['-f', 'lavfi', '-i', 'sine=frequency=440:duration=4']
    const inputs = name.startsWith('sound') ? sound : [...video, ...sound]
    await copyFile(await keptClip(name, [...inputs, ...args]), join(folder, name))
  }
  await made('plain.mp4', ...H264, '-g', '25', '-c:a', 'aac', '-movflags', '+faststart')
  await made('index-last.mp4', ...H264, '-c:a', 'aac')
  await made('matroska.mkv', ...H264, '-c:a', 'aac')
  await made('webm.webm', ...'-c:v libvpx -threads 1 -deadline realtime -c:a libopus'.split(' '))
  await made('stream.ts', ...H264, '-c:a', 'aac')
  await made('old.avi', '-c:v', 'mpeg4', '-c:a', 'libmp3lame')
  await made(
    'hevc.mp4',
    '-c:v',
    'libx265',
    '-preset',
    'ultrafast',
    '-x265-params',
    'log-level=error',
    '-c:a',
    'aac',
  )
  await made('sound.m4a', '-c:a', 'aac')
  await runTool('ffmpeg', [
    '-v',
    'error',
    '-y',
    '-i',
    join(folder, 'plain.mp4'),
    '-c',
    'copy',
    '-metadata:s:v:0',
    'rotate=90',
    join(folder, 'turned.mp4'),
  ])
  await writeFile(join(folder, 'cut.mp4'), await readFile(join(folder, 'plain.mp4')))
  await truncate(
    join(folder, 'cut.mp4'),
    Math.floor((await stat(join(folder, 'plain.mp4'))).size * 0.7),
  )
  await writeFile(
    join(folder, 'no-index.mp4'),
    (await readFile(join(folder, 'index-last.mp4'))).subarray(
      0,
      Math.floor((await stat(join(folder, 'index-last.mp4'))).size * 0.6),
    ),
  )
  await writeFile(join(folder, 'text.mp4'), 'This is only a text. '.repeat(200))
  await writeFile(
    join(folder, 'noise.mp4'),
    Buffer.from(Array.from({ length: 50_000 }, (_, index) => (index * 7919 + (index >> 3)) & 255)),
  )
  await writeFile(join(folder, 'renamed.mp4'), await readFile(join(folder, 'matroska.mkv')))
  await writeFile(join(folder, 'empty.mp4'), '')
  device = await openDevicePage()
})

afterAll(async () => {
  await device.close()
  await rm(folder, { recursive: true, force: true })
})

async function choose(name: string): Promise<void> {
  await device.page.setInputFiles('#file', join(folder, name))
}

async function report(name: string): Promise<ProbeReport> {
  await choose(name)
  const probed = await device.page.evaluate(() => window.device.probe())
  if (!probed.ok) throw new Error(probed.error.code)
  return probed.value
}

async function failure(name: string): Promise<string | null> {
  await choose(name)
  const probed = await device.page.evaluate(() => window.device.probe())
  return probed.ok ? null : probed.error.code
}

describe('the media worker in Chromium', () => {
  it.each(['plain.mp4', 'index-last.mp4', 'matroska.mkv', 'webm.webm', 'stream.ts'])(
    'reads %s by the fast way',
    async (name) => {
      const found = await report(name)
      expect(found).toMatchObject({
        engine: 'mediabunny',
        videoTrackCount: 1,
        audioTrackCount: 1,
        video: { displayWidth: 320, displayHeight: 180, rotation: 0 },
      })
      expect(Math.abs((found.durationMs ?? 0) - 4_000)).toBeLessThan(100)
      expect(Math.abs((found.video?.frameRate ?? 0) - 25)).toBeLessThan(0.5)
    },
  )

  it('reads by ffmpeg what the fast reader cannot, the same as ffprobe does', async () => {
    expect(await report('old.avi')).toMatchObject({
      engine: 'ffmpeg-wasm',
      container: 'AVI',
      video: { codec: 'mpeg4', displayWidth: 320, frameRate: 25 },
      audio: { codec: 'mp3' },
    })
  })

  it('shows turned videos with the size people see', async () => {
    expect((await report('turned.mp4')).video).toMatchObject({
      displayWidth: 180,
      displayHeight: 320,
    })
  })

  it('finds the missing end of a cut file, although its index is whole', async () => {
    expect((await report('cut.mp4')).findings).toContainEqual({
      ruleId: 'A6',
      verdict: 'warn',
      facts: { missingPercent: 30 },
    })
  })

  it.each([
    ['empty.mp4', 'probe/empty'],
    ['no-index.mp4', 'probe/incomplete'],
    ['text.mp4', 'probe/not-media'],
    ['noise.mp4', 'probe/not-media'],
  ])('refuses %s with %s', async (name, code) => {
    expect(await failure(name)).toBe(code)
  })

  it('blocks sound without picture, and notes a wrong ending', async () => {
    expect((await report('sound.m4a')).findings[0]).toMatchObject({
      ruleId: 'A4',
      verdict: 'block',
    })
    expect((await report('renamed.mp4')).findings).toContainEqual({
      ruleId: 'A8',
      verdict: 'info',
      facts: { container: 'MKV' },
    })
  })

  it.each(['plain.mp4', 'matroska.mkv', 'hevc.mp4', 'old.avi'])(
    'makes a poster of %s',
    async (name) => {
      await choose(name)
      expect(await device.page.evaluate(() => window.device.poster())).toMatchObject({
        ok: true,
        value: { width: 320, height: 180, type: 'image/jpeg' },
      })
    },
  )

  it('makes a filmstrip both ways', async () => {
    for (const name of ['plain.mp4', 'old.avi']) {
      await choose(name)
      expect(await device.page.evaluate(() => window.device.filmstrip())).toMatchObject({
        ok: true,
        value: Array.from({ length: 4 }, () => ({ width: 160, height: 90 })),
      })
    }
  })

  it('answers a cancelled work at once, also while ffmpeg runs', async () => {
    await choose('old.avi')
    expect(await device.page.evaluate(() => window.device.cancelled())).toEqual({
      ok: false,
      error: { code: 'probe/cancelled' },
    })
  })

  it('sends no request to another origin', () => {
    expect(device.foreign).toEqual([])
  })
})
