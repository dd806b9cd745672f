import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { moved, surprised, swapped, withLock } from '#recipes/moment-board.ts'
import type { MomentBoard } from '#recipes/moment-candidates.ts'
import type { MomentChoice } from '#recipes/moment-choice.ts'
import type { Stretch } from '#recipes/stretch.ts'
import { requestOfMoments } from '#src/local/edits/moment-boards.ts'
import type { TaskRequest } from '#src/local/edits/task-requests.ts'
import { CODED_RATE, codesOf, differencesFrom, makeCodedClip } from '#tests/setup/coded-clip.ts'
import {
  askForMoments,
  boardFrom,
  checkedVideo,
  download,
  madeBy,
  searchedVideo,
} from '#tests/setup/moments.ts'
import { payFor, requestEdits } from '#tests/setup/order.ts'
import { ffmpeg } from '#tests/setup/render-plan.ts'
import { startTestServer, type TestServer } from '#tests/setup/server.ts'
import type { TestClient } from '#tests/setup/client.ts'
import { uploadFile } from '#tests/setup/upload.ts'
import { validateUpload } from '#server/operations/uploads/validate.ts'

/** Long enough for a trailer of a minute to leave something out: there is something to choose. */
const SECONDS = 90
/** The code lies in the middle of a square picture, so that it is in every shape of a GIF. */
const CODE = 'crop=iw/2:ih*24/320:iw/4:ih*296/320'
const CODE_UPRIGHT = 'crop=iw*160/180:ih*24/320:iw*10/180:ih*296/320'
const BRAND_S = 1

const tubeCut = {
  mediaJobTaskPresetSlug: 'tube-cut',
  payload: { targetDuration: 20_000, introMediaAssetIds: [], outroMediaAssetIds: [] },
} satisfies TaskRequest

interface Delivered {
  readonly choice: MomentChoice
  readonly begin: MomentChoice
  /** The codes of an output by the place of its button. */
  codes(outputIndex: number, filters?: string): Promise<(number | null)[]>
  outputNamed(text: string): number
}

const delivered = new Map<string, Delivered>()
let searchedFor: { readonly client: TestClient; readonly uploadRequestId: string }
let api: TestServer
let dir: string
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'onecut-formats-'))
  await makeSquareClip(join(dir, 'clip.mp4'), SECONDS)
  await makeSquareClip(join(dir, 'brand.mp4'), BRAND_S)
  api = await startTestServer()
  await orderAll()
}, 240_000)
afterAll(async () => {
  await api.stop()
  await rm(dir, { recursive: true, force: true })
})

async function makeSquareClip(path: string, seconds: number): Promise<void> {
  const wide = join(dir, 'wide.mp4')
  await makeCodedClip(wide, seconds)
  const graph =
    '[0:v]split[a][b];[b]crop=320:12:0:168,scale=160:24:flags=area[code];[a]scale=320:320,setsar=1[p];[p][code]overlay=80:296[v]'
  const encode = '-map [v] -map 0:a -c:v libx264 -preset ultrafast -crf 16 -g 50 -c:a copy'
  await ffmpeg(['-i', wide, '-filter_complex', graph, ...encode.split(' '), path])
}

/** As a person does: lock the first, swap the second, be surprised, move the last to the front. */
function chosenOn(board: MomentBoard, begin: MomentChoice): MomentChoice {
  const locked = withLock(begin, 0, true)
  const other = surprised(board, swapped(board, locked, 1) ?? locked, 5)
  return moved(board, other, other.shown.length - 1, 0)
}

