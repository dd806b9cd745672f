import { appendFileSync } from 'node:fs'
import { relative } from 'node:path'
import { projectRoot } from '#scripts/project-root.ts'
import { readMeter } from './meter.ts'

/**
 * A reporter of vitest and of Playwright: writes what each test file cost, as the meter of the job
 * counts it. It is right where a job runs its files one after the other. What passes between two
 * files counts to the second one, as loading it does.
 */
export default class CostReporter {
  readonly #meter = process.env['ONECUT_METER'] ?? ''
  readonly #target = process.env['ONECUT_COSTS'] ?? ''
  #cpuS = 0
  #at = 0

  /** Vitest's begin of a run. */
  onTestRunStart(): void {
    this.#read()
  }

  /** Vitest's end of a file. */
  onTestModuleEnd(module: { readonly moduleId: string }): void {
    this.#note(module.moduleId)
  }

  /** Playwright's begin of a run. */
  onBegin(): void {
    this.#read()
  }

  /** Playwright's end of a test. */
  onTestEnd(test: { readonly location: { readonly file: string } }): void {
    this.#note(test.location.file)
  }

  #note(file: string): void {
    const cpuS = this.#cpuS
    const at = this.#at
    this.#read()
    const path = relative(projectRoot, file)
    const cost = { path, cpuS: this.#cpuS - cpuS, wallS: (this.#at - at) / 1000 }
    if (this.#target !== '') appendFileSync(this.#target, `${JSON.stringify(cost)}\n`)
  }

  #read(): void {
    this.#cpuS = this.#meter === '' ? 0 : readMeter(this.#meter)
    this.#at = performance.now()
  }
}
