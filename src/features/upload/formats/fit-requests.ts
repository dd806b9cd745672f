import { findRecipe } from '#recipes/presets.ts'
import type { Preset } from '#src/hooks/edits/use-presets.ts'
import { editName } from '#src/local/edits/edit-name.ts'
import { withoutMoments } from '#src/local/edits/moment-boards.ts'
import { payloadOf, type TaskRequest } from '#src/local/edits/task-requests.ts'
import { obstacleTo, type KnownNeeds } from './unmet-needs.ts'

/** An edit of a set that cannot be chosen for this video, and why, in words. */
export interface LeftOut {
  readonly name: string
  readonly why: string
}

/**
 * What of a set can be chosen for this video. Assets that are gone are not judged here, and neither
 * are options that can be changed until they fit: the sum below the formats says which edit lacks
 * one, and which has others, so that nothing of the set is lost.
 * @param presets every preset that the server knows; @param offered those that can be chosen
 */
export function fitRequests(
  requests: readonly TaskRequest[],
  {
    presets,
    offered,
    video,
  }: {
    readonly presets: readonly Preset[]
    readonly offered: readonly Preset[]
    readonly video: KnownNeeds
  },
): { readonly requests: readonly TaskRequest[]; readonly leftOut: readonly LeftOut[] } {
  const fitting: TaskRequest[] = []
  const leftOut: LeftOut[] = []
  for (const request of requests) {
    const slug = request.mediaJobTaskPresetSlug
    const preset = offered.find((each) => each.slug === slug)
    const why =
      preset === undefined
        ? 'This server does not offer it.'
        : (obstacleTo(preset, video, null) ?? wrongOption(request))
    if (why === null) fitting.push(ofAnyVideo(request))
    else leftOut.push({ name: editName(slug, presets), why })
  }
  return { requests: fitting, leftOut }
}

/** Rules of options may have changed since the set was saved. */
function wrongOption({ mediaJobTaskPresetSlug, payload }: TaskRequest): string | null {
  const read = findRecipe(mediaJobTaskPresetSlug)?.validate(payload ?? {})
  return read === undefined || read.ok ? null : read.error.message
}

/** Without what belongs to one video: the moments that its creator chose on its pictures. */
export function ofAnyVideo(request: TaskRequest): TaskRequest {
  const plain = withoutMoments(request)
  const gif = payloadOf('short-trailer-gif', plain)
  return gif === null
    ? plain
    : {
        mediaJobTaskPresetSlug: 'short-trailer-gif',
        payload: { includeKumshot: gif.includeKumshot },
      }
}
