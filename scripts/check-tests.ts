import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sourceFiles } from '#scripts/source-files.ts'

interface Rule {
  readonly pattern: RegExp
  readonly words: string
}

const RULES: readonly Rule[] = [
  {
    pattern: /\b(?:it|test|describe)(?:\.\w+)*\.only\b/,
    words: 'runs one test only. Remove `.only`.',
  },
  {
    pattern: /\b(?:it|test|describe)\.(?:skip|todo)\(\s*['"`]/,
    words: 'leaves a test out. Mend it or delete it.',
  },
  {
    pattern: /\bwaitForTimeout\(|\bsetTimeout\(\s*(?:resolve|done)\b/,
    words: 'sleeps. Wait for what the test waits for, or move a fake clock.',
  },
  {
    pattern:
      /\bexpect\((?:[^\n]*\b(?:performance|Date)\.now\(\) ?-|(?:Math\.\w+\(\.\.\.)?(?:tookMs|elapsedMs)\b[^\n]*\.toBe(?:Less|Greater)Than)/,
    words:
      'judges wall time, which says more about the machine. Count, compare an order, use a fake clock, or measure in tests/bench.',
  },
]

/** Files that may break a rule, with the words of the rule that they break and why. */
const EXCEPTIONS: Readonly<Record<string, { readonly rule: string; readonly why: string }>> = {
  'tests/integration/device/probe-life.test.ts': {
    rule: 'sleeps',
    why: 'counts the bytes that a browser process reads during a while',
  },
}

/** Quotes what it refuses. */
const OWN_TEST = 'tests/unit/scripts/check-tests.test.ts'

/**
 * One line for each place in a test file that sleeps, judges wall time, leaves tests out, or tests
 * nothing: a test without `expect`, a helper named `expect…`, or a property of fast-check.
 */
export async function checkTests(root: string): Promise<string[]> {
  const files = (await sourceFiles(root, ['tests'])).filter(
    (file) => /\.(?:test|spec)\.tsx?$/.test(file) && file !== OWN_TEST,
  )
  const complaints = await Promise.all(
    files.map(async (file) => {
      const allowed = EXCEPTIONS[file]?.rule
      return complaintsOf(await readFile(join(root, file), 'utf8'))
        .filter(({ words }) => allowed === undefined || !words.startsWith(allowed))
        .map(({ line, words }) => `${file}:${line}: ${words}`)
    }),
  )
  return complaints.flat()
}

/** What one test file does that it should not. Lines count from 1. */
export function complaintsOf(text: string): { readonly line: number; readonly words: string }[] {
  const broken = RULES.flatMap(({ pattern, words }) =>
    [...text.matchAll(new RegExp(pattern, 'g'))].map(({ index }) => ({ index, words })),
  )
  const starts = [...text.matchAll(TEST)].map(({ index }) => index)
  const empty = starts
    .filter((start, at) => !/\bexpect|\bfc\.assert/.test(text.slice(start, starts[at + 1])))
    .map((index) => ({ index, words: 'tests nothing: it expects nothing.' }))
  return [...broken, ...empty]
    .toSorted((one, other) => one.index - other.index)
    .map(({ index, words }) => ({ line: text.slice(0, index).split('\n').length, words }))
}

/** The beginning of a test with its title; `.each` has its table between. */
const TEST = /^ *(?:it|test)(?:\.each\b|\.concurrent\b|\.runIf\b|\.skipIf\b|\(\s*['"`])/gm
