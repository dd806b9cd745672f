import { Problem } from '#server/problems.ts'

/** Refuses two edits of one preset with `presets/doubled`. @param field names them in the answer */
export function refuseDoubled(
  requests: readonly { readonly mediaJobTaskPresetSlug: string }[],
  field: string,
): void {
  const slugs = requests.map((request) => request.mediaJobTaskPresetSlug)
  const doubled = slugs.find((slug, index) => slugs.indexOf(slug) !== index)
  if (doubled !== undefined)
    throw new Problem('presets/doubled', 'Each edit can be chosen only once.', {
      fields: { [field]: `${doubled} was chosen twice.` },
    })
}
