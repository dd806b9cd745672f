import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { lettersOf } from '#recipes/dynamic-watermark/letters.ts'
import { MARK_SIZES, MARK_STRENGTHS } from '#recipes/dynamic-watermark/mark.ts'
import { drawableText, watermarkOptions } from '#recipes/dynamic-watermark/options.ts'
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
      value: { text: '@someusername', size: 'medium', strength: 'medium' },
    })
    expect(watermarkOptions.parse({ text: 'a'.repeat(64) }).ok).toBe(true)
    expect(watermarkOptions.parse({ text: 'a'.repeat(65) }).ok).toBe(false)
  })

  it('OPT-01 is drawn on one line, without characters that the font does not have', () => {
    expect(drawableText('me 💜\nyou')).toBe('me you')
    expect(drawableText('𝓵𝓲𝓴𝓮 𝓽𝓱𝓲𝓼')).toBe('like this')
    expect(drawableText('Ünï שלום Привет')).toBe('Ünï שלום Привет')
    expect(watermarkOptions.parse({ text: '💜' }).ok).toBe(false)
    expect(drawableText('👩\u200d👩\u200d👧 fam')).toBe('fam')
    expect(drawableText('1️⃣ ❤️ \u202eyou')).toBe('1 ❤ you')
  })

  it('OPT-01 refuses letters that the font does not have, which a name would lose', () => {
    for (const [text, strange] of [
      ['สวัสดี abc', 'สวัสดี'],
      ['नमस्ते', 'नमस्ते'],
      ['日本語 name', '日本語'],
    ])
      expect(watermarkOptions.parse({ text })).toMatchObject({
        error: { field: 'text', message: expect.stringContaining(`draw ${strange}. Please`) },
      })
  })

  it('OPT-01 draws Hebrew and Arabic in their direction, and without points beside the letters', () => {
    const drawn = (text: string): string | undefined => {
      const plan = findRecipe('dynamic-watermark')?.plan(
        probe(),
        { text },
        { moments: [], assets: [], secret: SECRET },
      )
      return plan?.ok === true ? plan.value.files[0]?.text : undefined
    }
    expect(drawn('שָׁלוֹם (12)')).toBe('\u202bשלום (12)')
    expect(drawn('مُحَمَّد')).toBe('\u202bمحمد')
    expect(drawn('علی\u200cرضا')).toBe('\u202bعلی\u200cرضا')
    expect(drawn('Ann שלום')).toBe('Ann שלום')
    expect(
      drawn('ش'.repeat(64))
        ?.split('\n')
        .map((line) => line[0]),
    ).toEqual(Array.from({ length: 3 }, () => '\u202b'))
    expect(drawableText('x\u0302é')).toBe('x\u0302é')
  })

  it('DEL-03 has one of three sizes and of three strengths, and is medium where none is chosen', () => {
    for (const size of MARK_SIZES)
      for (const strength of MARK_STRENGTHS)
        expect(watermarkOptions.parse({ text: '@a', size, strength })).toEqual({
          ok: true,
          value: { text: '@a', size, strength },
        })
    for (const field of ['size', 'strength'])
      for (const wrong of ['huge', '', null, 3, ['small']])
        expect(watermarkOptions.parse({ text: '@a', [field]: wrong })).toMatchObject({
          ok: false,
          error: { field, message: expect.stringMatching(/^Please choose \w+, medium or \w+$/) },
        })
  })

  it('DEL-03 OPT-01 has letters of 10.8 pixels and more where a video is 360 wide, whatever its shape and text', () => {
    const words = fc.array(fc.string({ unit: fc.constantFrom('W', 'i', 'ש', '@', 'e\u0301') }), {
      maxLength: 12,
    })
    fc.assert(
      fc.property(
        words.map((each) => drawableText(`W${each.join(' ')}`.slice(0, 64))),
        fc.constantFrom(...MARK_SIZES),
        fc.constantFrom([1920, 1080], [1080, 1920], [720, 720], [1920, 800], [360, 640]),
        (text, size, [width = 0, height = 0]) => {
          const letters = lettersOf(text, size, { width, height })
          expect((letters.fontSize + 1) / width).toBeGreaterThan(10.8 / 360)
          expect(letters.width).toBeLessThanOrEqual(width * 0.9 + 1)
          expect(letters.height).toBeLessThan(height / 2)
          expect(letters.lines.join('').replaceAll(' ', '')).toBe(text.replaceAll(' ', ''))
        },
      ),
      { examples: [['WWW WWWWWW WWWWWWW@ WWW WWWWWW', 'large', [1920, 800]]] },
    )
  })

  it('OPT-01 breaks a long text between words, and a word only where it would be too low', () => {
    const upright = { width: 1080, height: 1920 }
    const linesOf = (text: string) => lettersOf(text, 'medium', upright).lines
    expect(linesOf('@someusername')).toEqual(['@someusername'])
    expect(linesOf('@'.padEnd(38, 'l'))).toHaveLength(1)
    expect(linesOf('My Name Of Many Words @someusername.example')).toEqual([
      'My Name Of Many Words',
      '@someusername.example',
    ])
    expect(linesOf('W'.repeat(64)).map(({ length }) => length)).toEqual([22, 22, 20])
    const { fontSize } = lettersOf('@me', 'large', { width: 3000, height: 400 })
    expect(fontSize).toBe(60)
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
        expect(file?.text).toMatch(/^[^\r\0]+$/)
        const sizeless = (json: string): string =>
          json.replace(/(fontsize|borderw)=\d+|\d+\+\([wh]-t[wh]-\d+\)/g, '$1')
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
