import type { TimelinePassage } from '#recipes/types.ts'
import type { PreviewEdit } from '#src/hooks/previews/use-previews.ts'
import { filmOf, type UploadMoments } from '#src/local/edits/moment-boards.ts'
import type { PreviewFailure } from '#src/local/previews/preview.ts'
import { previewScript } from '#src/local/previews/preview-script.ts'

/**
 * What of an edit of passages can be shown without the file of its video, from what the server has
 * of it.
 */
export type ServedShow =
  /** The passages of the edit in its order, as the server would cut them now. */
  | { readonly kind: 'passages'; readonly isOneVideo: boolean; readonly passages: readonly Named[] }
  /** Only the file shows it: the server has no pictures of the video. */
  | { readonly kind: 'needs-file' }
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
  if (state !== 'ready') return { kind: 'later' }
  if (pictures === null && video === null) return { kind: 'needs-file' }
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
