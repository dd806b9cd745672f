import { tierOf } from './budgets.ts'
import type { Cost } from './costs.ts'

/** What `npm run check` runs of the dearer tests, and what it leaves to `npm test`. */
export interface Touched {
  readonly chosen: readonly string[]
  readonly left: readonly string[]
}

/** Places whose next folder names a subject, which is also a folder or a file name of tests. */
const SUBJECTS =
  /^(?:src\/(?:features|components|app|local)|server\/src(?:\/operations\/[\w-]+)?|tests\/[\w-]+|workers|recipes)\/([\w-]+)/

/** A changed call, and the tests that ask something of every call. */
const CHANGES_CALLS = /^(?:openapi\/|tests\/contract\/cases\/|server\/src\/routes\/)/
const OF_EVERY_CALL = /^tests\/(?:contract\/|integration\/reports\/reports\.)/

/** Processor seconds of a file that no run has measured yet. */
const UNKNOWN_S = 8

/**
 * The contract, integration and screen tests of what changed: changed tests themselves, then those
 * of a subject that changed, and after a change of calls those that ask something of every call,
 * the cheapest first, as long as they fit.
 * @param changed paths of changed files from the project's root
 * @param tests all test files of `npm test`
 * @param roomS processor seconds that they may cost together
 */
export function testsTouchedBy(
  changed: readonly string[],
  tests: readonly string[],
  costs: ReadonlyMap<string, Cost>,
  roomS: number,
): Touched {
  const subjects = new Set(changed.flatMap((file) => SUBJECTS.exec(file)?.[1] ?? []))
  const changesCalls = changed.some((file) => CHANGES_CALLS.test(file))
  const isTouched = (file: string): boolean =>
    subjectsOf(file).some((name) => subjects.has(name)) ||
    (changesCalls && OF_EVERY_CALL.test(file))
  const costOf = (file: string): number => costs.get(file)?.cpuS ?? UNKNOWN_S
  const dear = tests.filter((file) => ['contract', 'integration', 'screens'].includes(tierOf(file)))
  const own = dear.filter((file) => changed.includes(file))
  const ofSubject = dear
    .filter((file) => !own.includes(file) && isTouched(file))
    .toSorted((one, other) => costOf(one) - costOf(other))
  let restS = roomS - own.reduce((sum, file) => sum + costOf(file), 0)
  const fitting = ofSubject.filter((file) => (restS -= costOf(file)) >= 0)
  return { chosen: [...own, ...fitting], left: ofSubject.filter((file) => !fitting.includes(file)) }
}

/** `tests/integration/orders/redo.test.ts` is about orders and redo. */
function subjectsOf(file: string): string[] {
  return file
    .replace(/\.test\.tsx?$/, '')
    .split('/')
    .slice(2)
}
