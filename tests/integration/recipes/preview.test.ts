import { beforeAll, describe, expect, it } from 'vitest'
import { findRecipe } from '#recipes/presets.ts'
import type { Moment, RecipePlan, TimelinePassage } from '#recipes/types.ts'
import { SECRET, probe } from '#tests/fixtures/probes.ts'
import { SCENE_S, sceneClip, SCENES_S } from '#tests/integration/recipes/clip.ts'
import { similarity, streamsOf } from '#tests/integration/recipes/measure.ts'
import { keptClip } from '#tests/setup/kept.ts'
import { onlyOutput, renderKept } from '#tests/setup/kept-render.ts'

/** Enough to tell one picture from the next; a little more than 480 lines, for the previews. */
const RATE = 5
const source = probe({
  durationMs: SCENES_S * 1000,
  width: 864,
  height: 486,
  frameRate: RATE,
  fileName: 'My scene.mp4',
})
/** As a search gives them; what it finds is no matter here. */
const moments = Array.from({ length: SCENES_S }, (_, index): Moment => ({
  atMs: index * 1000,
  lengthMs: 1000,
  shows: 'lively',
  score: 0.5,
  startsShot: index % SCENE_S === 0,
  stillMs: index * 1000 + 400,
  likeness: ((7 * index) % 16).toString(16).repeat(48),
}))
let clip = ''

beforeAll(async () => {
  clip = await sceneClip({ size: '864x486', rate: RATE })
})

async function render(
  plan: { readonly ok: true; readonly value: RecipePlan } | { readonly ok: false } | undefined,
  path = clip,
): Promise<Readonly<Record<string, string>>> {
  if (plan?.ok !== true) throw new Error(JSON.stringify(plan))
  return await renderKept(plan.value, { source: path })
}

const whole = (slug: string, payload?: unknown, known = moments) =>
  render(findRecipe(slug)?.plan(source, payload, { moments: known, assets: [], secret: SECRET }))

const preview = (
  slug: string,
  payload: unknown,
  window: { readonly startMs: number; readonly durationMs: number; readonly output?: string },
) => render(findRecipe(slug)?.preview?.(source, payload, window, { secret: SECRET }))

function timeline(slug: string, payload?: unknown, known = moments): readonly TimelinePassage[] {
  const found = findRecipe(slug)?.timeline?.(source, payload, { moments: known })
  if (found?.ok !== true) throw new Error(JSON.stringify(found))
  return found.value
}

const windowOf = ({ startMs, endMs, output }: TimelinePassage) => ({
  startMs,
  durationMs: endMs - startMs,
  output,
})

// The preview of a tube cut is made by the same steps: the soak compares it too.
describe('the preview of a teaser', () => {
  it('shows a passage as the finished edit does, at 480p and three seconds at most', async () => {
    const [slug, output] = ['teaser-15s', 'teaser-15s.mp4'] as const
    const full = (await whole(slug))[output]
    const passages = timeline(slug)
    expect(passages.length).toBeGreaterThan(3)
    // It lies between others.
    const passage = passages[3]
    if (passage === undefined) throw new Error('too few passages')
    const made = (await preview(slug, undefined, windowOf(passage)))[output]
    const { durationS, video, audio } = await streamsOf(made)
    expect(durationS).toBeLessThan(3.1)
    expect(video).toMatchObject({ codec_name: 'h264', width: 852, height: 480 })
    expect(audio).toMatchObject({ codec_name: 'aac' })
    // The first and last half second belong to fades.
    const atS = 0.5
    expect(
      await similarity(
        { path: made, atS },
        { path: full, atS: passage.outputStartMs / 1000 + atS },
        Math.min(3, durationS) - 1,
      ),
    ).toBeGreaterThan(0.95)
  })
})

