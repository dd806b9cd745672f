import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  DECIMAL,
  MINUTES,
  readLength,
  readPoint,
  WHOLE,
  writeNumber,
  type NumberRule,
} from '#src/lib/typed-number.ts'
import { plainText } from '#src/lib/typed-text.ts'

/** Scripts that write a number with ten digits of their own, as the browser knows them. */
const SCRIPTS = Intl.supportedValuesOf('numberingSystem').filter(
  (script) => digitsOf(script).length === 10,
)

function digitsOf(script: string): readonly string[] {
  const format = new Intl.NumberFormat(`en-u-nu-${script}`, { useGrouping: false })
  const digits = Array.from({ length: 10 }, (_, digit) => format.format(digit))
  return digits.filter((digit) => /^\p{Nd}$/u.test(digit))
}

describe('digits', () => {
  it('TYP-03 of every script are read as those of ASCII', () => {
    expect(SCRIPTS.length).toBeGreaterThan(60)
    for (const script of SCRIPTS)
      expect([script, plainText(digitsOf(script).join(''))]).toEqual([script, '0123456789'])
  })

  it('TYP-03 of full width and of other scripts count in a code', () => {
    expect(plainText('１２３ ４５６')).toBe('123 456')
    expect(plainText('\u202B١٢٣٤٥٦\u202C')).toBe('123456')
    expect(plainText('१२३-४५६')).toBe('123-456')
    expect(plainText('𝟏𝟐𝟑𝟜𝟝𝟞')).toBe('123456')
  })

  it('TYP-03 are not made of what is part of another number', () => {
    expect(plainText('2½')).toBe('2½')
    expect(plainText('5²')).toBe('5²')
    expect(plainText('①')).toBe('①')
  })
})

