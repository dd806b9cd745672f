import { beforeAll, expect, it } from 'vitest'
import { findRecipe } from '#recipes/presets.ts'
import type { Moment, SourceProbe } from '#recipes/types.ts'
import { CORPUS_RATE, corpusVideo, sceneAt, type CorpusVideo } from '#tests/bench/edits/corpus.ts'
import { SECRET, probe } from '#tests/fixtures/probes.ts'
import { loudnessOf, streamsOf } from '#tests/integration/recipes/measure.ts'
import { sharesOf, shownOfCorpus, timesShown } from '#tests/setup/corpus-figures.ts'
import { kept } from '#tests/setup/kept.ts'
import { keptMoments, renderKept } from '#tests/setup/kept-render.ts'

/**
 * Of it 80 s are lively; the rest is black, a title, blurred, still, or loud and still. Longer
 * ones: `npm run bench -- edits moments`.
 */
const ORDER = { name: 'scenes', seconds: 110, seed: 193_660, encoding: ['-preset', 'ultrafast'] }
const source: SourceProbe = probe({
  durationMs: ORDER.seconds * 1000,
  width: 320,
  height: 180,
  frameRate: CORPUS_RATE,
  audioChannels: 1,
})

let video: CorpusVideo
let moments: readonly Moment[] = []

beforeAll(async () => {
  const code = ['corpus', 'corpus-paint', 'corpus-sound', 'scene', 'time-code'].map((name) => ({
    code: `tests/bench/edits/${name}.ts`,
  }))
  const folder = await kept('clips', [JSON.stringify(ORDER), ...code], async (own) => {
    await corpusVideo(ORDER, own)
  })
  video = await corpusVideo(ORDER, folder)
  // The search does not see the bar codes.
  moments = await keptMoments(source, video.plain)
})

/** From a frame that is not mixed to the next one, as frames of the source. */
interface Step {
  readonly from: number
  readonly to: number
  /** How many mixed ones lie between. */
  readonly mixed: number
}

function stepsOf(frames: readonly (number | null)[]): readonly Step[] {
  const clear = frames.flatMap((frame, at) => (frame === null ? [] : [{ frame, at }]))
  return clear.slice(1).map(({ frame, at }, index) => {
    const before = clear[index] ?? { frame, at }
    return { from: before.frame, to: frame, mixed: at - before.at - 1 }
  })
}

it.each([
  { row: 'REC-01', slug: 'teaser-15s', seconds: 15 },
  { row: 'REC-02', slug: 'teaser-60s', seconds: 60 },
])(
  '$row $slug of a video of known scenes shows what is lively, nothing bare, no cut, and fades',
  async ({ slug, seconds }) => {
    const plan = findRecipe(slug)?.plan(source, undefined, { moments, assets: [], secret: SECRET })
    if (plan?.ok !== true) throw new Error(JSON.stringify(plan))
    const made = await renderKept(plan.value, { source: video.coded })
    const path = made[`${slug}.mp4`] ?? ''

    const shown = await shownOfCorpus(path)
    expect(shown.frames).toHaveLength(seconds * CORPUS_RATE)
    const shares = sharesOf(video, timesShown(shown))
    expect(shares.lively).toBeGreaterThanOrEqual(0.9)
    expect(shares.bare).toBe(0)
    expect(shown.firstBrightness).toBeGreaterThan(40)

    const steps = stepsOf(shown.frames)
    const within = steps.filter(({ from, to }) => to - from <= 2)
    const sceneOf = (frame: number) => sceneAt(video, (frame / CORPUS_RATE) * 1000 + 1)
    expect(within.filter(({ from, to }) => sceneOf(from) !== sceneOf(to))).toEqual([])
    // Passages in the order of the source, each faded into the next.
    const joints = steps.filter((step) => !within.includes(step))
    expect(joints.length).toBeGreaterThan(3)
    for (const { from, to, mixed } of joints) {
      expect(to).toBeGreaterThan(from)
      // A scene that fades into itself is a ghost.
      const isGhost = mixed > 0 && sceneOf(from).look === sceneOf(to).look
      expect(isGhost ? 'ghost' : 'clean').toBe('clean')
      if (sceneOf(from).look !== sceneOf(to).look) expect(mixed).toBeGreaterThanOrEqual(3)
    }

    const { durationS, video: picture, audio } = await streamsOf(path)
    expect(Math.abs(durationS - seconds)).toBeLessThan(0.1)
    expect(picture).toMatchObject({ codec_name: 'h264', width: 320, height: 180 })
    expect(audio).toMatchObject({ codec_name: 'aac', sample_rate: '48000', channels: 2 })
    expect(Math.abs((await loudnessOf(path)) + 16)).toBeLessThan(0.5)
  },
)
