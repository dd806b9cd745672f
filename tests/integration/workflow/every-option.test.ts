import { copyFile, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { FaceFinding } from '#recipes/face-cover/types.ts'
import { faceFindings, uploadRequests } from '#server/db/schema.ts'
import type { TaskRequest } from '#src/local/edits/task-requests.ts'
import { loudnessOf, streamsOf } from '#tests/integration/recipes/measure.ts'
import { checkedUploads } from '#tests/setup/checked-upload.ts'
import type { TestClient } from '#tests/setup/client.ts'
import { keptClip } from '#tests/setup/kept.ts'
import { download } from '#tests/setup/moments.ts'
import { attestation, fetchJob, requestEdits } from '#tests/setup/order.ts'
import { patience } from '#tests/setup/patience.ts'
import { rawPictures } from '#tests/setup/raw-pictures.ts'
import { renderTask } from '#tests/setup/render-task.ts'
import { startTestServer, type TestServer } from '#tests/setup/server.ts'

/** The scene: a minute and a half without sound whose brightness tells the time. */
const SCENE_S = 90
const RATE = 25
const [DARKEST, BRIGHTEST] = [30, 230]
/** Its beginning, for edits that keep all of it. */
const BEGINNING_S = 10
/** A second each, for the places of a form. */
const COLOURS = {
  red: [255, 0, 0],
  lime: [0, 255, 0],
  blue: [0, 0, 255],
  yellow: [255, 255, 0],
  magenta: [255, 0, 255],
} as const
type Colour = keyof typeof COLOURS
/** In the upper left quarter, from the beginning to the end. */
const FACE: FaceFinding = {
  version: 1,
  tracks: [
    {
      id: 'face',
      startMs: 0,
      endMs: BEGINNING_S * 1000,
      certainty: 1,
      boxes: [{ atMs: 0, x: 0, y: 0, width: 0.4, height: 0.4 }],
    },
  ],
  shots: [{ startMs: 0, endMs: BEGINNING_S * 1000 }],
}
const TRACK = { name: 'Night Drive', beatS: 60 / 96 }
/** In the last fifth, which the GIF leaves out by itself. */
const FINALE_S = 82

let server: TestServer
let uploadChecked: ReturnType<typeof checkedUploads>
let dir = ''
/** The files that a person downloads, by their format. */
const files = new Map<string, string>()

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'onecut-options-'))
  const brightness = `${DARKEST}+${BRIGHTEST - DARKEST}*T/${SCENE_S}`
  const coded = '-c:v libx264 -preset ultrafast -crf 12 -g 50 -pix_fmt yuv420p'.split(' ')
  const made = async (source: string, name: string) => {
    const clip = await keptClip('clip.mp4', ['-f', 'lavfi', '-i', source, ...coded])
    await copyFile(clip, join(dir, `${name}.mp4`))
  }
  const scene = (seconds: number) =>
    `nullsrc=s=4x4:r=${RATE}:d=${seconds},geq=lum='${brightness}':cb=128:cr=128,scale=160:90,setsar=1`
  await made(scene(SCENE_S), 'scene')
  await made(scene(BEGINNING_S), 'beginning')
  for (const colour of Object.keys(COLOURS))
    await made(`color=${colour}:s=160x90:r=${RATE}:d=1`, colour)
  // Nothing runs by itself: an asset needs no preview here.
  server = await startTestServer({ env: { ONECUT_PAYMENTS: 'false' } })
  uploadChecked = checkedUploads(server)
  await orderAll()
}, patience(400))
afterAll(async () => {
  await server.stop()
  await rm(dir, { recursive: true, force: true })
})