describe('a field for a number', () => {
  it.each<[NumberRule, string, number]>([
    [WHOLE, '10', 10],
    [WHOLE, '1.000', 1000],
    [WHOLE, '١٬٠٠٠', 1000],
    [DECIMAL, '1.5', 1.5],
    [DECIMAL, '1,5', 1.5],
    [DECIMAL, '١٫٥', 1.5],
    [DECIMAL, '１，５', 1.5],
    [DECIMAL, '१.५', 1.5],
    [DECIMAL, ' .5 ', 0.5],
    [DECIMAL, '5.', 5],
    [DECIMAL, '−5', -5],
    [MINUTES, '1.5', 1.5],
    [MINUTES, '1:30', 1.5],
    [MINUTES, '１：３０', 1.5],
    [MINUTES, '٠١:٣٠', 1.5],
    [MINUTES, '١:٣٠٫٦', 1.51],
    [MINUTES, '١٫٥ min', 1.5],
    [MINUTES, '1:00:30', 60.5],
    [MINUTES, '1 min 30 s', 1.5],
    [MINUTES, '90 s', 1.5],
    [MINUTES, '1,5 min', 1.5],
    [MINUTES, '1h', 60],
    [MINUTES, '', Number.NaN],
  ])('TYP-02 %# reads %2$s', ({ read }, text, value) => {
    expect(read(text)).toBe(value)
  })

  it.each<[NumberRule, readonly string[]]>([
    [WHOLE, ['2.5', '2,5', '1:30', 'ten', '1e3', '--5', '10 000 00', '٢٫٥٠٠', '2٫500']],
    [
      DECIMAL,
      ['1:30', '1.500,5', '1,2,3', '1 000', 'abc', '1½', '-', '1e3', 'Infinity', '.', '١٬٥٠٠'],
    ],
    [
      MINUTES,
      [
        '1:75',
        '1:60:00',
        '1.30.5',
        '1:2:3:4',
        'soon',
        '30 s 1 min',
        '1:-3',
        '1 year',
        '١٬٥٠٠',
        '1٬500 s',
      ],
    ],
  ])('TYP-02 %# takes nothing of what is no such number', ({ read }, texts) => {
    for (const text of texts) expect([text, read(text)]).toEqual([text, null])
  })

  it('TYP-02 reads a decimal alike in every language and script', () => {
    const tenths = fc.integer({ min: 0, max: 9999 }).map((n) => n / 10)
    fc.assert(
      fc.property(
        tenths,
        fc.constantFrom('en', 'de', 'fr', 'hi', 'ar-EG', 'fa', 'ja', 'sv', 'pt', 'ru'),
        fc.constantFrom(...SCRIPTS),
        (value, language, script) => {
          const text = new Intl.NumberFormat(`${language}-u-nu-${script}`, {
            useGrouping: false,
          }).format(value)
          expect(DECIMAL.read(text)).toBe(value)
          expect(MINUTES.read(text)).toBe(value)
        },
      ),
    )
  })

  it('TYP-02 reads back what it writes', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 100_000_000 }), (ms) => {
        const read = MINUTES.read(writeNumber(ms / 60_000)) ?? Number.NaN
        expect(Math.round(read * 60_000)).toBe(ms)
      }),
    )
    expect(writeNumber(Number.NaN)).toBe('')
  })

  it('TYP-02 a length is told from a plain number by its units', () => {
    for (const text of [
      '1:30',
      '１：３０',
      '0:01:30',
      '1 min 30 s',
      '90s',
      '1,5 min',
      '1 Min. 30 Sek.',
      '1 minute 30 secondes',
      '１分３０秒',
      '0 Std. 1 Minute 30 Sekunden',
    ])
      expect([text, readLength(text)]).toEqual([text, 90_000])
    for (const text of ['', ' ', '1.5', '90', '1:75', 'soon', '-1:30'])
      expect([text, readLength(text)]).toEqual([text, null])
  })

  // As people write it in the languages whose browsers are tried, with a space of every width.
  it.each([
    ['English', '1m30s', '90 secs', '1 minute and 30 seconds', '1 min, 30 s', '1 m 30'],
    ['German', '1 Min. 30', '90 Sekunden', '1 Minute und 30 Sekunden', '1,5 Min.', '1:30 min'],
    ['French', '1 mn 30', '90\u202Fsecondes', '1\u00A0min\u202F30\u00A0s', '1 minute et 30 s'],
    ['Swiss', "1'30", '1’30”', '1′30″', '90"', '1 minuto e 30 secondi', '1,5\u202Fminuti'],
    ['Japanese', '1分30秒', '１分３０', '90秒間', '１．５分', '１：３０', '９０ｓ'],
    ['Arabic', '١ دقيقة ٣٠ ثانية', '١ دقيقة و ٣٠ ثانية', '٩٠ ث', '١٫٥ د', '\u200F١:٣٠'],
    ['Spanish', '1 minuto y 30 segundos', '90 seg.'],
    ['Chinese', '1分钟30秒', '1 分鐘 30 秒'],
  ])('TYP-02 reads a length as it is written in %s', (_, ...texts) => {
    for (const text of texts) {
      expect([text, readLength(text), readPoint(text)]).toEqual([text, 90_000, 90_000])
      expect([text, MINUTES.read(text)]).toEqual([text, 1.5])
    }
  })

  it('TYP-02 minutes behind hours need no unit', () => {
    const texts = ['1h05', '1 h 5', '1 Std. 05', '1 Std 5 Min', '1 hr 5 mins', '1時間5分']
    for (const text of [...texts, '1 ora e 5 minuti', '١ ساعة ٥ دقائق'])
      expect([text, readLength(text)]).toEqual([text, 3_900_000])
  })

  it('TYP-02 no length is made of what may mean another', () => {
    // A number of thousands, hours or minutes, 75 of 60, a half, and words without a number.
    const texts = ["2'500", '2’500', '1:30 h', '1h75', '1 min 75', '1½ min', '1分半', '1 30']
    for (const text of [...texts, '1h und', 'und 30 s', '30 s 1', '1 min 30 min', '1500ms', "'30"])
      expect([text, readLength(text), MINUTES.read(text)]).toEqual([text, null, null])
  })

  it('TYP-02 a point of a video is read as seconds or as minutes and seconds', () => {
    for (const text of [
      '83.4',
      '83,4',
      '1:23.4',
      '1:23,4',
      '１：２３．４',
      '0:01:23.4',
      '1 min 23.4 s',
    ])
      expect([text, readPoint(text)]).toEqual([text, 83_400])
    for (const text of ['', '1:60', '1.23.4', '-5', 'soon'])
      expect([text, readPoint(text)]).toEqual([text, null])
  })
})
