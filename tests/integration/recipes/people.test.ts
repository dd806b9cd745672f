import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { findRecipe } from '#recipes/presets.ts'
import type { Moment } from '#recipes/types.ts'
import { analyseMoments } from '#server/media/analyse.ts'
import { SECRET, probe } from '#tests/fixtures/probes.ts'
import { kept } from '#tests/setup/kept.ts'
import { testFfmpeg } from '#tests/setup/media.ts'
import { peopleFigures } from '#tests/setup/people-figures.ts'
import { makePeopleFilm, peopleFilm, RATE } from '#tests/setup/people-films.ts'
import { rawPictures } from '#tests/setup/raw-pictures.ts'
import { renderPlan } from '#tests/setup/render-plan.ts'

/** Half of it shows faces of photographs; the rest are places in which more moves, and a title. */
const film = peopleFilm(301, 30, 0.5)
const source = probe({
  durationMs: film.durationMs,
  width: film.width,
  height: film.height,
  frameRate: RATE,
  hasAudio: false,
  audioCodec: null,
  audioChannels: 0,
})
const never = new AbortController().signal
let folder = ''
let path = ''

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'people-'))
  const code = [
    'tests/setup/people-films.ts',
    'tests/setup/standing-people.ts',
    'tests/bench/edits/corpus-paint.ts',
  ]
  const own = await kept(
    'clips',
    [JSON.stringify(film), ...code.map((each) => ({ code: each }))],
    async (made) => await makePeopleFilm(film, join(made, 'film.mp4'), join(made, 'scratch')),
  )
  path = join(own, 'film.mp4')
})
afterAll(async () => {
  await rm(folder, { recursive: true, force: true })
})

async function search(canRunNode: boolean): Promise<readonly Moment[]> {
  const places = { source: path, folder, assetPaths: new Map<string, string>() }
  const ffmpeg = { ...(await testFfmpeg()), canRunNode }
  return await analyseMoments(ffmpeg, source, places, never, () => undefined)
}

it('DEL-02 a search sees people, so edits show them as often as the film does, with whole heads', async () => {
  const moments = await search(true)
  expect(moments.filter(({ heads }) => heads !== undefined).length).toBeGreaterThan(20)
  const { film: share, stills, passages, cutOut } = peopleFigures(film, source, moments)
  expect(share).toBeGreaterThan(0.4)
  expect(stills).toBeGreaterThanOrEqual(share)
  for (const each of Object.values(passages)) expect(each).toBeGreaterThanOrEqual(share - 0.03)
  expect(cutOut.pictures).toBeGreaterThanOrEqual(150 + 2 * 15 * RATE)
  expect(cutOut.cut / cutOut.pictures).toBeLessThanOrEqual(0.01)
  expect(cutOut.headless / cutOut.pictures).toBeLessThanOrEqual(0.01)
})

it('DEL-02 a server that cannot run the network searches as it did, without people', async () => {
  const moments = await search(false)
  expect(moments.length).toBeGreaterThan(20)
  expect(moments.every(({ heads }) => heads === undefined)).toBe(true)
})

it('DEL-02 a thumbnail video with cuts between likes and fades between others keeps its length', async () => {
  const moments = Array.from({ length: 30 }, (_, index): Moment => ({
    atMs: index * 1000,
    lengthMs: 1000,
    shows: 'lively',
    score: 0.5,
    startsShot: false,
    stillMs: index * 1000 + 500,
    likeness: (index < 16 ? '2' : 'd').repeat(48),
  }))
  const shown = [2000, 6000, 10_000, 20_000, 26_000].map((startMs) => ({
    startMs,
    endMs: startMs + 1600,
    isLocked: false,
  }))
  const plan = findRecipe('team-skeet-thumbnail-video')?.plan(
    source,
    { moments: { shown, banned: [] } },
    {
      moments,
      assets: [],
      secret: SECRET,
    },
  )
  if (plan?.ok !== true) throw new Error('no plan')
  const circle = JSON.stringify(plan.value.steps.find(({ id }) => id === 'circle')?.args)
  expect(circle.match(/concat=/g)?.length).toBe(3)
  // One in the middle, and one from the end to the beginning.
  expect(circle.match(/xfade=/g)?.length).toBe(2)
  const made = await renderPlan(plan.value, { source: path, folder })
  const pictures = await rawPictures(made['thumbnail-video.mp4'] ?? '', 'scale=16:8,format=gray')
  expect(pictures.length / (16 * 8)).toBe(8 * RATE)
})