/** All of them cost more than the tokens of a new account. */
async function orderAll(): Promise<void> {
  const { client } = await server.signUp()
  const assets = await assetsOf(client)
  const ends = { introMediaAssetIds: [assets.red], outroMediaAssetIds: [assets.blue] }
  const { musicTracks } = (
    await client.get<{ musicTracks: { _id: string; name: string }[] }>('/v1/music-tracks')
  ).body
  const requests: readonly TaskRequest[] = [
    { mediaJobTaskPresetSlug: 'tube-cut', payload: { targetDuration: 12_000, ...ends } },
    {
      mediaJobTaskPresetSlug: 'uniform-sampling',
      payload: {
        maximumDuration: 10_000,
        segmentCount: 4,
        offsetStartMs: 20_000,
        offsetEndMs: 30_000,
        ...ends,
      },
    },
    {
      mediaJobTaskPresetSlug: 'short-trailer-gif',
      payload: { includeKumshot: true, momentMs: FINALE_S * 1000 },
    },
    {
      mediaJobTaskPresetSlug: 'team-skeet-trailer',
      payload: {
        introBrandLogoVideoMediaAssetId: assets.red,
        introLicensorLogoVideoMediaAssetId: assets.lime,
        disclaimerVideoMediaAssetId: assets.blue,
        outroLicensorLogoVideoMediaAssetId: assets.yellow,
        outroBrandLogoVideoMediaAssetId: assets.magenta,
        musicTrackId: musicTracks.find(({ name }) => name === TRACK.name)?._id ?? '',
      },
    },
  ]
  const scene = await uploadChecked(client, join(dir, 'scene.mp4'))
  // As if a search had found none: it would look for faces in all of the scene.
  const { db } = server.deps
  await db.update(uploadRequests).set({ moments: [] }).where(eq(uploadRequests.id, scene))
  await orderEdits(client, scene, requests, (slug) => slug)
  const beginning = await uploadChecked(client, join(dir, 'beginning.mp4'))
  const watermarked = async (
    payload: { readonly text: string } | { readonly logoMediaAssetId: string },
    name: string,
  ) => {
    const watermark = { mediaJobTaskPresetSlug: 'dynamic-watermark', payload } as const
    await orderEdits(client, beginning, [watermark], () => name)
  }
  await watermarked({ text: '@name' }, 'text')
  await server.deps.db.insert(faceFindings).values({
    uploadRequestId: beginning,
    finding: FACE,
    sizeBytes: 10,
    foundAt: server.deps.clock(),
  })
  await watermarked({ logoMediaAssetId: await logoOf(client) }, 'logo')
}

/** Orders edits of a video, and keeps what was made under names of their own. */
async function orderEdits(
  client: TestClient,
  uploadId: string,
  requests: readonly TaskRequest[],
  nameOf: (slug: string) => string,
): Promise<void> {
  const job = await requestEdits(client, uploadId, requests)
  const order = { mediaJobId: job._id, attestation }
  expect((await client.post('/v1/orders', { order })).status).toBe(201)
  for (const { _id } of job.tasks)
    await renderTask(server.deps, { taskId: _id, stop: AbortSignal.timeout(patience(120)) })
  for (const task of (await fetchJob(client, job._id)).tasks) {
    expect(task.status).toBe('succeeded')
    const name = nameOf(task.mediaJobTaskPresetSlug)
    const path = join(dir, name)
    await download(client, task, 0, path)
    files.set(name, path)
  }
}

/** A white square whose left and upper half is transparent. */
async function logoOf(client: TestClient): Promise<string> {
  const drawn = "geq=r=255:g=255:b=255:a='255*gt(X,W/2)*gt(Y,H/2)'"
  const source = `color=white:s=400x400,format=rgba,${drawn}`
  const path = await keptClip('logo.png', ['-f', 'lavfi', '-i', source, '-frames:v', '1'])
  return await assetOf(client, path, 'logo', path)
}

async function assetsOf(client: TestClient): Promise<Readonly<Record<Colour, string>>> {
  const ids: [string, string][] = []
  // They differ in nothing that a check looks at.
  for (const colour of Object.keys(COLOURS))
    ids.push([colour, await assetOf(client, join(dir, `${colour}.mp4`), colour, 'a colour')])
  return { red: '', lime: '', blue: '', yellow: '', magenta: '', ...Object.fromEntries(ids) }
}

async function assetOf(
  client: TestClient,
  path: string,
  name: string,
  like: string,
): Promise<string> {
  const uploadRequestId = await uploadChecked(client, path, { purpose: 'media-asset', like })
  const named = await client.post<{ mediaAsset: { _id: string } }>('/v1/media-assets', {
    mediaAsset: { uploadRequestId, name },
  })
  return named.body.mediaAsset._id
}

const fileOf = (slug: string): string => files.get(slug) ?? ''

/** The colour that fills the picture at a time, or the second of the scene that it shows. */
async function shownAt(slug: string, atS: number): Promise<Colour | number> {
  const filter = 'scale=1:1:flags=area,format=rgb24'
  const pixel = [...(await rawPictures(fileOf(slug), filter, { fromS: atS, count: 1 }))]
  const named = Object.entries(COLOURS).find(([, levels]) =>
    levels.every((level, index) => Math.abs(level - (pixel[index] ?? -1000)) < 40),
  )
  if (named !== undefined) return named[0] as Colour
  const mean = pixel.reduce((sum, level) => sum + level, 0) / 3
  return secondOf(16 + (mean * 219) / 255)
}

/** Which second of the scene has this brightness. */
const secondOf = (level: number): number => ((level - DARKEST) / (BRIGHTEST - DARKEST)) * SCENE_S

