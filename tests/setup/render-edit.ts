import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { findRecipe } from '#recipes/presets.ts'
import type { PlanContext, RecipePlan, SourceProbe } from '#recipes/types.ts'
import { analyseMoments } from '#server/media/analyse.ts'
import { checkUpload } from '#server/media/check-upload.ts'
import { checkOutputs, filesOf } from '#server/media/check-output.ts'
import type { Ffmpeg } from '#server/media/ffmpeg.ts'
import { renderPlan, type RenderPlaces } from '#server/media/render-plan.ts'
import { resolveFfmpeg } from '#server/media/resolve.ts'
import { SECRET } from '#tests/fixtures/probes.ts'
import { watchRuns, type Taken } from './watch-runs.ts'
import { runTool } from './run-tool.ts'

/** One edit of one source as a server makes it, and its cost without the search for moments. */
export interface RenderedEdit extends Taken {
  /** By the clock. */
  readonly seconds: number
  readonly source: SourceProbe
  readonly plan: RecipePlan
  readonly folder: string
  /** Path of an output by its name. */
  readonly file: (name: string) => string
}

const never = new AbortController().signal

/** Finds ffmpeg as a server does at its start, with its confinement. */
export async function serverFfmpeg(): Promise<Ffmpeg> {
  const found = await resolveFfmpeg({
    ffmpegPath: null,
    ffprobePath: null,
    searchPath: process.env['PATH'] ?? '',
    dataDir: mkdtempSync(join(tmpdir(), 'onecut-bench-data-')),
  })
  if (!('ffmpeg' in found)) throw new Error(found.message)
  return found.ffmpeg
}

/** A file as a source of plans, as the check after an upload measures it. */
export async function probed(ffmpeg: Ffmpeg, path: string): Promise<SourceProbe> {
  const checked = await checkUpload(ffmpeg, {
    path,
    fileName: basename(path),
    purpose: 'media-job',
    scratchDir: mkdtempSync(join(tmpdir(), 'onecut-bench-probe-')),
    signal: never,
  })
  if (!checked.ok) throw new Error(checked.error.detail)
  return checked.value.probe.source
}

/**
 * Probes, searches for moments, plans, renders and checks, by the functions of the server and in
 * its order. Throws what would be a failed edit.
 */
export async function renderEdit(
  ffmpeg: Ffmpeg,
  slug: string,
  payload: unknown,
  path: string,
  given: Partial<PlanContext> & { readonly paths?: Partial<RenderPlaces> } = {},
): Promise<RenderedEdit> {
  const folder = mkdtempSync(join(tmpdir(), `onecut-bench-${slug}-`))
  const source = await probed(ffmpeg, path)
  const { paths, ...context } = given
  const places: RenderPlaces = { source: path, folder, assetPaths: new Map(), ...paths }
  const moments =
    context.moments ?? (await analyseMoments(ffmpeg, source, places, never, () => undefined))
  const assets = context.assets ?? []
  const plan = findRecipe(slug)?.plan(source, payload, {
    moments,
    assets,
    secret: SECRET,
    availableFilters: ffmpeg.filters,
    ...context,
  })
  if (plan?.ok !== true) throw new Error(`no plan for ${slug}: ${JSON.stringify(plan)}`)
  const watch = watchRuns(folder)
  const begunAt = performance.now()
  const rendered = await renderPlan(
    ffmpeg,
    plan.value,
    { source, assets },
    places,
    never,
    () => undefined,
  )
  if (!rendered.ok) throw new Error(rendered.error.detail)
  const taken = { ...watch.end(), seconds: (performance.now() - begunAt) / 1000 }
  const files = filesOf(plan.value, folder)
  const checked = await checkOutputs(ffmpeg, files, { cwd: folder, signal: never })
  if (!checked.ok) throw new Error(checked.error)
  return {
    source,
    plan: plan.value,
    folder,
    file: (name) => join(folder, name),
    ...taken,
  }
}

/** What the search for moments costs. */
export async function costOfSearch(
  ffmpeg: Ffmpeg,
  path: string,
): Promise<Taken & { readonly seconds: number }> {
  const folder = mkdtempSync(join(tmpdir(), 'onecut-bench-search-'))
  const source = await probed(ffmpeg, path)
  const watch = watchRuns(folder)
  const begunAt = performance.now()
  const places = { source: path, folder, assetPaths: new Map<string, string>() }
  await analyseMoments(ffmpeg, source, places, never, () => undefined)
  return { ...watch.end(), seconds: (performance.now() - begunAt) / 1000 }
}

/**
 * What one command written by hand costs, without the confinement of the server.
 * @param args up to the file that it makes, whose name is added
 */
export async function costOfCommand(args: readonly string[], name: string): Promise<Taken> {
  const folder = mkdtempSync(join(tmpdir(), 'onecut-bench-by-hand-'))
  const watch = watchRuns(folder)
  const all = ['-nostdin', '-v', 'error', '-y', ...args, join(folder, name)]
  await runTool('ffmpeg', all)
  return watch.end()
}
