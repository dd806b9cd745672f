import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  drawableText,
  shareOfUsualHeight,
  watermarkOptions,
} from '#recipes/dynamic-watermark/options.ts'
import { findRecipe } from '#recipes/presets.ts'
import { escapeFilterValue, printArgs } from '#recipes/print-args.ts'
import type { SourceProbe } from '#recipes/types.ts'
import { SECRET, probe } from '#tests/fixtures/probes.ts'

const hostile = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 80 }),
  fc.string({
    unit: fc.constantFrom(
      "'",
      '"',
      ':',
      '\\',
      '%',
      '{',
      '}',
      '\n',
      '\r',
      ',',
      ';',
      '[',
      ']',
      '=',
      '@',
      '💜',
      'ש',
      'ع',
      '\u202e',
      '\0',
      'a',
      ' ',
    ),
    maxLength: 80,
  }),
)

describe('the watermark text', () => {
  it('OPT-01 is required, trimmed and at most 64 characters, as in the contract', () => {
    for (const payload of [undefined, null, 7, {}, { text: 7 }, { text: '' }, { text: ' \n\t ' }]) {
      expect(watermarkOptions.parse(payload)).toEqual({
        ok: false,
        error: {
          code: 'recipe/options-invalid',
          field: 'text',
          message: 'Please enter your Name or Social Tag',
        },
      })
    }
    expect(watermarkOptions.parse({ text: '  @someusername ' })).toEqual({
      ok: true,
      value: { text: '@someusername' },
    })
    expect(watermarkOptions.parse({ text: 'a'.repeat(64) }).ok).toBe(true)
    expect(watermarkOptions.parse({ text: 'a'.repeat(65) }).ok).toBe(false)
  })

  it('OPT-01 is drawn on one line, without characters that the font does not have', () => {
    expect(drawableText('me 💜\nyou')).toBe('me you')
    expect(drawableText('𝓵𝓲𝓴𝓮 𝓽𝓱𝓲𝓼')).toBe('like this')
    expect(drawableText('Ünï שלום Привет')).toBe('Ünï שלום Привет')
    expect(watermarkOptions.parse({ text: '💜' }).ok).toBe(false)
  })

  it('OPT-01 has lower letters where it would be wider than the picture', () => {
    const upright = { width: 1080, height: 1920 }
    const widest = 'W'.repeat(64)
    expect(shareOfUsualHeight('@someusername 💜', upright)).toBe(1)
    expect(shareOfUsualHeight(widest, { width: 1920, height: 1080 })).toBeGreaterThan(0.6)
    expect(shareOfUsualHeight(widest, upright)).toBeCloseTo(0.21)
  })

  it('OPT-01 reaches ffmpeg only as a file: no argument depends on its characters', () => {
    fc.assert(
      fc.property(hostile, (text) => {
        const plan = findRecipe('dynamic-watermark')?.plan(
          probe(),
          { text: `x${text}` },
          { moments: [], assets: [], secret: SECRET },
        )
        if (plan?.ok !== true) return
        const [file] = plan.value.files
        expect(file?.text).toMatch(/^[^\n\r\0]+$/)
        const sizeless = (json: string): string =>
          json.replace(/(fontsize|borderw|shadowx|shadowy)=\d+/g, '$1')
        const plain = findRecipe('dynamic-watermark')?.plan(
          probe(),
          { text: 'x' },
          { moments: [], assets: [], secret: SECRET },
        )
        expect(plain?.ok === true && sizeless(JSON.stringify(plain.value.steps))).toBe(
          sizeless(JSON.stringify(plan.value.steps)),
        )
      }),
    )
  })
})

describe('escaping a value of a filter graph', () => {
  it('is undone by the two levels that ffmpeg reads', () => {
    const readLevel = (text: string): string => text.replace(/\\([^])/g, '$1')
    fc.assert(
      fc.property(hostile, (text) => {
        const escaped = escapeFilterValue(text)
        expect(readLevel(readLevel(escaped))).toBe(text)
        // Nothing that ends a value may stand there bare, on either level.
        expect(escaped.replace(/\\[^]/g, '')).not.toMatch(/[\\'[\],;]/)
        expect(readLevel(escaped).replace(/\\[^]/g, '')).not.toMatch(/[\\':]/)
      }),
    )
  })
})

it('REC-05 sound of a transport stream is encoded, because a damaged frame would end a copy', () => {
  const soundOf = (different: Partial<SourceProbe>): string => {
    const plan = findRecipe('dynamic-watermark')?.plan(
      probe(different),
      { text: '@a' },
      { moments: [], assets: [], secret: SECRET },
    )
    if (plan?.ok !== true) throw new Error('The watermark has no plan')
    return plan.value.steps.map((step) => printArgs(step, () => '/w/file').join(' ')).join(' ')
  }
  expect(soundOf({ audioCodec: 'aac' })).toContain('-c:a copy')
  expect(soundOf({ audioCodec: 'aac', isAdts: true })).toContain('-c:a aac')
})
