import type { TimelinePassage } from '#recipes/types.ts'
import type { PreviewEdit } from '#src/hooks/previews/use-previews.ts'
import { filmOf, type UploadMoments } from '#src/local/edits/moment-boards.ts'
import type { PreviewFailure } from '#src/local/previews/preview.ts'
import { previewScript } from '#src/local/previews/preview-script.ts'

/** What of an edit can be shown without the file of its video, from what the server has of it. */
export type ServedShow =
  /** The passages of the edit in its order, as the server would cut them now. */
  | { readonly kind: 'passages'; readonly isOneVideo: boolean; readonly passages: readonly Named[] }
  /** Only the file shows it: what the edit changes is not in the pictures of the server. */
  | { readonly kind: 'needs-file'; readonly why: 'sound' | 'picture' | 'no-pictures' }
  /** The server still looks at the video. */
  | { readonly kind: 'later' }
  | { readonly kind: 'none'; readonly failure: PreviewFailure }

/** A passage, and what the edit calls its file; null in an edit of one video. */
type Named = TimelinePassage & { readonly name: string | null }

/**
 * @param edit its options say which moments a person chose; else they are those of the server
 */
export function servedShow(
  { slug, payload }: Pick<PreviewEdit, 'slug' | 'payload'>,
  { state, source, moments, pictures, video }: UploadMoments,
): ServedShow {
  if (source === null) return { kind: 'later' }
  // Whether there is sound decides nothing of what is shown; without it some edits refuse.
  const film = { ...filmOf(source), hasAudio: true, audioChannels: 2 }
  const script = previewScript(slug, film, payload, moments)
  if (!script.ok) return { kind: 'none', failure: script.error }
  const { kind, items, passages } = script.value
  if (kind === 'sound') return { kind: 'needs-file', why: 'sound' }
  if (kind === 'places') return { kind: 'needs-file', why: 'picture' }
  if (state !== 'ready') return { kind: 'later' }
  if (pictures === null && video === null) return { kind: 'needs-file', why: 'no-pictures' }
  const files = items.flatMap((item) => item.files)
  return {
    kind: 'passages',
    isOneVideo: kind === 'moments',
    passages: passages.map((passage) => ({
      ...passage,
      name: files.find(({ output }) => output === passage.output)?.name ?? null,
    })),
  }
}
