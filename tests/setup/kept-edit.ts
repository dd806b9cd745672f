import { join } from 'node:path'
import { findRecipe } from '#recipes/presets.ts'
import type { Moment, SourceProbe } from '#recipes/types.ts'
import { analyseMoments } from '#server/media/analyse.ts'
import { checkOutputs, filesOf } from '#server/media/check-output.ts'
import type { Ffmpeg } from '#server/media/ffmpeg.ts'
import { renderPlan } from '#server/media/render-plan.ts'
import { SECRET } from '#tests/fixtures/probes.ts'
import { keptJson, keptPlan, SEARCH } from './kept-render.ts'
import { probed } from './render-edit.ts'

const never = new AbortController().signal

/**
 * What `renderEdit` makes of a source, made if it is not kept.
 * @returns the path of an output by its name
 */
export async function keptEdit(
  ffmpeg: Ffmpeg,
  slug: string,
  payload: unknown,
  path: string,
): Promise<(name: string) => string> {
  const ingredients = ['edited', { file: path }, ...SEARCH]
  const { source, moments } = await keptJson<{
    readonly source: SourceProbe
    readonly moments: readonly Moment[]
  }>(ingredients, async (folder) => {
    const source = await probed(ffmpeg, path)
    const places = { source: path, folder, assetPaths: new Map() }
    const moments = await analyseMoments(ffmpeg, source, places, never, () => undefined)
    return { source, moments }
  })
  const context = { moments, assets: [], secret: SECRET, availableFilters: ffmpeg.filters }
  const planned = findRecipe(slug)?.plan(source, payload, context)
  if (planned?.ok !== true) throw new Error(`no plan for ${slug}: ${JSON.stringify(planned)}`)
  const plan = planned.value
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
