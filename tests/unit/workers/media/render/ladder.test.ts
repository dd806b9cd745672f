import { expect, it } from 'vitest'
import { findRecipe } from '#recipes/presets.ts'
import { probe } from '#tests/fixtures/probes.ts'
import { ladder, type LadderFacts } from '#workers/media/render/ladder.ts'
import { framesOf, smallDrawing } from '#workers/media/render/layout.ts'

const source = probe({ durationMs: 600_000, width: 1920, height: 1080, frameRate: 25 })

function drawingOf(slug: string, of = source, payload?: unknown) {
  const drawn = findRecipe(slug)?.drawing?.(of, payload, { moments: [] })
  if (drawn?.ok !== true) throw new Error('no drawing')
  return drawn.value
}

const facts: LadderFacts = {
  drawing: drawingOf('teaser-15s'),
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
    { drawing: drawingOf('teaser-15s', { ...source, width: 1280, height: 720 }), memory: 'small' },
    ['now', 'now-slow'],
  ],
  ['a minute of it not slowly', { drawing: drawingOf('teaser-60s') }, ['now', 'now-small']],
])('NOW-07 a device makes an edit %s', (_title, different, rungs) => {
  expect(ladder({ ...facts, ...different }).rungs).toEqual(rungs)
})

it.each<readonly [string, Partial<LadderFacts>]>([
  ['never-here', { drawing: null }],
  ['needs-server-files', { needsServerFiles: true, drawing: null }],
  ['too-long', { drawing: drawingOf('tube-cut', source, { targetDuration: 120_000 }) }],
  ['too-long', { drawing: drawingOf('teaser-60s'), encodes: 'none' }],
  ['too-little-memory', { memory: 'little' }],
  ['no-decoder', { isDecoded: false, isDecodedByCore: false }],
  ['no-decoder', { source: { ...source, isHdr: true } }],
  ['no-encoder', { encodes: 'none', isDecodedByCore: false }],
])('NOW-07 says why an edit is left to the server: %s', (why, different) => {
  expect(ladder({ ...facts, ...different })).toEqual({ rungs: [], why })
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
