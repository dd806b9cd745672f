import { readFile } from 'node:fs/promises'

/** What a step found. */
export interface Count { readonly passed: number; readonly failed: number }

/** Counts of vitest's JSON report; nothing when it was not written. */
export async function readVitest(file: string): Promise<Count> {
  const report = await readReport(file)
  return { passed: numberAt(report, 'numPassedTests'), failed: numberAt(report, 'numFailedTests') }
}

/** Counts of Playwright's JSON report. A test that passed only when repeated is not one to rely on, but it did pass. */
export async function readPlaywright(file: string): Promise<Count> {
  const report = await readReport(file)
  const stats: unknown = report['stats']
  const facts = isRecord(stats) ? stats : {}
  return { passed: numberAt(facts, 'expected') + numberAt(facts, 'flaky'), failed: numberAt(facts, 'unexpected') }
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

function isRecord(value: unknown): value is Record<string, unknown> {
  return value !== null && typeof value === 'object'
}
