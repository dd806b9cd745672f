import { describe, expect, it } from 'vitest'
import { findRecipe, recipes } from '#recipes/presets.ts'
import type { Recipe } from '#recipes/recipe.ts'
import { probe } from '#tests/fixtures/probes.ts'
import { ladder, type LadderFacts } from '#workers/media/render/ladder.ts'
import { framesOf, smallDrawing } from '#workers/media/render/layout.ts'

const source = probe({ durationMs: 600_000, width: 1920, height: 1080, frameRate: 25 })

function drawingOf(slug: string, of = source, payload?: unknown) {
  const drawn = findRecipe(slug)?.drawing?.(of, payload, { moments: [] })
  if (drawn?.ok !== true) throw new Error('no drawing')
  return drawn.value
}

function filmOf(...of: Parameters<typeof drawingOf>): LadderFacts['work'] {
  return { kind: 'film', drawing: drawingOf(...of) }
}

function markedOf(of = source, payload: unknown = { text: '@me' }): LadderFacts['work'] {
  const [drawing, small] = [false, true].map((isSmall) =>
    findRecipe('dynamic-watermark')?.markedDrawing?.(of, payload, isSmall),
  )
  if (drawing?.ok !== true || small?.ok !== true) throw new Error('no drawing')
  return { kind: 'marked', drawing: drawing.value, small: small.value }
}

const minute = { ...source, durationMs: 60_000 }

const NO_MOMENTS = { moments: [], assets: [], secret: '' }
/** Those whose steps read pictures alone. */
const ofPictures = Object.values(recipes).filter(({ isOfPictures }) => isOfPictures)

function planOf(recipe: Recipe | undefined, of = source) {
  const planned = recipe?.plan(of, recipe.typicalPayload, NO_MOMENTS)
  if (planned?.ok !== true) throw new Error('no plan')
  return planned.value
}

const facts: LadderFacts = {
  work: filmOf('teaser-15s'),
  needsServerFiles: false,
  source,
  isDecoded: true,
  isDecodedByCore: true,
  encodes: 'full',
  memory: 'full',
}

it.each<readonly [string, Partial<LadderFacts>, readonly string[]]>([
  ['in full size, else smaller, else slowly', {}, ['now', 'now-small', 'now-slow']],
  ['smaller by an encoder of 720p', { encodes: 'small' }, ['now-small', 'now-slow']],
  ['smaller where memory is short', { memory: 'small' }, ['now-small', 'now-slow']],
  ['slowly without an encoder', { encodes: 'none' }, ['now-slow']],
  ['slowly without a decoder', { isDecoded: false }, ['now-slow']],
  ['slowly of fields', { source: { ...source, isInterlaced: true } }, ['now-slow']],
  ['quickly of what the core does not decode', { isDecodedByCore: false }, ['now', 'now-small']],
  [
    'in full size where that is small',
    { work: filmOf('teaser-15s', { ...source, width: 1280, height: 720 }), memory: 'small' },
    ['now', 'now-slow'],
  ],
  ['a minute of it not slowly', { work: filmOf('teaser-60s') }, ['now', 'now-small']],
  ['under a mark', { work: markedOf(minute) }, ['now', 'now-small']],
  [
    'of 4K under a mark smaller only',
    { work: markedOf({ ...minute, width: 3840, height: 2160 }) },
    ['now-small'],
  ],
])('NOW-07 a device makes an edit %s', (_title, different, rungs) => {
  expect(ladder({ ...facts, ...different }).rungs).toEqual(rungs)
})

it.each<readonly [string, Partial<LadderFacts>]>([
  ['never-here', { work: null }],
  ['needs-server-files', { needsServerFiles: true, work: null }],
  ['too-long', { work: filmOf('tube-cut', source, { targetDuration: 120_000 }) }],
  ['too-long', { work: filmOf('teaser-60s'), encodes: 'none' }],
  ['too-long', { work: markedOf({ ...source, durationMs: 90_001 }) }],
  ['never-here', { work: markedOf(minute), source: { ...minute, immersiveTrack: 1 } }],
  ['no-encoder', { work: markedOf(minute), encodes: 'none' }],
  ['no-decoder', { work: markedOf(minute), isDecoded: false }],
  ['too-little-memory', { memory: 'little' }],
  ['no-decoder', { isDecoded: false, isDecodedByCore: false }],
  ['no-decoder', { source: { ...source, isHdr: true } }],
  ['no-encoder', { encodes: 'none', isDecodedByCore: false }],
])('NOW-07 says why an edit is left to the server: %s', (why, different) => {
  expect(ladder({ ...facts, ...different })).toEqual({ rungs: [], why })
})

