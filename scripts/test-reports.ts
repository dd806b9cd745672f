import { readFile } from 'node:fs/promises'
import { stripVTControlCharacters } from 'node:util'

/**
 * What a step found. `failures` and `repeated` are lines for people: where the test is, its title,
 * and what went wrong.
 */
export interface Count {
  readonly passed: number
  readonly failed: number
  readonly failures: readonly string[]
  /** Passed only at the second try. */
  readonly repeated: readonly string[]
  /** In which a test failed, or that did not load; as the runner names them. */
  readonly failedFiles: readonly string[]
}

export const NOTHING_FOUND: Count = {
  passed: 0,
  failed: 0,
  failures: [],
  repeated: [],
  failedFiles: [],
}

/** Reads vitest's JSON report. Without a report nothing was found. */
export async function readVitest(file: string): Promise<Count> {
  const report = await readReport(file)
  const failures = recordsAt(report, 'testResults').flatMap((suite) => {
    const tests = recordsAt(suite, 'assertionResults').filter((test) => test['status'] === 'failed')
    const name = textAt(suite, 'name')
    // A file that does not load has no tests, only a message.
    if (tests.length === 0 && suite['status'] === 'failed')
      return [line(name, '', textAt(suite, 'message'))]
    return tests.map((test) =>
      line(name, textAt(test, 'fullName'), String(listAt(test, 'failureMessages')[0] ?? '')),
    )
  })
  return {
    passed: numberAt(report, 'numPassedTests'),
    failed: numberAt(report, 'numFailedTests'),
    failures,
    repeated: [],
    failedFiles: recordsAt(report, 'testResults')
      .filter((suite) => suite['status'] === 'failed')
      .map((suite) => textAt(suite, 'name')),
  }
}

/** What holds after the files that failed ran again by themselves. */
export function afterSecondRun(first: Count, second: Count): Count {
  const stillFails = new Set(second.failures.map(withoutReason))
  return {
    passed: first.passed + Math.max(0, first.failed - second.failed),
    failed: second.failed,
    failures: second.failures,
    failedFiles: second.failedFiles,
    repeated: first.failures.filter((failure) => !stillFails.has(withoutReason(failure))),
  }
}

/** The reason may differ between two runs. */
function withoutReason(failure: string): string {
  return failure.split(' › ').slice(0, 2).join(' › ')
}

/** Reads Playwright's JSON report, of a run that repeats nothing by itself. */
export async function readPlaywright(file: string): Promise<Count> {
  const report = await readReport(file)
  const stats: unknown = report['stats']
  const facts = isRecord(stats) ? stats : {}
  const tests = recordsAt(report, 'suites').flatMap(testsOf)
  const linesOf = (status: string): string[] =>
    tests.filter((test) => test.status === status).map(({ text }) => text)
  return {
    passed: numberAt(facts, 'expected'),
    failed: numberAt(facts, 'unexpected'),
    failures: linesOf('unexpected'),
    repeated: [],
    failedFiles: [
      ...new Set(tests.filter(({ status }) => status === 'unexpected').map(({ file }) => file)),
    ],
  }
}

function testsOf(
  suite: Record<string, unknown>,
): { readonly status: string; readonly file: string; readonly text: string }[] {
  const own = recordsAt(suite, 'specs').flatMap((spec) =>
    recordsAt(spec, 'tests').map((test) => {
      const error =
        recordsAt(test, 'results').flatMap((result) => recordsAt(result, 'errors'))[0] ?? {}
      return {
        status: textAt(test, 'status'),
        file: textAt(spec, 'file'),
        text: line(textAt(spec, 'file'), textAt(spec, 'title'), textAt(error, 'message')),
      }
    }),
  )
  return [...own, ...recordsAt(suite, 'suites').flatMap(testsOf)]
}

/**
 * One line of a report: the first of the message, without the colours that a terminal would show.
 */
function line(file: string, title: string, message: string): string {
  const reason = stripVTControlCharacters(message).split('\n', 1)[0] ?? ''
  return [file, title, reason].filter((part) => part !== '').join(' › ')
}

async function readReport(file: string): Promise<Record<string, unknown>> {
  const text = await readFile(file, 'utf8').catch(() => '{}')
  const report: unknown = JSON.parse(text)
  return isRecord(report) ? report : {}
}

function numberAt(report: Record<string, unknown>, name: string): number {
  const value = report[name]
  return typeof value === 'number' ? value : 0
}

function textAt(report: Record<string, unknown>, name: string): string {
  const value = report[name]
  return typeof value === 'string' ? value : ''
}

function listAt(report: Record<string, unknown>, name: string): readonly unknown[] {
  const value = report[name]
  return Array.isArray(value) ? value : []
}

function recordsAt(report: Record<string, unknown>, name: string): Record<string, unknown>[] {
  return listAt(report, name).filter(isRecord)
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return value !== null && typeof value === 'object'
}
