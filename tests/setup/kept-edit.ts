import { join } from 'node:path'
import { findRecipe } from '#recipes/presets.ts'
import type { Moment, SourceProbe } from '#recipes/types.ts'
import { analyseMoments } from '#server/media/analyse.ts'
import { checkOutputs, filesOf } from '#server/media/check-output.ts'
import type { Ffmpeg } from '#server/media/ffmpeg.ts'
import { renderPlan } from '#server/media/render-plan.ts'
import { SECRET } from '#tests/fixtures/probes.ts'
import { keptJson, keptPlan, onlyOutput, SEARCH } from './kept-render.ts'
import { probed } from './render-edit.ts'

const never = new AbortController().signal

/** A file as the check after its upload measures it, checked if that is not kept. */
export async function keptProbe(ffmpeg: Ffmpeg, path: string): Promise<SourceProbe> {
  const ingredients = ['probed', { file: path }, ...SEARCH]
  return await keptJson(ingredients, async () => await probed(ffmpeg, path))
}

/**
 * Moments of a source for tests that look at something else than people, without starting the
 * network that sees them.
 */
async function keptPlainMoments(
  ffmpeg: Ffmpeg,
  source: SourceProbe,
  path: string,
): Promise<readonly Moment[]> {
  return await keptJson(['plain moments', { file: path }, ...SEARCH], async (folder) => {
    const places = { source: path, folder, assetPaths: new Map() }
    const tools = { ...ffmpeg, canRunNode: false }
    return await analyseMoments(tools, source, places, never, () => undefined)
  })
}

/**
 * What `renderEdit` makes of a source, made if it is not kept, by moments that know no people.
 * @param only an output that one step makes; left out = all outputs
 * @returns the path of an output by its name
 */
export async function keptEdit(
  ffmpeg: Ffmpeg,
  slug: string,
  payload: unknown,
  path: string,
  only?: string,
): Promise<(name: string) => string> {
  const recipe = findRecipe(slug)
  const source = await keptProbe(ffmpeg, path)
  const moments = recipe?.usesMoments === true ? await keptPlainMoments(ffmpeg, source, path) : []
  const context = { moments, assets: [], secret: SECRET, availableFilters: ffmpeg.filters }
  const planned = recipe?.plan(source, payload, context)
  if (planned?.ok !== true) throw new Error(`no plan for ${slug}: ${JSON.stringify(planned)}`)
  const plan = only === undefined ? planned.value : onlyOutput(planned.value, only)
  const folder = await keptPlan(plan, ffmpeg.confinement.kind, [path], async (own) => {
    const places = { source: path, folder: own, assetPaths: new Map() }
    const material = { source, assets: [] }
    const rendered = await renderPlan(ffmpeg, plan, material, places, never, () => undefined)
    if (!rendered.ok) throw new Error(rendered.error.detail)
    const checked = await checkOutputs(ffmpeg, filesOf(plan, own), { cwd: own, signal: never })
    if (!checked.ok) throw new Error(checked.error)
  })
  return (name) => join(folder, name)
}