/** Each wallet has tokens for 1,000; all are one video, so that one board shows all. */
async function orderAll(): Promise<void> {
  const people = [await api.signUp(), await api.signUp(), await api.signUp()] as const
  const clip = join(dir, 'clip.mp4')
  const searched = await searchedVideo(api, people[0], clip)
  const found = (await askForMoments(people[0].client, searched)).body.uploadMoments
  searchedFor = { client: people[0].client, uploadRequestId: searched }
  const uploads = [
    searched,
    await checkedVideo(api, people[1], clip),
    await checkedVideo(api, people[2], clip),
  ]
  const brand = await brandAsset(people[1].client)
  const requests: readonly (readonly TaskRequest[])[] = [
    [
      { mediaJobTaskPresetSlug: 'still-pack' },
      { mediaJobTaskPresetSlug: 'social-media-gif-pack' },
      tubeCut,
      { mediaJobTaskPresetSlug: 'short-trailer-gif', payload: { includeKumshot: true } },
    ],
    [
      {
        mediaJobTaskPresetSlug: 'team-skeet-trailer',
        payload: {
          introBrandLogoVideoMediaAssetId: brand,
          outroBrandLogoVideoMediaAssetId: brand,
        },
      },
    ],
    [{ mediaJobTaskPresetSlug: 'team-skeet-thumbnail-video' }],
  ]
  const choices = new Map<string, Pick<Delivered, 'choice' | 'begin'>>()
  const jobs: [TestClient, string][] = []
  for (const [index, { client }] of people.entries()) {
    const withChoices = (requests[index] ?? []).map((request) => {
      const { board, begin } = boardFrom(request, found)
      const choice = chosenOn(board, begin)
      expect(choice).not.toEqual(begin)
      choices.set(request.mediaJobTaskPresetSlug, { choice, begin })
      return requestOfMoments(request, choice)
    })
    const job = await requestEdits(client, uploads[index] ?? '', withChoices)
    await payFor(client, job._id)
    jobs.push([client, job._id])
  }
  for (const [index, tasks] of (await madeBy(api, jobs)).entries())
    for (const task of tasks) {
      const of = choices.get(task.mediaJobTaskPresetSlug)
      const client = people[index]?.client
      if (of === undefined || client === undefined) throw new Error('no such order')
      delivered.set(task.mediaJobTaskPresetSlug, {
        ...of,
        codes: async (outputIndex, filters = CODE) => {
          const path = join(dir, `${task._id}-${outputIndex}`)
          await download(client, task, outputIndex, path)
          return await codesOf(path, filters)
        },
        outputNamed: (text) =>
          task.outputs.findIndex(
            (each) => each.kind === 'download-button' && each.buttonText === text,
          ),
      })
    }
}

async function brandAsset(client: TestClient): Promise<string> {
  const { _id } = await uploadFile(client, join(dir, 'brand.mp4'), { purpose: 'media-asset' })
  const named = await client.post<{ mediaAsset: { _id: string } }>('/v1/media-assets', {
    mediaAsset: { uploadRequestId: _id, name: 'Brand' },
  })
  await validateUpload(api.deps, { uploadRequestId: _id, signal: AbortSignal.timeout(60_000) })
  return named.body.mediaAsset._id
}

function of(slug: string): Delivered {
  const found = delivered.get(slug)
  if (found === undefined) throw new Error(`${slug} was not delivered`)
  return found
}

const frameOf = ({ startMs }: Stretch): number => (startMs * CODED_RATE) / 1000

