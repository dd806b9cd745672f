import { expect, it } from 'vitest'
import { projectRoot } from '#scripts/project-root.ts'
import { checkTests, complaintsOf } from '#scripts/check-tests.ts'

const wordsOf = (text: string) => complaintsOf(text).map(({ words }) => words.split(/[ :.,]/)[0])

it.each([
  ["it.only('is alone', () => expect(1).toBe(1))", ['runs']],
  ["test.skip('is left out', () => expect(1).toBe(1))", ['leaves']],
  ["test('waits', () => { await page.waitForTimeout(5); expect(1).toBe(1) })", ['sleeps']],
  [
    "it('waits', () => { new Promise((resolve) => setTimeout(resolve, 5)); expect(1) })",
    ['sleeps'],
  ],
  ["it('is quick', () => { expect(performance.now() - at).toBeLessThan(5) })", ['judges']],
  ["it('is quick', () => { expect(Math.min(...tookMs)).toBeLessThan(5) })", ['judges']],
  ["it('does nothing', () => { run() })", ['tests']],
  ["it('is lucky', () => { expect(Math.random()).toBeLessThan(1) })", ['leaves']],
  ["it('is lucky', () => { fc.assert(property, { seed: Date.now() }) })", ['draws']],
  ["it('is lucky', () => { const seed = randomInt(9); expect(run(seed)).toBe(1) })", ['draws']],
  ["it('is lucky', () => { expect(run(createRandom(Date.now()))).toBe(1) })", ['draws']],
  ["it('is set', () => { fc.assert(property, { numRuns: 40 }) })", ['tries']],
  ["it('is slow', () => { fc.assert(property, { interruptAfterTimeLimit: 5 }) })", ['tries']],
  ["it('hurries', () => { expect.poll(read, { timeout: 30_000 }).toBe(1) })", ['gives']],
  ["it('hurries', () => { expect(run(AbortSignal.timeout(5_000))).toBe(1) })", ['gives']],
])('%s is refused', (text, rules) => {
  expect(wordsOf(text)).toEqual(rules)
})

it.each([
  "it('is well', () => { expect(clock.now() - at).toBeLessThan(5) })",
  "it('has a helper', () => { expectDone(page) })",
  "it('is a property', () => { fc.assert(property) })",
  "it('is a property', () => { fc.assert(property, { seed: 7, numRuns: runs(40) }) })",
  "it('is seeded', () => { expect(run(createRandom(seed))).toBe(1) })",
  'test.skip(isSmall, "needs more room")',
  "test('has time', () => { test.setTimeout(5); expect(1).toBe(1) })",
  "it('has time', () => { expect.poll(read, { timeout: patience(30) }).toBe(1) })",
])('%s is let through', (text) => {
  expect(wordsOf(text)).toEqual([])
})

it('names the line, and of each test without expectations its own', () => {
  expect(complaintsOf("it('one', () => expect(1))\n\nit('two', () => run())\n")).toEqual([
    { line: 3, words: 'tests nothing: it expects nothing.' },
  ])
})

it('finds nothing in this repository', async () => {
  expect(await checkTests(projectRoot)).toEqual([])
})
