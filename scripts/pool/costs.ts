import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { projectRoot } from '#scripts/project-root.ts'

/** What a test file cost when it last ran. */
export interface Cost {
  /** Processor seconds, with all processes that it started. */
  readonly cpuS: number
  /** Seconds from its begin to its end. */
  readonly wallS: number
}

/**
 * By the path of the file. Checked in, because a clean checkout has to know its long files before
 * it ran them; `npm test -- --keep-costs` writes it again.
 */
const COSTS_FILE = join(projectRoot, 'tests/costs.json')

/** Reads the checked-in costs: `{ "tests/…": [cpuS, wallS] }`. */
export async function readCosts(file = COSTS_FILE): Promise<ReadonlyMap<string, Cost>> {
  const entries = JSON.parse(await readFile(file, 'utf8')) as Record<string, [number, number]>
  return new Map(Object.entries(entries).map(([path, [cpuS, wallS]]) => [path, { cpuS, wallS }]))
}

/** Replaces the checked-in costs, one line a file, so that a change of one file is one line. */
export async function writeCosts(
  costs: ReadonlyMap<string, Cost>,
  file = COSTS_FILE,
): Promise<void> {
  const lines = [...costs]
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .map(
      ([path, { cpuS, wallS }]) =>
        `  ${JSON.stringify(path)}: [${cpuS.toFixed(1)}, ${wallS.toFixed(1)}]`,
    )
  await writeFile(file, `{\n${lines.join(',\n')}\n}\n`)
}

/** Reads what cost reporters wrote: one JSON object a line; nothing where none did. */
export async function readMeasured(file: string): Promise<Map<string, Cost>> {
  const text = await readFile(file, 'utf8').catch(() => '')
  const costs = new Map<string, Cost>()
  for (const line of text.split('\n').filter(Boolean)) {
    const { path, cpuS, wallS } = JSON.parse(line) as Cost & { readonly path: string }
    const before = costs.get(path) ?? { cpuS: 0, wallS: 0 }
    costs.set(path, { cpuS: before.cpuS + cpuS, wallS: before.wallS + wallS })
  }
  return costs
}
