import { afterEach, beforeEach, expect } from 'vitest'

/**
 * Fails every test that writes a warning or an error to the console. A test that expects such a
 * line names it by `expectNoise`. Vitest itself fails the run on unhandled errors and rejections.
 */
const METHODS = ['warn', 'error'] as const

let seen: string[] = []
let expected: RegExp[] = []

/** Allows the lines that match, in the running test only. */
export function expectNoise(...patterns: readonly RegExp[]): void {
  expected.push(...patterns)
}

beforeEach(() => {
  seen = []
  expected = []
  for (const method of METHODS)
    console[method] = (...words: readonly unknown[]) => {
      seen.push(`console.${method}: ${words.map(wordOf).join(' ')}`)
    }
})

afterEach(() => {
  const noise = seen.filter((line) => !expected.some((pattern) => pattern.test(line)))
  seen = []
  expect(noise, 'lines on the console that the test does not expect').toEqual([])
})

function wordOf(word: unknown): string {
  if (word instanceof Error) return word.stack ?? word.message
  return typeof word === 'string' ? word : (JSON.stringify(word) ?? String(word))
}
