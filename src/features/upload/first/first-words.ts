import { formatBytes } from '#src/lib/bytes.ts'
import type { Preset } from '#src/hooks/use-presets.ts'

/** 'Your 15s Teaser', 'Your 15s Teaser and Still Pack', '3 of your edits'. */
function namesOf(slugs: readonly string[], presets: readonly Preset[]): string {
  const [first, second, third] = slugs.map(
    (slug) => presets.find((each) => each.slug === slug)?.name ?? slug,
  )
  if (third !== undefined) return `${slugs.length} of your edits`
  return second === undefined ? `Your ${first}` : `Your ${first} and ${second}`
}

/** What is sent first, and what that gains. */
export function offerWords(
  { slugs, sizeBytes }: { readonly slugs: readonly string[]; readonly sizeBytes: number },
  presets: readonly Preset[],
): string {
  const [needs, is] = slugs.length === 1 ? ['needs', 'it is'] : ['need', 'they are']
  return `${namesOf(slugs, presets)} ${needs} ${formatBytes(sizeBytes)}. We send these first; ${is} ready long before the whole video is.`
}

/** What a choice of moments would gain. */
export function adviceWords(slugs: readonly string[], presets: readonly Preset[]): string {
  return `${namesOf(slugs, presets)} can be ready long before the whole video is: choose the moments with 'Change', and we send these first.`
}
