import type { Contract } from './contract.ts'

/** A start has enough to do, and servers of tests are often over before. */
const AFTER_MS = 10_000
/** Between two checks calls are answered; all of them take about a second of a processor. */
const EVERY_MS = 20

/** Compiles the checks of all operations one by one, and keeps no process alive for it. */
export function compileAhead({ compileSteps }: Pick<Contract, 'compileSteps'>): void {
  const left = [...compileSteps]
  const next = (): void => {
    const step = left.shift()
    if (step === undefined) return
    step()
    setTimeout(next, EVERY_MS).unref()
  }
  setTimeout(next, AFTER_MS).unref()
}
