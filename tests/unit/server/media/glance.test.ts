import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { Ffmpeg } from '#server/media/ffmpeg.ts'
import { measureChanges } from '#server/media/measure-changes.ts'
import { joinMomentVideo } from '#server/media/moment-video.ts'
import { toFileProbe } from '#server/media/file-probe.ts'
import { patience } from '#tests/setup/patience.ts'

let folder: string

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'glance-'))
})
afterEach(async () => {
  vi.useRealTimers()
  await rm(folder, { recursive: true })
})

/** An ffmpeg that waits for a disk until it is ended. */
async function waitingFfmpeg(): Promise<Ffmpeg> {
  const path = join(folder, 'ffmpeg')
  await writeFile(path, '#!/bin/sh\nwhile :; do sleep 60; done\n')
  await chmod(path, 0o755)
  return {
    ffmpegPath: path,
    ffprobePath: path,
    version: '',
    filters: new Set(),
    encoders: new Set(),
    canRunNode: false,
    confinement: { kind: 'none', uid: null, nice: null },
    shared: [],
  }
}

/** How a run ended whose wall time is over at once. */
async function onSlowMachine(run: (ffmpeg: Ffmpeg) => Promise<unknown>): Promise<unknown> {
  const ffmpeg = await waitingFfmpeg()
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  const ended = run(ffmpeg).catch((error: unknown) => error)
  await vi.waitUntil(() => vi.getTimerCount() > 0, { timeout: patience(30) })
  vi.advanceTimersByTime(24 * 3_600_000)
  return await ended
}

it('REC-21 a video of a moment board that a slow machine does not join is no empty one', async () => {
  await writeFile(join(folder, 'moving-0.mp4'), Buffer.alloc(2000))
  const pieces = [{ startMs: 0, durationMs: 1000, name: 'moving-0.mp4' }]
  const places = { source: join(folder, 'source'), folder, assetPaths: new Map() }
  const { signal } = new AbortController()
  expect(
    await onSlowMachine((ffmpeg) => joinMomentVideo(ffmpeg, pieces, places, signal)),
  ).toMatchObject({ reason: 'slow' })
})

it('TRU-01 a video of which a slow machine does not read all is not one that never changes', async () => {
  const probe = toFileProbe(
    {
      streams: [{ index: 0, codec_type: 'video', codec_name: 'h264', width: 640, height: 360 }],
      format: { format_name: 'mpegts', duration: '60' },
    },
    'recording.ts',
  )
  if (probe === null) throw new Error('There is a picture')
  const where = {
    path: join(folder, 'recording.ts'),
    scratchDir: folder,
    signal: new AbortController().signal,
  }
  expect(await onSlowMachine((ffmpeg) => measureChanges(ffmpeg, where, probe, 2000))).toMatchObject(
    { reason: 'slow' },
  )
})
