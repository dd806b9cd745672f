import { formatBytes } from '#src/lib/bytes.ts'
import type { Preset } from '#src/hooks/edits/use-presets.ts'
import type { ProbeReport } from '#src/local/probe/report.ts'
import type { NoOffer } from './use-excerpt-offer.ts'

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

/** Why nothing is sent first, and what follows from it. */
export function noOfferWords(
  { code }: NoOffer,
  probe: Pick<ProbeReport, 'container' | 'sounds'> | null,
): string {
  const kind = probe?.container ?? null
  switch (code) {
    case 'excerpt/not-a-movie':
      return waits(`a part of ${kind === null ? 'such a file' : spoken(kind)}`)
    case 'excerpt/no-cues':
      return waits(`a part of ${spoken(kind ?? 'MKV')} without an index`)
    case 'excerpt/other-tracks':
      return waits(`a part of ${spoken(kind ?? 'MKV')} with subtitles`)
    case 'excerpt/unusual':
      return waits(`a part of ${kind === null ? 'this file' : `this ${kind}`}`)
    case 'excerpt/several-pictures':
      return waits('a part of a video with several pictures')
    case 'excerpt/several-sounds':
      return probe?.sounds === undefined
        ? waits('a part of a video with several sounds')
        : 'Choose which sound your edits use: what they show can be sent first then.'
    case 'excerpt/refused':
      return 'Your edits begin when the whole video is here: no edit could be made of a part of it.'
  }
}

function waits(what: string): string {
  return `Your edits begin when the whole video is here: ${what} cannot be sent first.`
}

/** 'an MKV', 'a WebM': by how it is spoken. */
function spoken(kind: string): string {
  return `${/^[AEFIMO]/.test(kind) ? 'an' : 'a'} ${kind}`
}
