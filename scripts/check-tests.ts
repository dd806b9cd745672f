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

/**
 * What lets chance decide, or the load of the machine. They hold in every file below `tests`,
 * helpers included; only benchmarks measure under chance.
 */
const CHANCE: readonly Rule[] = [
  {
    pattern: /\bMath\.random\b/,
    words: 'leaves a test to chance. Draw from a seed (tests/faults/random.ts).',
  },
  {
    pattern:
      /\bseed\b\s*[:=][^,;\n]*(?:\b(?:now|random\w*|getRandomValues|pid|hrtime)\b|\bnew Date\b)/i,
    words: 'draws its seed by chance. Write the number down, or take it from tests/seeds.ts.',
  },
  {
    pattern: /\bcreate(?:Random|Chance)\([^)\n]*(?:\bnow\(|\brandom\w*\(|\bnew Date\b|\bpid\b)/,
    words: 'draws its seed by chance. Write the number down, or take it from tests/seeds.ts.',
  },
  {
    pattern: /\bnumRuns: ?[\d_]+/,
    words: 'tries as often in the soak as anywhere. Write `numRuns: runs(…)` (tests/seeds.ts).',
  },
  {
    pattern: /\b(?:interruptAfterTimeLimit|skipAllAfterTimeLimit)\b/,
    words: 'tries less on a slow machine. Set a number of tries.',
  },
  {
    // Below five seconds it is what the test is about; 600 are what WebAuthn gives a person.
    pattern: /(?:\btimeout: |\bAbortSignal\.timeout\()(?:[5-9]|\d\d|[1-5]\d\d)_000\b/,
    words:
      'gives up where the machine is busy. Write `patience(seconds)` (tests/setup/patience.ts).',
  },
]

interface Complaint {
  readonly line: number
  readonly words: string
}

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
 * nothing: a test without `expect`, a helper named `expect…`, or a property of fast-check; and for
 * each place below `tests` that lets chance decide.
 */
export async function checkTests(root: string): Promise<string[]> {
  const files = (await sourceFiles(root, ['tests'])).filter(
    (file) => !file.startsWith('tests/bench/') && file !== OWN_TEST,
  )
  const complaints = await Promise.all(
    files.map(async (file) => {
      const allowed = EXCEPTIONS[file]?.rule
      const text = await readFile(join(root, file), 'utf8')
      return (/\.(?:test|spec)\.tsx?$/.test(file) ? complaintsOf(text) : chanceIn(text))
        .filter(({ words }) => allowed === undefined || !words.startsWith(allowed))
        .map(({ line, words }) => `${file}:${line}: ${words}`)
    }),
  )
  return complaints.flat()
}

/** What one test file does that it should not. Lines count from 1. */
export function complaintsOf(text: string): Complaint[] {
  const broken = breaches(text, [...RULES, ...CHANCE])
  const starts = [...text.matchAll(TEST)].map(({ index }) => index)
  const empty = starts
    .filter((start, at) => !/\bexpect|\bfc\.assert/.test(text.slice(start, starts[at + 1])))
    .map((index) => ({ index, words: 'tests nothing: it expects nothing.' }))
  return [...broken, ...empty]
    .toSorted((one, other) => one.index - other.index)
    .map(({ index, words }) => ({ line: lineOf(text, index), words }))
}

/** Where a helper of tests lets chance decide. Lines count from 1. */
function chanceIn(text: string): Complaint[] {
  return breaches(text, CHANCE).map(({ index, words }) => ({ line: lineOf(text, index), words }))
}

function breaches(text: string, rules: readonly Rule[]) {
  return rules.flatMap(({ pattern, words }) =>
    [...text.matchAll(new RegExp(pattern, `g${pattern.flags}`))].map(({ index }) => ({
      index,
      words,
    })),
  )
}

function lineOf(text: string, index: number): number {
  return text.slice(0, index).split('\n').length
}

/** The beginning of a test with its title; `.each` has its table between. */
const TEST = /^ *(?:it|test)(?:\.each\b|\.concurrent\b|\.runIf\b|\.skipIf\b|\(\s*['"`])/gm
