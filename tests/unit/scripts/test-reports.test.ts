import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { afterSecondRun, NOTHING_FOUND, readPlaywright, readVitest } from '#scripts/test-reports.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'onecut-reports-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

async function reportOf(content: unknown): Promise<string> {
  const file = join(folder, 'report.json')
  await writeFile(file, JSON.stringify(content))
  return file
}

describe('what the runners report', () => {
  it('is counted, and nothing where a runner wrote no report', async () => {
    expect(
      await readVitest(
        await reportOf({
          numTotalTests: 12,
          numPassedTests: 9,
          numFailedTests: 2,
          numPendingTests: 1,
        }),
      ),
    ).toMatchObject({ passed: 9, failed: 2 })
    expect(
      await readPlaywright(await reportOf({ stats: { expected: 7, unexpected: 1, skipped: 3 } })),
    ).toMatchObject({ passed: 7, failed: 1 })
    expect(await readPlaywright(join(folder, 'none.json'))).toEqual(NOTHING_FOUND)
  })

  it('names each failed test of vitest with its first line, and a file that did not load', async () => {
    const file = await reportOf({
      testResults: [
        {
          name: 'a.test.ts',
          status: 'failed',
          assertionResults: [
            { status: 'passed', fullName: 'adds' },
            {
              status: 'failed',
              fullName: 'takes away',
              failureMessages: ['\u001B[31mexpected 1\u001B[39m\n  at a.test.ts:3'],
            },
          ],
        },
        { name: 'b.test.ts', status: 'failed', message: 'no such module', assertionResults: [] },
      ],
    })
    expect((await readVitest(file)).failures).toEqual([
      'a.test.ts › takes away › expected 1',
      'b.test.ts › no such module',
    ])
  })

  it('names the files of vitest that failed, and not those that passed', async () => {
    const file = await reportOf({
      testResults: [
        { name: 'a.test.ts', status: 'failed', assertionResults: [] },
        { name: 'b.test.ts', status: 'passed', assertionResults: [] },
      ],
    })
    expect((await readVitest(file)).failedFiles).toEqual(['a.test.ts'])
    expect((await readVitest(join(folder, 'none.json'))).failedFiles).toEqual([])
  })

  it('counts a test that passed in the second run as passed, and lists it with its first reason', () => {
    const first = {
      passed: 7,
      failed: 2,
      failures: ['a.test.ts › flies › late', 'b.test.ts › sinks › expected 1'],
      repeated: [],
      failedFiles: ['b.test.ts'],
    }
    const second = {
      passed: 3,
      failed: 1,
      failures: ['b.test.ts › sinks › expected 2'],
      repeated: [],
      failedFiles: ['b.test.ts'],
    }
    expect(afterSecondRun(first, second)).toEqual({
      passed: 8,
      failed: 1,
      failures: ['b.test.ts › sinks › expected 2'],
      repeated: ['a.test.ts › flies › late'],
      failedFiles: ['b.test.ts'],
    })
  })

  it('names the failed tests and files of Playwright, in suites of suites too', async () => {
    const test = (title: string, status: string): unknown => ({
      file: 'x.spec.ts',
      title,
      tests: [{ status, results: [{ errors: [{ message: 'late' }] }, { errors: [] }] }],
    })
    const file = await reportOf({
      suites: [
        {
          specs: [test('flies', 'expected')],
          suites: [{ specs: [test('swims', 'expected'), test('sinks', 'unexpected')] }],
        },
      ],
    })
    expect(await readPlaywright(file)).toMatchObject({
      failures: ['x.spec.ts › sinks › late'],
      failedFiles: ['x.spec.ts'],
    })
  })
})
