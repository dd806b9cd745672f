import { formatBytes } from '#src/lib/bytes.ts'
import type { Preset } from '#src/hooks/use-presets.ts'

/** 'Your Teaser needs', 'Your Teaser and Still Pack need', 'Three of your edits need'. */
function whatNeeds(slugs: readonly string[], presets: readonly Preset[]): string {
  const names = slugs.map((slug) => presets.find((each) => each.slug === slug)?.name ?? slug)
  const [first, second] = names
  if (names.length > 2) return `${names.length} of your edits need`
  return second === undefined ? `Your ${first} needs` : `Your ${first} and ${second} need`
}

/** What is sent first, and what that gains. */
export function offerWords(
  { slugs, sizeBytes }: { readonly slugs: readonly string[]; readonly sizeBytes: number },
  presets: readonly Preset[],
): string {
  const [is, these] = slugs.length === 1 ? ['it is', 'these'] : ['they are', 'these']
  return `${whatNeeds(slugs, presets)} ${formatBytes(sizeBytes)}. We send ${these} first; ${is} ready long before the whole video is.`
}