describe('formats beside teasers deliver exactly the moments of their board', () => {
  it('REC-21 a still pack: each still is the picture that was chosen for it', async () => {
    const { choice, begin, codes, outputNamed } = of('still-pack')
    expect(choice.shown).toHaveLength(12)
    for (const [index, still] of choice.shown.entries()) {
      const [code] = await codes(outputNamed(`Download still ${index + 1}`))
      expect(Math.abs((code ?? -99) - frameOf(still))).toBeLessThanOrEqual(1)
    }
    expect(choice.shown.map(frameOf)).not.toEqual(begin.shown.map(frameOf))
  })

  it('REC-21 a GIF pack: each file shows the moment that was chosen for it', async () => {
    const { choice, codes, outputNamed } = of('social-media-gif-pack')
    const files = [
      ['Download square GIF', CODE],
      ['Download wide GIF', CODE],
      ['Download upright GIF', CODE_UPRIGHT],
    ] as const
    for (const [index, [name, filters]] of files.entries()) {
      const seen = await codes(outputNamed(name), `fps=${CODED_RATE},${filters}`)
      expect(Math.abs(seen.length - 3 * CODED_RATE)).toBeLessThanOrEqual(2)
      expect(differencesFrom(seen, choice.shown.slice(index, index + 1), 0)).toEqual([])
    }
    // Its last 0.8 s fade into what comes before it.
    const loop = await codes(outputNamed('Download looping video'))
    expect(Math.abs(loop.length - 4 * CODED_RATE)).toBeLessThanOrEqual(1)
    const { startMs = 0 } = choice.shown[3] ?? {}
    const shown = [{ startMs, endMs: startMs + 3200 }]
    expect(differencesFrom(loop.slice(0, 80), shown, 0)).toEqual([])
  })

  it('REC-21 a tube cut: the chosen passages at the length that its options ask for', async () => {
    const { choice, begin, codes } = of('tube-cut')
    const seen = await codes(0)
    expect(seen).toHaveLength(20 * CODED_RATE)
    expect(differencesFrom(seen, choice.shown, 0)).toEqual([])
    expect(differencesFrom(seen, begin.shown, 0)).not.toEqual([])
  })

  it('REC-21 a short trailer GIF: the chosen moments in their order', async () => {
    const { choice, begin, codes } = of('short-trailer-gif')
    const seen = await codes(0, `fps=${CODED_RATE},${CODE}`)
    expect(Math.abs(seen.length - 5.6 * CODED_RATE)).toBeLessThanOrEqual(2)
    expect(differencesFrom(seen, choice.shown, 0)).toEqual([])
    expect(differencesFrom(seen, begin.shown, 0)).not.toEqual([])
  })

  it('REC-21 a brand trailer: the chosen moments between the videos of the brand', async () => {
    const { choice, begin, codes } = of('team-skeet-trailer')
    const seen = await codes(0)
    expect(seen).toHaveLength((60 + 2 * BRAND_S) * CODED_RATE)
    const own = seen.slice(BRAND_S * CODED_RATE)
    expect(differencesFrom(own, choice.shown, 0)).toEqual([])
    expect(differencesFrom(own, begin.shown, 0)).not.toEqual([])
  })

  it('REC-21 a thumbnail video: the chosen moments, each led to by what is before it', async () => {
    const { choice, begin, codes } = of('team-skeet-thumbnail-video')
    const fadeMs = 200
    const led = ({ shown }: MomentChoice) =>
      shown.map(({ startMs, endMs }) => ({ startMs: startMs - fadeMs, endMs }))
    const before = Array.from({ length: (fadeMs * CODED_RATE) / 1000 }, () => null)
    const seen = [...before, ...(await codes(0))]
    expect(differencesFrom(seen, led(choice), fadeMs)).toEqual([])
    expect(differencesFrom(seen, led(begin), fadeMs)).not.toEqual([])
  })
})

it('REC-21 moments that do not fit their format are refused before a price', async () => {
  const { client, uploadRequestId } = searchedFor
  const still = { startMs: 0, endMs: 1, isLocked: true }
  const wrong = [
    [{ mediaJobTaskPresetSlug: 'still-pack' }, still, 'shows 12 moments, not 1'],
    [tubeCut, { ...still, endMs: 30_000 }, '10 s too long for 20 s'],
  ] as const
  for (const [request, one, words] of wrong)
    expect(
      await client.post('/v2/media-jobs', {
        mediaJob: {
          uploadRequestId,
          mediaJobTaskRequests: [requestOfMoments(request, { shown: [one], banned: [] })],
        },
      }),
    ).toMatchObject({
      status: 422,
      body: {
        error: {
          code: 'request/invalid',
          fields: {
            'mediaJob.mediaJobTaskRequests.0.payload.moments': expect.stringContaining(words),
          },
        },
      },
    })
})
