import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ACTION_COLUMNS, ACTION_ROWS } from '#recipes/analysis-picture.ts'
import { findRecipe, recipes } from '#recipes/presets.ts'
import { printArgs } from '#recipes/print-args.ts'
import type {
  Moment,
  PreviewWindow,
  RecipePlan,
  SourceProbe,
  TimelinePassage,
} from '#recipes/types.ts'
import { AROUND_MS } from '#recipes/voice-preview.ts'
import { SECRET, assets, payloads, probe, probes } from '#tests/fixtures/probes.ts'
import { runs } from '#tests/seeds.ts'

/**
 * What the stack of ffmpeg.wasm has room for; its JPEG, Opus, VP9 and HEVC encoders crash or hang.
 */
const SAFE_ENCODERS = new Set(['libx264', 'gif', 'png', 'aac', 'pcm_s16le', 'wrapped_avframe'])

const anyWindow = fc.record({
  startMs: fc.oneof(fc.integer({ min: -5000, max: 20_000_000 }), fc.constant(Number.NaN)),
  durationMs: fc.oneof(fc.integer({ min: -1, max: 60_000 }), fc.constant(Infinity)),
})

function previewOf(slug: string, source: SourceProbe, window: PreviewWindow): RecipePlan | null {
  const plan = findRecipe(slug)?.preview?.(source, payloads[slug], window, { secret: SECRET })
  if (plan === undefined) throw new Error(`no preview for ${slug}`)
  return plan.ok ? plan.value : null
}

function timelineOf(
  slug: string,
  source: SourceProbe,
  payload = payloads[slug],
): readonly TimelinePassage[] {
  const timeline = findRecipe(slug)?.timeline?.(source, payload, { moments: [] })
  if (timeline?.ok !== true) throw new Error(`no timeline for ${slug}`)
  return timeline.value
}

/** A preset need not have a preview. */
const previewed = Object.keys(recipes).filter((slug) => recipes[slug]?.preview !== undefined)

it('exist for every preset that was built with one', () => {
  expect(previewed).toEqual(
    expect.arrayContaining([
      'teaser-15s',
      'teaser-60s',
      'social-media-gif-pack',
      'still-pack',
      'dynamic-watermark',
      'tube-cut',
      'uniform-sampling',
      'team-skeet-thumbnail-video',
      'short-trailer-gif',
      'voice-mask-full-scene',
      'example-low-resolution-video',
    ]),
  )
})

describe('the square GIF of the pack', () => {
  const window = { startMs: 20_000, durationMs: 3_000 }
  const movingAt = (action: string): Moment => ({
    atMs: 20_000,
    lengthMs: 3_000,
    shows: 'lively',
    score: 0.5,
    startsShot: false,
    stillMs: 20_000,
    likeness: '',
    action,
  })
  const left = movingAt(`f${'0'.repeat(ACTION_COLUMNS - 1)}${'0'.repeat(ACTION_ROWS)}`)
  const cropOf = (moments: readonly Moment[], output?: string): string | undefined => {
    const plan = findRecipe('social-media-gif-pack')?.preview?.(
      probe(),
      undefined,
      output === undefined ? window : { ...window, output },
      { secret: SECRET, moments },
    )
    const step = plan?.ok === true ? plan.value.steps.find(({ id }) => id === 'gif-square') : null
    return /crop=\d+:\d+:\d+/.exec(
      printArgs(step ?? { inputs: [], args: [] }, String).join(' '),
    )?.[0]
  }

  it.each([['gif-square.gif'], [undefined]])(
    'REC-03 is cut out where something moves, as the server does it (%s)',
    (output) => {
      expect(cropOf([left], output)).toMatch(/:0$/)
      expect(cropOf([], output)).not.toMatch(/:0$/)
      // What moves at another time counts for nothing.
      expect(cropOf([{ ...left, atMs: 0 }], output)).toBe(cropOf([], output))
    },
  )
})

