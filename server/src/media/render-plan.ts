import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ok, type Result } from '#recipes/result.ts'
import type { PathOf } from '#recipes/print-args.ts'
import type { RecipePlan } from '#recipes/types.ts'
import { packArchive } from '#server/media/archive.ts'
import type { Ffmpeg } from '#server/media/ffmpeg.ts'
import { runFfmpeg, type FfmpegFailure } from '#server/media/run.ts'
import { projectRoot } from '#server/project-root.ts'

/** Where the files of one attempt are. `folder` is its own and empty at first. */
export interface RenderPlaces {
  readonly source: string
  readonly folder: string
  readonly assetPaths: ReadonlyMap<string, string>
}

/**
 * Runs every step of a plan and packs its archives; the outputs then are in `folder` under their
 * names. Progress is the steps' own, by weight, never falling; packing is not counted.
 */
export async function renderPlan(
  ffmpeg: Ffmpeg,
  plan: RecipePlan,
  places: RenderPlaces,
  signal: AbortSignal,
  onProgress: (ratio: number) => void,
): Promise<Result<void, FfmpegFailure>> {
  for (const file of plan.files) await writeFile(join(places.folder, file.name), file.text)
  const total = plan.steps.reduce((sum, step) => sum + step.weight, 0) || 1
  let before = 0
  for (const step of plan.steps) {
    const result = await runFfmpeg(ffmpeg, {
      inputs: step.inputs,
      args: step.args,
      pathOf: pathsIn(places),
      cwd: places.folder,
      signal,
      outputDurationMs: step.outputDurationMs,
      timeoutMs: timeLimit(step.outputDurationMs),
      maxFileBytes: sizeLimit(step.outputDurationMs),
      onProgress: (ratio) => onProgress((before + ratio * step.weight) / total),
    })
    if (!result.ok)
      return {
        ok: false,
        error: { ...result.error, detail: `step ${step.id}: ${result.error.detail}` },
      }
    before += step.weight
  }
  for (const output of plan.outputs.filter(({ kind }) => kind === 'archive')) {
    const members = plan.outputs.filter(({ name }) => output.members?.includes(name))
    await packArchive(
      join(places.folder, output.name),
      members.map((member) => ({ path: join(places.folder, member.name), name: member.fileName })),
      signal,
    )
  }
  return ok(undefined)
}

/** The path of every place a plan can name; all absolute. */
export function pathsIn(places: RenderPlaces): PathOf {
  return (place) => {
    switch (place.kind) {
      case 'source':
        return places.source
      case 'asset':
        return required(places.assetPaths.get(place.id))
      case 'font':
        return join(projectRoot, 'recipes/fonts', `${place.name}.ttf`)
      case 'scratch':
      case 'output':
        return join(places.folder, place.name)
    }
  }
}

/**
 * 40 times the length for 4K on a small machine, and half an hour for steps that write no video.
 */
function timeLimit(outputDurationMs: number): number {
  return 30 * 60_000 + outputDurationMs * 40
}

/** Twice the fastest camera bit rate (400 Mbit/s), at least 1 GB. */
function sizeLimit(outputDurationMs: number): number {
  return 1e9 + (outputDurationMs / 1000) * 100e6
}

function required(path: string | undefined): string {
  if (path === undefined) throw new Error('A plan names an asset that was not prepared')
  return path
}