describe('the preview of the watermark', () => {
  it('has the text where the finished edit has it, at rest and on its way', async () => {
    const payload = { text: '@someusername' }
    const beginning = { ...source, durationMs: 18_000 }
    const plan = findRecipe('dynamic-watermark')?.plan(beginning, payload, {
      moments: [],
      assets: [],
      secret: SECRET,
    })
    const path = await keptClip('beginning.mp4', ['-i', clip, '-t', '18', '-c', 'copy'])
    const full = (await render(plan, path))['dynamic-watermark.mp4']
    // Within it the text leaves one place and rests at the next.
    const startMs = 14_700
    const made = (await preview('dynamic-watermark', payload, { startMs, durationMs: 3000 }))[
      'dynamic-watermark.mp4'
    ]
    const { durationS, video } = await streamsOf(made)
    expect(Math.abs(durationS - 3)).toBeLessThan(1.01 / RATE)
    expect(video).toMatchObject({ codec_name: 'h264', width: 852, height: 480 })
    expect(
      await similarity({ path: made, atS: 0 }, { path: full, atS: startMs / 1000 }, 2.9),
    ).toBeGreaterThan(0.95)
  })
})

describe('the preview of the GIF pack', () => {
  it('makes real GIFs of the moments at 320 px, and the clip', async () => {
    // Evenly spaced: a GIF of the clip's scene of random dots is like no other GIF of it.
    const full = await whole('social-media-gif-pack', undefined, [])
    for (const passage of timeline('social-media-gif-pack', undefined, [])) {
      const isClip = passage.output === 'loop.mp4'
      const made = (await preview('social-media-gif-pack', undefined, windowOf(passage)))[
        passage.output
      ]
      const { durationS, video } = await streamsOf(made)
      expect(durationS).toBeLessThan(3.1)
      expect(video?.codec_name).toBe(isClip ? 'h264' : 'gif')
      expect(Math.max(video?.width ?? 0, video?.height ?? 0)).toBeLessThanOrEqual(
        isClip ? 854 : 320,
      )
      expect(
        await similarity({ path: made, atS: 0 }, { path: full[passage.output], atS: 0 }, 2),
      ).toBeGreaterThan(isClip ? 0.95 : 0.92)
    }
  })
})

describe('the preview of the GIF pack by one moment', () => {
  it('shows in each file what it shows by itself', async () => {
    // The moment of the upright one by places, whose own preview is made above.
    const places = timeline('social-media-gif-pack', undefined, [])
    const upright = places.find(({ output }) => output === 'gif-upright.gif')
    if (upright === undefined) throw new Error('there is none')
    const { output: _output, ...window } = windowOf(upright)
    const together = await preview('social-media-gif-pack', undefined, window)
    expect(Object.keys(together)).toEqual(places.map(({ output }) => output))
    // Those of the other two shapes differ in their crop, which the preview by places shows.
    for (const output of ['gif-upright.gif', 'loop.mp4']) {
      // The clip begins where its end has faded into.
      const own =
        output === 'loop.mp4' ? { startMs: window.startMs + 800, durationMs: 2200 } : window
      const alone = (await preview('social-media-gif-pack', undefined, { ...own, output }))[output]
      const [{ video }, { video: expected }] = [
        await streamsOf(together[output]),
        await streamsOf(alone),
      ]
      expect([video?.width, video?.height]).toEqual([expected?.width, expected?.height])
      expect(
        await similarity({ path: together[output], atS: 0 }, { path: alone, atS: 0 }, 1.2),
      ).toBeGreaterThan(0.92)
    }
  })
})

describe('the preview of the still pack', () => {
  it('shows the very frames', async () => {
    const places = timeline('still-pack')
    expect(places).toHaveLength(12)
    const [place] = places.slice(7)
    if (place === undefined) throw new Error('too few places')
    const context = { moments, assets: [], secret: SECRET }
    const plan = findRecipe('still-pack')?.plan(source, undefined, context)
    if (plan?.ok !== true) throw new Error(JSON.stringify(plan))
    // Each still is a run of its own.
    const full = await renderKept(onlyOutput(plan.value, place.output), { source: clip })
    const made = (await preview('still-pack', undefined, windowOf(place)))['still.png']
    expect((await streamsOf(made)).video).toMatchObject({
      codec_name: 'png',
      width: 852,
      height: 480,
    })
    expect(
      await similarity({ path: made, atS: 0 }, { path: full[place.output], atS: 0 }, 1),
    ).toBeGreaterThan(0.95)
  })
})
