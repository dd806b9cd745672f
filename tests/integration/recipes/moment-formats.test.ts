import { dirname, join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { moved, surprised, swapped, withLock } from '#recipes/moment-board.ts'
import type { MomentBoard } from '#recipes/moment-candidates.ts'
import type { MomentChoice } from '#recipes/moment-choice.ts'
import { findRecipe } from '#recipes/presets.ts'
import type { Stretch } from '#recipes/stretch.ts'
import type { Moment, SourceProbe } from '#recipes/types.ts'
import { requestOfMoments } from '#src/local/edits/moment-boards.ts'
import type { TaskRequest } from '#src/local/edits/task-requests.ts'
import { SECRET, probe } from '#tests/fixtures/probes.ts'
import { CODED_RATE, codeGraph, codesOf, differencesFrom } from '#tests/setup/coded-clip.ts'
import { keptClip } from '#tests/setup/kept.ts'
import { renderKept } from '#tests/setup/kept-render.ts'
import { boardFrom } from '#tests/setup/moments.ts'

/** Long enough for a trailer of a minute to leave something out: there is something to choose. */
const SECONDS = 75
/** The code lies in the middle of a square picture, so that it is in every shape of a GIF. */
const CODE = 'crop=iw/2:ih*24/320:iw/4:ih*296/320'
const CODE_UPRIGHT = 'crop=iw*160/180:ih*24/320:iw*10/180:ih*296/320'
const BRAND_S = 1
const BRAND = 'brand'

const REQUESTS: readonly TaskRequest[] = [
  { mediaJobTaskPresetSlug: 'still-pack' },
  { mediaJobTaskPresetSlug: 'social-media-gif-pack' },
  {
    mediaJobTaskPresetSlug: 'tube-cut',
    payload: { targetDuration: 20_000, introMediaAssetIds: [], outroMediaAssetIds: [] },
  },
  { mediaJobTaskPresetSlug: 'short-trailer-gif', payload: { includeKumshot: true } },
  {
    mediaJobTaskPresetSlug: 'team-skeet-trailer',
    payload: { introBrandLogoVideoMediaAssetId: BRAND, outroBrandLogoVideoMediaAssetId: BRAND },
  },
  { mediaJobTaskPresetSlug: 'team-skeet-thumbnail-video' },
]

interface Delivered {
  readonly choice: MomentChoice
  readonly begin: MomentChoice
  /** The codes of an output by the text of its button; of the only one, without. */
  codes(buttonText?: string, filters?: string): Promise<(number | null)[]>
  /** Those of all outputs whose names differ in a number of two digits, read in one run. */
  codesOfAll(pattern: string): Promise<(number | null)[]>
}

const square = (seconds: number): SourceProbe =>
  probe({
    durationMs: seconds * 1000,
    width: 320,
    height: 320,
    frameRate: CODED_RATE,
    audioChannels: 1,
  })

/** As a search gives them; what it finds is no matter here. */
const moments = Array.from({ length: SECONDS }, (_, index): Moment => ({
  atMs: index * 1000,
  lengthMs: 1000,
  shows: 'lively',
  score: ((5 * index) % 16) / 16,
  startsShot: false,
  stillMs: index * 1000 + 400,
  likeness: ((7 * index) % 16).toString(16).repeat(48),
}))
let clip = ''
let brand = ''
beforeAll(async () => {
  clip = await squareClip(SECONDS)
  brand = await squareClip(BRAND_S)
})

/** Nothing but codes on grey: a picture that moves would only cost time to encode. */
async function squareClip(seconds: number): Promise<string> {
  const inputs = [
    `color=gray:s=320x320:r=${CODED_RATE}:d=${seconds}`,
    codeGraph(seconds),
    `sine=f=440:d=${seconds}:r=48000`,
  ].flatMap((input) => ['-f', 'lavfi', '-i', input])
  const graph = '[1:v]scale=160:24:flags=neighbor,format=yuv420p[code];[0:v][code]overlay=80:296[v]'
  const encode = '-map [v] -map 2:a -c:v libx264 -preset ultrafast -crf 16 -g 50 -c:a aac'
  return await keptClip('square.mp4', [...inputs, '-filter_complex', graph, ...encode.split(' ')])
}

/** As a person does: lock the first, swap the second, be surprised, move the last to the front. */
function chosenOn(board: MomentBoard, begin: MomentChoice): MomentChoice {
  const locked = withLock(begin, 0, true)
  const other = surprised(board, swapped(board, locked, 1) ?? locked, 5)
  return moved(board, other, other.shown.length - 1, 0)
}

/** What the server makes of moments that were chosen on the board of the page. */
async function of(slug: string): Promise<Delivered> {
  const request = REQUESTS.find((each) => each.mediaJobTaskPresetSlug === slug)
  if (request === undefined) throw new Error(`There is no request of ${slug}`)
  const source = square(SECONDS)
  const { board, begin } = boardFrom(request, {
    source: { ...source, nominalRate: CODED_RATE },
    moments: moments.map((each) => ({ ...each })),
    pictures: null,
  })
  const choice = chosenOn(board, begin)
  expect(choice).not.toEqual(begin)
  const assets = [{ id: BRAND, kind: 'video', probe: square(BRAND_S) }] as const
  const { payload } = requestOfMoments(request, choice)
  const plan = findRecipe(slug)?.plan(source, payload, { moments, assets, secret: SECRET })
  if (plan?.ok !== true) throw new Error(JSON.stringify(plan))
  const made = await renderKept(plan.value, { source: clip, assets: { [BRAND]: brand } })
  const { outputs } = plan.value
  return {
    choice,
    begin,
    codes: async (text = outputs[0]?.buttonText, filters = CODE) => {
      const { name = '' } = outputs.find(({ buttonText }) => buttonText === text) ?? {}
      return await codesOf(made[name] ?? '', filters)
    },
    codesOfAll: async (pattern) => {
      const [first = ''] = Object.values(made)
      return await codesOf(join(dirname(first), pattern), CODE)
    },
  }
}

const frameOf = ({ startMs }: Stretch): number => (startMs * CODED_RATE) / 1000

describe('formats beside teasers deliver exactly the moments of their board', () => {
  it('REC-21 a still pack: each still is the picture that was chosen for it', async () => {
    const { choice, begin, codesOfAll } = await of('still-pack')
    expect(choice.shown).toHaveLength(12)
    const codes = await codesOfAll('still-%02d.jpg')
    expect(codes).toHaveLength(12)
    for (const [index, still] of choice.shown.entries())
      expect(Math.abs((codes[index] ?? -99) - frameOf(still))).toBeLessThanOrEqual(1)
    expect(choice.shown.map(frameOf)).not.toEqual(begin.shown.map(frameOf))
  })

  it('REC-21 a GIF pack: each file shows the moment that was chosen for it', async () => {
    const { choice, codes } = await of('social-media-gif-pack')
    const files = [
      ['Download square GIF', CODE],
      ['Download wide GIF', CODE],
      ['Download upright GIF', CODE_UPRIGHT],
    ] as const
    for (const [index, [name, filters]] of files.entries()) {
      const seen = await codes(name, `fps=${CODED_RATE},${filters}`)
      expect(Math.abs(seen.length - 3 * CODED_RATE)).toBeLessThanOrEqual(2)
      expect(differencesFrom(seen, choice.shown.slice(index, index + 1), 0)).toEqual([])
    }
    // Its last 0.8 s fade into what comes before it.
    const loop = await codes('Download looping video')
    expect(Math.abs(loop.length - 4 * CODED_RATE)).toBeLessThanOrEqual(1)
    const { startMs = 0 } = choice.shown[3] ?? {}
    const shown = [{ startMs, endMs: startMs + 3200 }]
    expect(differencesFrom(loop.slice(0, 80), shown, 0)).toEqual([])
  })

  it('REC-21 a tube cut: the chosen passages at the length that its options ask for', async () => {
    const { choice, begin, codes } = await of('tube-cut')
    const seen = await codes()
    expect(seen).toHaveLength(20 * CODED_RATE)
    expect(differencesFrom(seen, choice.shown, 0)).toEqual([])
    expect(differencesFrom(seen, begin.shown, 0)).not.toEqual([])
  })

  it('REC-21 a short trailer GIF: the chosen moments in their order', async () => {
    const { choice, begin, codes } = await of('short-trailer-gif')
    const seen = await codes(undefined, `fps=${CODED_RATE},${CODE}`)
    expect(Math.abs(seen.length - 5.6 * CODED_RATE)).toBeLessThanOrEqual(2)
    expect(differencesFrom(seen, choice.shown, 0)).toEqual([])
    expect(differencesFrom(seen, begin.shown, 0)).not.toEqual([])
  })

  it('REC-21 a brand trailer: the chosen moments between the videos of the brand', async () => {
    const { choice, begin, codes } = await of('team-skeet-trailer')
    const seen = await codes()
    expect(seen).toHaveLength((60 + 2 * BRAND_S) * CODED_RATE)
    const own = seen.slice(BRAND_S * CODED_RATE)
    expect(differencesFrom(own, choice.shown, 0)).toEqual([])
    expect(differencesFrom(own, begin.shown, 0)).not.toEqual([])
  })

  it('REC-21 a thumbnail video: the chosen moments, each led to by what is before it', async () => {
    const { choice, begin, codes } = await of('team-skeet-thumbnail-video')
    const fadeMs = 200
    const led = ({ shown }: MomentChoice) =>
      shown.map(({ startMs, endMs }) => ({ startMs: startMs - fadeMs, endMs }))
    const before = Array.from({ length: (fadeMs * CODED_RATE) / 1000 }, () => null)
    const seen = [...before, ...(await codes())]
    expect(differencesFrom(seen, led(choice), fadeMs)).toEqual([])
    expect(differencesFrom(seen, led(begin), fadeMs)).not.toEqual([])
  })
})