/** Which second each picture of a file shows. */
async function secondsIn(slug: string): Promise<readonly number[]> {
  const pictures = await rawPictures(
    fileOf(slug),
    'scale=1:1:flags=area,format=yuv420p,format=gray',
  )
  return [...pictures].map((level) => secondOf(16 + (level * 219) / 255))
}

describe('every option of every form, ordered by the calls of the page, in the delivered file', () => {
  it('OPT-01 the text stands in the watermarked video, which is as long as the scene', async () => {
    const path = fileOf('text')
    expect((await streamsOf(path)).video).toMatchObject({ nb_frames: String(BEGINNING_S * RATE) })
    const [first] = [await rawPictures(path, 'format=gray', { fromS: 2, count: 1 })]
    // The scene has one brightness at a time, and is dark there.
    expect(Math.max(...first) - Math.min(...first)).toBeGreaterThan(60)
  })

  it('DEL-03 a logo of the media assets stands in it without its transparent margins, and beside the face that was found', async () => {
    const path = fileOf('logo')
    expect((await streamsOf(path)).video).toMatchObject({ nb_frames: String(BEGINNING_S * RATE) })
    const shown = await rawPictures(path, 'format=gray', { fromS: 2, count: 1 })
    const bright = [...shown.keys()].filter((at) => (shown[at] ?? 0) > 150)
    const columns = bright.map((at) => at % 160)
    const rows = bright.map((at) => Math.floor(at / 160))
    // The square that is to be seen of it has a tenth of the width.
    expect(Math.abs(new Set(columns).size - 16)).toBeLessThan(3)
    expect(Math.abs(new Set(rows).size - 16)).toBeLessThan(3)
    // The first place is at the upper left, where the face is.
    expect(Math.min(...columns) > 80 || Math.min(...rows) > 45).toBe(true)
  })

  it('OPT-02 OPT-03 a tube cut has its length, its intro and its outro', async () => {
    const { video } = await streamsOf(fileOf('tube-cut'))
    expect(video).toMatchObject({ nb_frames: String(14 * RATE) })
    expect(await shownAt('tube-cut', 0.5)).toBe('red')
    expect(await shownAt('tube-cut', 7)).toEqual(expect.any(Number))
    expect(await shownAt('tube-cut', 13.5)).toBe('blue')
  })

  it('OPT-03 OPT-05 a sampling has its length, its moments, what it leaves out, intro and outro', async () => {
    const slug = 'uniform-sampling'
    expect((await streamsOf(fileOf(slug))).video).toMatchObject({ nb_frames: String(12 * RATE) })
    expect(await shownAt(slug, 0.5)).toBe('red')
    expect(await shownAt(slug, 11.5)).toBe('blue')
    // From 20 to 60 s in four stretches of 10 s, the middle 2.5 s of each.
    for (const [index, middleS] of [25, 35, 45, 55].entries()) {
      const shown = await shownAt(slug, 1 + index * 2.5 + 1.25)
      expect(Math.abs(Number(shown) - middleS)).toBeLessThan(1.5)
    }
  })

  it('OPT-07 REC-12 the trailer GIF shows the moment that was chosen', async () => {
    const seconds = await secondsIn('short-trailer-gif')
    expect(Math.max(...seconds)).toBeGreaterThan(FINALE_S - 0.5)
    expect(Math.max(...seconds)).toBeLessThan(FINALE_S + 2.5)
    expect(seconds.filter((each) => each < SCENE_S * 0.8).length).toBeGreaterThan(10)
  })

  it('OPT-04 REC-10 the brand trailer has its five videos in order around 60 s, its music, and cuts on its beats', async () => {
    const slug = 'team-skeet-trailer'
    expect((await streamsOf(fileOf(slug))).video).toMatchObject({ nb_frames: String(65 * RATE) })
    const ends = [0.5, 1.5, 2.5, 63.5, 64.5].map((atS) => shownAt(slug, atS))
    expect(await Promise.all(ends)).toEqual(['red', 'lime', 'blue', 'yellow', 'magenta'])
    // The scene is silent: all that is heard is the music.
    const heard = await loudnessOf(fileOf(slug), 'atrim=start=3:end=63')
    expect(Math.abs(heard + 16)).toBeLessThan(1)
    const seconds = (await secondsIn(slug)).slice(3 * RATE, 63 * RATE)
    const cuts = seconds.flatMap((each, index) =>
      index > 0 && Math.abs(each - (seconds[index - 1] ?? each)) > 1.5 ? [index / RATE] : [],
    )
    expect(cuts.length).toBeGreaterThan(7)
    for (const atS of cuts) {
      const off = atS % TRACK.beatS
      expect(Math.min(off, TRACK.beatS - off)).toBeLessThan(0.041)
    }
  })
})