describe.each(ofPictures.map((recipe) => [recipe.slug, recipe] as const))('%s', (_slug, recipe) => {
  const work = { kind: 'pictures', plan: planOf(recipe) } as const

  it('NOW-07 is made of decoded pictures, without an encoder, or by the server', () => {
    expect(ladder({ ...facts, work, encodes: 'none' }).rungs).toEqual(['now'])
    expect(ladder({ ...facts, work, isDecoded: false })).toEqual({ rungs: [], why: 'no-decoder' })
    expect(ladder({ ...facts, work, source: { ...source, isHdr: true } }).why).toBe('no-decoder')
    expect(ladder({ ...facts, work, memory: 'little' }).why).toBe('too-little-memory')
  })

  it.each([source, { ...source, width: 1080, height: 1920 }])(
    'NOW-05 reads nothing of its video but pictures, which are as many as it shows',
    (of) => {
      const reads = planOf(recipe, of).steps.map(({ inputs }) =>
        inputs.filter(({ from }) => from.kind === 'source'),
      )
      expect(reads.flat().length).toBeGreaterThan(0)
      for (const inputs of reads) {
        expect(inputs.length).toBeLessThanOrEqual(1)
        for (const { pictures, durationMs = 0 } of inputs) {
          if (pictures === undefined) throw new Error('no pictures')
          const { size, frames, frameRate } = pictures
          expect([size.width % 2, size.height % 2]).toEqual([0, 0])
          expect(size.width).toBeLessThanOrEqual(of.width)
          // A passage is read for up to half a second longer.
          if (frameRate === null) expect(frames).toBe(1)
          else expect(Math.abs(frames / frameRate.value - durationMs / 1000)).toBeLessThan(0.51)
        }
      }
    },
  )

  it('encodes by what ffmpeg.wasm can', () => {
    const { steps } = planOf(recipe)
    for (const { needs, args, tool } of steps) {
      expect(tool).toBeUndefined()
      for (const encoder of needs.encoders)
        expect(['libx264', 'gif', 'rawvideo', 'mjpeg']).toContain(encoder)
      // Tables of its own overflow its stack.
      if (needs.encoders.includes('mjpeg'))
        expect(args.slice(args.indexOf('-huffman')).slice(0, 2)).toEqual(['-huffman', 'default'])
    }
  })
})

it('has formats that are made of pictures', () => {
  expect(ofPictures.map(({ slug }) => slug).toSorted()).toEqual([
    'short-trailer-gif',
    'social-media-gif-pack',
    'still-pack',
    'team-skeet-thumbnail-video',
  ])
})

it('makes the same edit smaller, with the same part of the picture', () => {
  const drawing = drawingOf('teaser-square')
  const small = smallDrawing(drawing)
  expect(small.size).toEqual({ width: 720, height: 720 })
  expect(framesOf(small)).toBe(framesOf(drawing))
  for (const [index, { crop }] of small.passages.entries()) {
    const before = drawing.passages[index]?.crop
    if (crop === undefined || before === undefined) throw new Error('no crop')
    expect(crop.whole).toEqual({ width: 1280, height: 720 })
    expect(Math.abs(crop.left / 1280 - before.left / 1920)).toBeLessThan(0.002)
    expect(crop.left + small.size.width).toBeLessThanOrEqual(crop.whole.width)
  }
  expect(smallDrawing(small)).toBe(small)
})

describe('a mark over a whole video', () => {
  it('NOW-05 is made at its own times, with its sound as it is', () => {
    const work = markedOf(minute)
    if (work?.kind !== 'marked') throw new Error('no mark')
    const { drawing, small } = work
    expect(drawing).toMatchObject({
      timing: 'own',
      lengthMs: 60_000,
      fileName: 'scene-watermarked.mp4',
    })
    expect([drawing.size.height, small.size.height]).toEqual([1080, 720])
    expect(small.mark.ground.width).toBeLessThan(drawing.mark.ground.width)
    expect(drawing.sound?.steps.map(({ args }) => args.slice(0, 4))).toEqual([
      ['-map', '0:a:0', '-c:a', 'copy'],
    ])
    const fast = markedOf({ ...minute, frameRate: 240, hasAudio: false })
    expect(fast).toMatchObject({ drawing: { timing: 'steady', sound: null } })
  })

  it('NOW-05 shows no logo, which lies at the server', () => {
    const recipe = findRecipe('dynamic-watermark')
    const payload = { logoMediaAssetId: 'logo' }
    expect(recipe?.assetIds(payload)).toEqual(['logo'])
    expect(recipe?.markedDrawing?.(minute, payload, false)).toMatchObject({
      error: { code: 'recipe/asset-missing' },
    })
  })
})
