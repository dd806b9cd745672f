import { afterEach, beforeEach, expect } from 'vitest'
import { listenForNoise, takeNoise } from './noise.ts'

export { expectNoise } from './noise.ts'

/**
 * Fails every test that writes a warning or an error to the console. A test that expects such a
 * line names it by `expectNoise`. Vitest itself fails the run on unhandled errors and rejections.
 */
beforeEach(listenForNoise)

afterEach(() => {
  expect(takeNoise(), 'lines on the console that the test does not expect').toEqual([])
})
