import { stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ok, type Result } from '#recipes/result.ts'
import type { PathOf } from '#recipes/print-args.ts'
import type { AssetSource, PlanStep, RecipePlan, SourceProbe } from '#recipes/types.ts'
import { packArchive } from '#server/media/archive.ts'
import { writeMask } from '#server/media/faces/write-mask.ts'
import { boundedStep } from '#server/media/bounds.ts'
import { keepImmersive } from '#server/media/keep-immersive.ts'
import { heaviestOf, stepCpuSeconds } from '#server/media/cost.ts'
import type { Ffmpeg } from '#server/media/ffmpeg.ts'
import type { FfmpegFailure } from '#server/media/run.ts'
import { runStep } from '#server/media/run-step.ts'
import { projectRoot } from '#server/project-root.ts'

/** Where the files of one attempt are. `folder` is its own and empty at first. */
export interface RenderPlaces {
  readonly source: string
  readonly folder: string
  readonly assetPaths: ReadonlyMap<string, string>
  /** Left out = none. */
  readonly musicPaths?: ReadonlyMap<string, string>
}

/** What a plan was made for, as measured. */
export interface Material {
  readonly source: SourceProbe
  readonly assets: readonly AssetSource[]
}

/**
 * Runs every step of a plan and packs its archives; the outputs then are in `folder`
 * under their names. Progress is the steps' own, by weight, never falling; packing, and what is
 * written into a finished file, are not counted.
 * @param beforeLast called when all steps but the last are done; rejects as that does
 */
export async function renderPlan(
  ffmpeg: Ffmpeg,
  plan: RecipePlan,
  material: Material,
  places: RenderPlaces,
  signal: AbortSignal,
  onProgress: (ratio: number) => void,
  beforeLast?: () => Promise<void>,
): Promise<Result<void, FfmpegFailure>> {
  for (const file of plan.files) await writeFile(join(places.folder, file.name), file.text)
  for (const mask of plan.masks ?? []) await writeMask(join(places.folder, mask.name), mask, signal)
  const total = plan.steps.reduce((sum, step) => sum + step.weight, 0) || 1
  const footage = heaviestOf(material.source, material.assets)
  const endsAt = performance.now() + timeLimit(plan)
  const gains = new Map<string, number>()
  let before = 0
  for (const step of plan.steps) {
    if (step === plan.steps.at(-1)) await beforeLast?.()
    if (await isSkipped(step, places.folder)) {
      before += step.weight
      continue
    }
    const bounded = boundedStep(step, material.source, material.assets)
    const result = await runStep(ffmpeg, step, gains, {
      ...bounded,
      pathOf: pathsIn(places),
      cwd: places.folder,
      signal,
      outputDurationMs: step.outputDurationMs,
      timeoutMs: Math.max(1, endsAt - performance.now()),
      maxFileBytes: sizeLimit(step.outputDurationMs),
      cpuSeconds: stepCpuSeconds({ ...step, ...bounded }, footage),
      onProgress: (ratio) => onProgress((before + ratio * step.weight) / total),
    })
    if (!result.ok)
      return {
        ok: false,
        error: { ...result.error, detail: `step ${step.id}: ${result.error.detail}` },
      }
    before += step.weight
  }
  for (const { name, immersiveTrack } of plan.outputs)
    if (immersiveTrack !== undefined)
      await keepImmersive(places.source, join(places.folder, name), immersiveTrack, signal)
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

/** Whether what an earlier step made is small enough already. */
async function isSkipped({ skipWithin }: PlanStep, folder: string): Promise<boolean> {
  return (
    skipWithin !== undefined && (await stat(join(folder, skipWithin.name))).size <= skipWithin.bytes
  )
}

/** The path of every place a plan can name; all absolute. */
export function pathsIn(places: RenderPlaces): PathOf {
  return (place) => {
    switch (place.kind) {
      case 'source':
        return places.source
      case 'asset':
        return required(places.assetPaths.get(place.id))
      case 'music':
        return required(places.musicPaths?.get(place.id))
      case 'font':
        return join(projectRoot, 'recipes/fonts', `${place.name}.ttf`)
      case 'scratch':
      case 'output':
        return join(places.folder, place.name)
    }
  }
}

/**
 * Wall time for all steps together: 40 times what they write, for 4K on a small machine, and ten
 * minutes for what writes no video.
 */
function timeLimit({ steps }: RecipePlan): number {
  return 10 * 60_000 + 40 * steps.reduce((sum, step) => sum + step.outputDurationMs, 0)
}

/** Twice the fastest camera bit rate (400 Mbit/s), at least 1 GB. */
function sizeLimit(outputDurationMs: number): number {
  return 1e9 + (outputDurationMs / 1000) * 100e6
}

function required(path: string | undefined): string {
  if (path === undefined) throw new Error('A plan names a file that was not prepared')
  return path
}
