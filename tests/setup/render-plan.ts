import { readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { PICTURES, searchMoments } from '#recipes/analysis.ts'
import { printArgs, type PathOf } from '#recipes/print-args.ts'
import { gainAfter, loudnessIn } from '#recipes/loudness.ts'
import { writeMask } from '#server/media/faces/write-mask.ts'
import type { Moment, PlanProgram, PlanStep, RecipePlan, SourceProbe } from '#recipes/types.ts'
import { runProgram } from '#server/media/run-program.ts'
import { keptRuns } from './kept-runs.ts'
import { mediaTools } from './look-around.ts'
import { patience } from './patience.ts'
import { runTool } from './run-tool.ts'

/** Where a test keeps the files of a plan. */
export interface RenderPlaces {
  readonly source: string
  /** Scratch files and outputs. */
  readonly folder: string
  readonly assets?: Readonly<Record<string, string>>
  readonly music?: Readonly<Record<string, string>>
}

/**
 * Runs ffmpeg with the safety flags of the server and returns its standard output. Rejects with
 * ffmpeg's own message.
 */
export async function ffmpeg(args: readonly string[]): Promise<string> {
  const { stdout } = await runTool('ffmpeg', ['-nostdin', '-v', 'error', '-y', ...args])
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
  for (const mask of plan.masks ?? [])
    await writeMask(join(places.folder, mask.name), mask, new AbortController().signal)
  const gains = new Map<string, number>()
  const print = (step: PlanStep): string[] =>
    printArgs(
      step,
      pathsIn(places),
      ({ kind }) => [
        '-protocol_whitelist',
        'file,pipe',
        ...(kind === 'source' ? ['-reinit_filter:v', '0'] : []),
      ],
      ({ of }) => gains.get(of) ?? 0,
    )
  for (const step of plan.steps) {
    const { tool, skipWithin } = step
    if (
      skipWithin !== undefined &&
      (await stat(join(places.folder, skipWithin.name))).size <= skipWithin.bytes
    )
      continue
    if (tool === 'noise-filter' || tool === 'voice-filter') await runOurs(tool, step, places)
    else {
      const printed = await ffmpeg(print(step))
      if (tool === undefined) continue
      gains.set(step.id, gainAfter(0, loudnessIn(printed)))
      const again = loudnessIn(await ffmpeg(print(step)))
      gains.set(step.id, gainAfter(gains.get(step.id) ?? 0, again))
    }
  }
  return Object.fromEntries(plan.outputs.map(({ name }) => [name, join(places.folder, name)]))
}

async function runOurs(program: PlanProgram, step: PlanStep, places: RenderPlaces): Promise<void> {
  const signal = AbortSignal.timeout(patience(60))
  const found = await mediaTools({ kind: 'none', uid: null, nice: null })
  // Noise of six seconds costs more than all runs of ffmpeg for an edit.
  const tools = { ...found, runner: keptRuns }
  const result = await runProgram(tools, program, {
    ...step,
    pathOf: pathsIn(places),
    cwd: places.folder,
    signal,
    timeoutMs: 60_000,
    maxFileBytes: 1e9,
    cpuSeconds: 60,
  })
  if (!result.ok) throw new Error(result.error.detail)
}

/** Searches a source for moments as the server does, without its limits. */
export async function analyse(source: SourceProbe, places: RenderPlaces): Promise<Moment[]> {
  const pictures = join(places.folder, PICTURES)
  return await searchMoments(source, async (each, onText) => {
    await rm(pictures, { force: true })
    onText(await ffmpeg(printArgs(each, pathsIn(places))))
    return each.kind === 'look' ? await readFile(pictures) : new Uint8Array()
  })
}

function pathsIn(places: RenderPlaces): PathOf {
  return (place) => {
    switch (place.kind) {
      case 'source':
        return places.source
      case 'asset':
        return places.assets?.[place.id] ?? ''
      case 'music':
        return places.music?.[place.id] ?? ''
      case 'font':
        return join(import.meta.dirname, `../../recipes/fonts/${place.name}.ttf`)
      case 'scratch':
      case 'output':
        return join(places.folder, place.name)
    }
  }
}
