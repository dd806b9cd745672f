import { namesMoments } from '#recipes/moment-choice.ts'
import type { Recipe } from '#recipes/recipe.ts'
import type { UploadRow } from '#server/db/rows.ts'
import { readStoredProbe } from '#server/media/stored-probe.ts'
import { Problem } from '#server/problems.ts'

/**
 * Refuses moments that were chosen by hand and do not fit the video, with `request/invalid` at
 * `field`, before they are paid for. What fits is rendered as it is, whatever a later search finds.
 * Of a video that is on its way the device knows what fits; where it is wrong, the edit fails once
 * the video is checked, and is paid back.
 */
export function refuseMoments(
  upload: Pick<UploadRow, 'probe'>,
  {
    recipe,
    payload,
    field,
  }: {
    readonly recipe: Recipe
    readonly payload: Readonly<Record<string, unknown>>
    readonly field: string
  },
): void {
  if (!namesMoments(payload)) return
  const source = readStoredProbe(upload.probe)
  const shown = source === null ? undefined : recipe.timeline?.(source, payload, { moments: [] })
  if (shown === undefined || shown.ok) return
  const { message } = shown.error
  throw new Problem('request/invalid', message, { fields: { [`${field}.moments`]: message } })
}
