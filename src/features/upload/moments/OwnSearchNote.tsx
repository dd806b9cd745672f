import type { Tiles } from '#src/components/moments/MomentTile.tsx'
import type { MomentSearch } from './use-found-moments.ts'
import { Notice } from '#src/ui/Notice.tsx'
import { percent, whyNotFound } from './finding-words.ts'

/** How far this device is with its own search of the video. */
export interface OwnSearch {
  /** The whole video has not arrived at the server. */
  readonly isOnItsWay: boolean
  readonly finding: MomentSearch
  /** What it found is what the board proposes. */
  readonly isShown: boolean
}

/** Where the moments of the board come from, and whether this device can show them. */
export function OwnSearchNote({
  made,
  ...search
}: OwnSearch & { readonly made: Tiles['made'] | undefined }) {
  const hasPictures = made === undefined || made.isMaking || made.pictures.size > 0
  return (
    <Notice>
      {words(search)}
      {hasPictures ? null : ' This device cannot make pictures of it, so please go by the times.'}
    </Notice>
  )
}

function words({ isOnItsWay, finding, isShown }: OwnSearch): string {
  if (isShown && finding.kind === 'found')
    return finding.found.isQuick
      ? 'Your device found these moments by a quick choice: of a long video it looks at some parts. You can take others.'
      : 'Your device found these moments in your video. You can take others.'
  const even = isOnItsWay
    ? 'Your video has not arrived yet, so these are evenly spaced.'
    : 'Your video has not been searched yet, so these are evenly spaced.'
  return `${even} ${more(finding)}`
}

function more(finding: MomentSearch): string {
  switch (finding.kind) {
    case 'none':
      return 'You can take others.'
    case 'looking':
      return `Your device looks for better ones: ${percent(finding.share)}. You can take others.`
    case 'found':
      return 'Your device has found others. What you changed stays; open the board again to choose from them.'
    case 'cannot':
      return `${whyNotFound(finding.why)} You can take others.`
  }
}
