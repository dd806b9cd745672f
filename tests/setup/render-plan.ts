import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import {
  isTooSparse,
  momentsFrom,
  planAnalysis,
  planDenseAnalysis,
  type AnalysisOutput,
  type AnalysisRun,
} from '#recipes/analysis.ts'
import { printArgs, type PathOf } from '#recipes/print-args.ts'
import type { Moment, RecipePlan, SourceProbe } from '#recipes/types.ts'

const run = promisify(execFile)

/** Where a test keeps the files of a plan. */
export interface RenderPlaces {
  readonly source: string
  /** Scratch files and outputs. */
  readonly folder: string
  readonly assets?: Readonly<Record<string, string>>
}

/**
 * Runs ffmpeg with the safety flags of the server and returns its standard output. Rejects with
 * ffmpeg's own message.
 */
export async function ffmpeg(args: readonly string[]): Promise<string> {
  const { stdout } = await run('ffmpeg', ['-nostdin', '-v', 'error', '-y', ...args], {
    maxBuffer: 64 * 1024 * 1024,
  })
  return stdout
}

/**
 * Renders a plan with the ffmpeg of the machine and returns the paths of its outputs by name,
 * without archives.
 */
export async function renderPlan(
  plan: RecipePlan,
  places: RenderPlaces,
): Promise<Readonly<Record<string, string>>> {
  for (const file of plan.files) await writeFile(join(places.folder, file.name), file.text)
  for (const step of plan.steps)
    await ffmpeg(printArgs(step, pathsIn(places), () => ['-protocol_whitelist', 'file,pipe']))
  return Object.fromEntries(plan.outputs.map(({ name }) => [name, join(places.folder, name)]))
}

/** Analyses a source as the server does, with the second pass if the first finds too little. */
export async function analyse(source: SourceProbe, places: RenderPlaces): Promise<Moment[]> {
  const look = async (runs: readonly AnalysisRun[]): Promise<AnalysisOutput[]> => {
    const outputs: AnalysisOutput[] = []
    for (const each of runs)
      outputs.push({ run: each, stdout: await ffmpeg(printArgs(each, pathsIn(places))) })
    return outputs
  }
  const first = momentsFrom(source, await look(planAnalysis(source)))
  return isTooSparse(source, first)
    ? momentsFrom(source, await look(planDenseAnalysis(source)))
    : first
}

function pathsIn(places: RenderPlaces): PathOf {
  return (place) => {
    switch (place.kind) {
      case 'source':
        return places.source
      case 'asset':
        return places.assets?.[place.id] ?? ''
      case 'font':
        return join(import.meta.dirname, `../../recipes/fonts/${place.name}.ttf`)
      case 'scratch':
      case 'output':
        return join(places.folder, place.name)
    }
  }
}
