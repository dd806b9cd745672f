import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  bodyLimitsOf,
  countPairs,
  countValues,
  DEEPEST,
  MOST_KEYS,
  SMALL_BODY,
} from '#server/http/body-limits.ts'

const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text)

/** Objects, lists and what is in them, counted in the parsed value. */
function valuesIn(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 1
  return Object.values(value).reduce((sum: number, each) => sum + valuesIn(each), 1)
}
function depthOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0
  return 1 + Math.max(0, ...Object.values(value).map(depthOf))
}
const containersIn = (value: unknown): number =>
  typeof value !== 'object' || value === null
    ? 0
    : Object.values(value).reduce((sum: number, each) => sum + containersIn(each), 1)

// Texts full of what the count has to pass over.
const texts = fc.string({
  unit: fc.constantFrom('"', '\\', ',', '[', '}', ':', 'é', '\u0000', 'a'),
})
const values = fc.jsonValue({ maxDepth: 6, stringUnit: 'binary' })
const anyJson = fc
  .oneof(values, fc.array(texts), fc.dictionary(texts, fc.oneof(texts, values)))
  .filter((value) => depthOf(value) <= DEEPEST)

describe('TRU-10 the values of a body are counted before it is parsed', () => {
  it('never fewer than it has, and more only by its empty lists and objects', () => {
    fc.assert(
      fc.property(anyJson, fc.constantFrom(undefined, 2, '\t'), (value, space) => {
        const counted = countValues(bytesOf(JSON.stringify(value, null, space)), Infinity)
        expect(counted).toBeGreaterThanOrEqual(valuesIn(value))
        expect(counted).toBeLessThanOrEqual(valuesIn(value) + containersIn(value))
      }),
    )
  })

  it('with more than are allowed it is refused, and with as many it is not', () => {
    fc.assert(
      fc.property(anyJson, (value) => {
        const json = bytesOf(JSON.stringify(value))
        const counted = countValues(json, Infinity)
        expect(countValues(json, counted)).toBe(counted)
        expect(() => countValues(json, counted - 1)).toThrow(
          expect.objectContaining({
            code: 'request/too-large',
            message: expect.stringContaining(`more than ${counted - 1} values`) as unknown,
          }),
        )
      }),
    )
  })

  it('too many levels are refused, whatever is in them and behind them', () => {
    fc.assert(
      fc.property(anyJson, fc.nat({ max: 40 }), fc.boolean(), (value, levels, isBroken) => {
        const json = JSON.stringify(value)
        const open = '[{"a":'.repeat(levels) + json
        const text = bytesOf(isBroken ? open : open + '}]'.repeat(levels))
        const count = (): number => countValues(text, Infinity)
        if (levels * 2 + depthOf(value) <= DEEPEST) expect(count).not.toThrow()
        else expect(count).toThrow(expect.objectContaining({ code: 'request/invalid' }))
      }),
    )
  })

  it('an object with more keys than any of the contract is refused, wherever it stands', () => {
    const object = (keys: number): string =>
      JSON.stringify(
        Object.fromEntries(Array.from({ length: keys }, (_, at) => [`k${at}`, [1, 2]])),
      )
    const inLists = (keys: number): Uint8Array =>
      bytesOf(`[${'0,'.repeat(MOST_KEYS * 2)}{"a":{},"b":[${object(keys)}]},0]`)
    expect(() => countValues(inLists(MOST_KEYS), Infinity)).not.toThrow()
    expect(() => countValues(inLists(MOST_KEYS + 1), Infinity)).toThrow(
      expect.objectContaining({
        code: 'request/invalid',
        fields: { body: 'must have at most 200 keys in an object' },
      }),
    )
  })

  it('thousands of different short texts are refused, as keys, as values and as escapes', () => {
    const many = <T>(one: (at: number) => T): T[] =>
      Array.from({ length: 7_000 }, (_, at) => one(at))
    const count = (text: string) => () => countValues(bytesOf(text), Infinity)
    const escaped = (at: number): string =>
      `"\\u0061${String(at).padStart(4, '0')}${'\\u0062'.repeat(5)}"`
    for (const json of [
      JSON.stringify(many((at) => ({ [`${'long'.repeat(20)}${at}`]: 1 }))),
      JSON.stringify(
        many((at) => ({ [at]: 1 })),
        null,
        ' ',
      ).replaceAll('":', '" :'),
      JSON.stringify(many(String)),
      `[${many(escaped).join()}]`,
    ])
      expect(count(json)).toThrow(expect.objectContaining({ code: 'request/invalid' }))
    const parts = many((at) => ({ partNumber: at, eTag: `${at}`.padStart(32, 'e') }))
    expect(count(JSON.stringify(parts))).not.toThrow()
  })

  it('a text is refused that is longer than any of the contract, and one as long is not', () => {
    const count = (text: string) => () => countValues(bytesOf(`{"a":["${text}"]}`), Infinity)
    // 16,384 characters are the most of any text, each sent as an escape.
    expect(count('\\u0061'.repeat(16_384))).not.toThrow()
    for (const unit of ['a', '\\"', '\\\\', 'é'])
      expect(count(unit.repeat(200_000))).toThrow(
        expect.objectContaining({ code: 'request/invalid' }),
      )
  })

  it('a text of escaped quotes is passed over at once, not from one quote to the next', () => {
    class Watched extends Uint8Array {
      searches = 0
      override indexOf(...args: Parameters<Uint8Array['indexOf']>): number {
        this.searches += 1
        return super.indexOf(...args)
      }
    }
    const json = new Watched(bytesOf(`["${'\\"'.repeat(10_000)}",1]`))
    expect(countValues(json, 10)).toBe(3)
    expect(json.searches).toBeLessThan(5)
  })

  it('where texts stand beside each other nothing more is read, as by the parser', () => {
    for (const text of ['"""""', '"a" "b" "c"', '"x":"x":"x"', '{"a":"b" "c":"d" "e":"f"']) {
      expect(() => countValues(bytesOf(text + '['.repeat(DEEPEST + 1)), 10)).not.toThrow()
      expect(() => JSON.parse(text)).toThrow(SyntaxError)
    }
  })

  it('text that is no JSON is read to its end once', () => {
    for (const text of ['"', '"\\', '"\\\\\\"', '\\"[', ']]]]', '', '[', '{"a":"'])
      expect(countValues(bytesOf(text), 10)).toBeGreaterThan(0)
  })
})

it('TRU-10 the pairs of a form are counted before it is parsed', () => {
  expect(countPairs(bytesOf('a=1&b=2&b=3'), 3)).toBe(3)
  expect(() => countPairs(bytesOf('a=1&b=2&b=3'), 2)).toThrow(
    expect.objectContaining({ code: 'request/too-large' }),
  )
})

it('an operation says in the contract where its bodies are larger, and says it whole', () => {
  expect(bodyLimitsOf({})).toBe(SMALL_BODY)
  const limits = { bytes: 1_000_000, values: 5_000 }
  expect(bodyLimitsOf({ 'x-body-limits': limits })).toEqual(limits)
  expect(() => bodyLimitsOf({ 'x-body-limits': { bytes: 1 } })).toThrow('x-body-limits')
})
