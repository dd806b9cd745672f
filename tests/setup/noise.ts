/**
 * The lines that the running test wrote to the console, and those that it allows. A module of its
 * own, since one page or worker runs many test files: each of them loads the set-up file again, and
 * a test that allows a line must reach the state that the set-up file judges.
 */
const METHODS = ['warn', 'error'] as const

/**
 * A browser says it where an element changed its size while sizes were told; it tells the rest with
 * the next picture. When it happens depends on when the browser draws, so it is no fault of a test.
 */
const TOLD_LATER = /ResizeObserver loop completed with undelivered notifications/

let seen: string[] = []
let expected: RegExp[] = []

/** Allows the lines that match, in the running test only. */
export function expectNoise(...patterns: readonly RegExp[]): void {
  expected.push(...patterns)
}

/** Begins a test: nothing is written, nothing is allowed, and the console is listened to. */
export function listenForNoise(): void {
  seen = []
  expected = []
  for (const method of METHODS)
    console[method] = (...words: readonly unknown[]) => {
      seen.push(`console.${method}: ${words.map(wordOf).join(' ')}`)
    }
}

/** What was written since the last call and is not allowed. */
export function takeNoise(): readonly string[] {
  const allowed = [TOLD_LATER, ...expected]
  const noise = seen.filter((line) => !allowed.some((pattern) => pattern.test(line)))
  seen = []
  return noise
}

function wordOf(word: unknown): string {
  if (word instanceof Error) return word.stack ?? word.message
  return typeof word === 'string' ? word : (JSON.stringify(word) ?? String(word))
}