describe.each(previewed)('the preview of %s', (slug) => {
  it.each(probes)('is short and small, by encoders that run in the browser: %s', (_, source) => {
    fc.assert(
      fc.property(anyWindow, (window) => {
        const plan = previewOf(slug, source, window)
        if (plan === null) return
        for (const step of plan.steps) {
          const args = printArgs(step, ({ kind }) =>
            kind === 'source' ? '/w/source' : '/w/file',
          ).join(' ')
          expect(args).not.toMatch(/undefined|NaN|Infinity|e-\d/)
          const isFinal = step.args.some((arg) => typeof arg !== 'string' && arg.kind === 'output')
          if (isFinal) expect(args).toContain('-map_metadata -1 -map_chapters -1')
          expect([undefined, 'voice-filter']).toContain(step.tool)
          for (const encoder of step.needs.encoders) expect(SAFE_ENCODERS).toContain(encoder)
          expect(step.outputDurationMs).toBeLessThanOrEqual(
            (findRecipe(slug)?.previewLimitMs ?? 0) + (isFinal ? 50 : 2 * AROUND_MS),
          )
          for (const [, width, height] of args.matchAll(/(?:^|,|\])scale=(\d+):(\d+)/g))
            expect(Math.min(Number(width), Number(height))).toBeLessThanOrEqual(480)
          if (!args.includes('/w/source')) continue
          if (source.isHdr && !args.includes('-vn')) expect(args).toContain('tonemap')
          const startS = Number(/-ss ([\d.]+)/.exec(args)?.[1] ?? 0)
          expect(startS).toBeGreaterThanOrEqual(0)
          expect(startS * 1000).toBeLessThan(source.durationMs)
        }
        for (const output of plan.outputs) expect(output.fileName).toMatch(/^[A-Za-z0-9._-]+$/)
      }),
      { numRuns: runs(20) },
    )
  })

  it('names what the finished edit names', () => {
    const passages = findRecipe(slug)?.timeline === undefined ? [] : timelineOf(slug, probe())
    const plan = findRecipe(slug)?.plan(probe(), payloads[slug], {
      moments: [],
      assets,
      secret: SECRET,
    })
    if (plan?.ok !== true) throw new Error('no plan')
    const names = plan.value.outputs.map(({ name }) => name)
    for (const passage of passages) expect(names).toContain(passage.output)
  })
})

describe('timelines', () => {
  it.each(['teaser-15s', 'teaser-60s', 'tube-cut', 'uniform-sampling'])(
    '%s goes forward through the source and is as long as the edit',
    (slug) => {
      fc.assert(
        fc.property(
          fc.integer({ min: 500, max: 4 * 3_600_000 }),
          fc.constantFrom(23.976, 25, 29.97, 59.94),
          (durationMs, frameRate) => {
            const source = probe({ durationMs, frameRate })
            const passages = timelineOf(slug, source)
            for (const [index, passage] of passages.entries()) {
              const before = passages[index - 1]
              expect(passage.endMs).toBeGreaterThan(passage.startMs)
              expect(passage.endMs).toBeLessThanOrEqual(durationMs)
              if (before !== undefined) {
                expect(passage.startMs).toBeGreaterThanOrEqual(before.endMs - 50)
                expect(passage.outputStartMs).toBeLessThanOrEqual(
                  before.outputStartMs + before.endMs - before.startMs + 50,
                )
              }
            }
            const last = passages.at(-1)
            const lengthMs = (last?.outputStartMs ?? 0) + (last?.endMs ?? 0) - (last?.startMs ?? 0)
            const plan = findRecipe(slug)?.plan(source, payloads[slug], {
              moments: [],
              assets,
              secret: SECRET,
            })
            // Intro and outro are no passages of the source.
            const endsMs = 5000 * (findRecipe(slug)?.assetIds(payloads[slug]).length ?? 0)
            expect(
              Math.abs(
                lengthMs +
                  endsMs -
                  (plan?.ok === true ? (plan.value.steps.at(-1)?.outputDurationMs ?? 0) : 0),
              ),
            ).toBeLessThan(50)
          },
        ),
      )
    },
  )

  it('the GIF pack has a moment for each file, the still pack a place for each still', () => {
    expect(timelineOf('social-media-gif-pack', probe()).map(({ output }) => output)).toEqual([
      'gif-square.gif',
      'gif-wide.gif',
      'gif-upright.gif',
      'loop.mp4',
    ])
    const places = timelineOf('still-pack', probe())
    expect(places).toHaveLength(12)
    for (const { startMs, endMs } of places) expect(endMs).toBe(startMs)
  })

  it('needs no assets', () => {
    expect(
      timelineOf('tube-cut', probe(), { targetDuration: 60_000, introMediaAssetIds: ['unknown'] }),
    ).toHaveLength(3)
  })
})
