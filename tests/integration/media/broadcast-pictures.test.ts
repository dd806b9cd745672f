import { copyFile, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { planPiece } from '#recipes/analysis.ts'
import { MOVING_RATE, type MovingPiece } from '#recipes/moment-video.ts'
import { printArgs } from '#recipes/print-args.ts'
import { boundedRun } from '#server/media/bounds.ts'
import { makeMomentPictures } from '#server/media/moment-pictures.ts'
import { joinMomentVideo } from '#server/media/moment-video.ts'
import { takeSpans } from '#server/media/picture-print.ts'
import { pathsIn } from '#server/media/render-plan.ts'
import { makeThumbnail } from '#server/media/thumbnail.ts'
import { probe } from '#tests/fixtures/probes.ts'
import { CODED_RATE, codedClip, codesOf } from '#tests/setup/coded-clip.ts'
import { testFfmpeg } from '#tests/setup/media.ts'
import { patience } from '#tests/setup/patience.ts'
import { ffmpeg } from '#tests/setup/render-plan.ts'

/** Longer than a video of which all is printed at once. */
const SECONDS = 32
/** As an MP4, in which a seek finds the key frame before a place, and as a broadcast. */
const film = probe({
  durationMs: SECONDS * 1000,
  width: 320,
  height: 180,
  frameRate: CODED_RATE,
  hasAudio: false,
})
const broadcast = { ...film, leadMs: 2500 }

let folder: string
let signal: AbortSignal
const [mp4, ts] = ['clip.mp4', 'clip.ts'].map((name) => () => join(folder, name)) as [
  () => string,
  () => string,
]
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'onecut-broadcast-'))
  signal = AbortSignal.timeout(patience(120))
  await copyFile(await codedClip(SECONDS), mp4())
  await ffmpeg(['-i', mp4(), '-map', '0:v', '-c', 'copy', '-f', 'mpegts', ts()])
})
afterAll(async () => await rm(folder, { recursive: true, force: true }))

it('REC-27 REC-21 the tiles of a broadcast show their places, not the next key frame', async () => {
  const places = { source: ts(), folder, assetPaths: new Map<string, string>() }
  const placesMs = [700, 5100, 17_900, 30_300]
  const { pictures, path } = await makeMomentPictures(await testFfmpeg(), {
    source: broadcast,
    placesMs,
    places,
    signal,
  })
  expect(pictures.placesMs).toEqual(placesMs)
  const { columns, tileWidth, tileHeight } = pictures
  for (const [index, placeMs] of placesMs.entries()) {
    const corner = `${(index % columns) * tileWidth}:${Math.floor(index / columns) * tileHeight}`
    const [code] = await codesOf(path ?? '', `crop=${tileWidth}:${tileHeight}:${corner}`)
    expect(Math.abs((code ?? -99) - (placeMs * CODED_RATE) / 1000)).toBeLessThanOrEqual(1)
  }
})

it.each([
  ['a film', film, mp4],
  ['a broadcast', broadcast, ts],
] as const)(
  'REC-21 the parts of %s in motion lie where the map says, and one without pictures is left out',
  async (_, source, path) => {
    const places = { source: path(), folder, assetPaths: new Map<string, string>() }
    const parts = [
      { startMs: 20_480, durationMs: 3000 },
      { startMs: 4960, durationMs: 2510 },
      { startMs: SECONDS * 1000 + 500, durationMs: 1000 },
      { startMs: 7470, durationMs: 1500 },
    ]
    const pieces: MovingPiece[] = []
    for (const part of parts) {
      const run = planPiece(source, part)
      await ffmpeg(printArgs(boundedRun(run, source), pathsIn(places)))
      if (run.piece !== undefined) pieces.push(run.piece)
    }
    const made = await joinMomentVideo(await testFfmpeg(), pieces, places, signal)
    expect(made.video.stretches).toEqual([
      { startMs: 4960, endMs: 8970, atMs: 0 },
      { startMs: 20_480, endMs: 23_480, atMs: 4010 },
    ])
    for (const { startMs, endMs, atMs } of made.video.stretches)
      for (const placeMs of [startMs + 100, startMs + 1500, endMs - 200]) {
        // What a player shows there: ffmpeg takes the next picture, a player the one before.
        const seekS = (atMs + placeMs - startMs + 1) / 1000 - 1 / MOVING_RATE
        const [code] = await codesOf(`${made.path} -ss ${seekS}`)
        const pictures = Math.abs((code ?? -99) - (placeMs * CODED_RATE) / 1000)
        expect(pictures).toBeLessThanOrEqual(CODED_RATE / MOVING_RATE)
      }
  },
  60_000,
)

it('REC-27 the thumbnail of a broadcast is of its place', async () => {
  const made = await makeThumbnail(
    await testFfmpeg(),
    { path: ts(), scratchDir: folder, signal },
    { kind: 'video', source: broadcast },
  )
  if (!made.ok) throw new Error(made.error)
  const [code] = await codesOf(made.value)
  expect(Math.abs((code ?? -99) - SECONDS * 0.1 * CODED_RATE)).toBeLessThanOrEqual(1)
})

it('REC-27 TRU-09 a broadcast is printed at the same places as its copy in another file', async () => {
  const tools = await testFfmpeg()
  const [own, copy] = [
    await takeSpans(tools, broadcast, { path: ts(), folder, signal }),
    await takeSpans(tools, film, { path: mp4(), folder, signal }),
  ]
  expect(own).toHaveLength(24)
  expect(own).toEqual(copy)
  // Taken together with others, a span is what it is alone.
  const span = own.slice(13, 14)
  const alone = span.map(({ startMs }) => ({ startMs, endMs: startMs + 1000 }))
  expect(await takeSpans(tools, film, { path: mp4(), folder, signal }, alone)).toEqual(span)
})
