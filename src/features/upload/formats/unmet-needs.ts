import { soundlessFor, tooShortFor, type KnownSound } from '#checks/format-needs.ts'
import type { ImmersiveKind } from '#checks/immersive.ts'
import { immersiveIn } from '#checks/quick-rules.ts'
import { editName } from '#src/local/edits/edit-name.ts'
import {
  plainRequest,
  refusalOf,
  type PresetSlug,
  type TaskRequest,
} from '#src/local/edits/task-requests.ts'
import type { Finding, ProbeReport } from '#src/local/probe/report.ts'

/**
 * What formats need to know about a video; null where it is not known, and then no need counts as
 * unmet.
 */
export interface KnownNeeds extends KnownSound {
  readonly durationMs: number | null
}

/** The same, with how its picture is to be looked at. */
export interface KnownVideo extends KnownNeeds {
  /** Null also where its picture is flat. */
  readonly immersive: ImmersiveKind | null
}

const NOTHING_KNOWN: KnownVideo = {
  durationMs: null,
  hasAudio: null,
  hasWideSound: null,
  immersive: null,
}

export function knownOf(report: ProbeReport | null): KnownVideo {
  return report === null
    ? NOTHING_KNOWN
    : {
        durationMs: report.durationMs,
        hasAudio: report.audio !== null,
        // How much two channels differ is measured by the server.
        hasWideSound: report.audio?.channels === 1 ? false : null,
        immersive: immersiveIn(report.findings),
      }
}

/**
 * Why a format cannot be ordered of this video, in words for its card; null when it can.
 * @param request how it is chosen; null where it is not, then options are still to be asked for
 */
export function obstacleTo(
  { slug, name }: { readonly slug: PresetSlug; readonly name: string },
  video: KnownNeeds,
  request: TaskRequest | null,
): string | null {
  const fault = soundlessFor(slug, name, video)?.facts['fault']
  if (fault === 'none') return 'Needs sound. This video has none.'
  if (fault !== undefined) return 'Needs stereo sound. In this video both sides sound the same.'
  const asked = request ?? plainRequest(slug)
  return asked === null ? null : refusalOf(asked, video.durationMs)
}

/** A chosen edit that cannot be ordered as it is, and why, in words. */
export interface UnfitEdit {
  readonly name: string
  readonly why: string
}

/**
 * The chosen edits whose options do not fit this video, as those of another video or of an earlier
 * order may not. They stay chosen, so that they can be changed.
 */
export function unfitEdits(
  requests: readonly TaskRequest[],
  presets: readonly { readonly slug: string; readonly name: string }[],
  { durationMs }: Pick<KnownVideo, 'durationMs'>,
): readonly UnfitEdit[] {
  return requests.flatMap((request) => {
    const slug = request.mediaJobTaskPresetSlug
    const why = refusalOf(request, durationMs)
    const name = editName(slug, presets)
    return why === null ? [] : [{ name, why }]
  })
}

/**
 * The needs of formats that this video does not meet, worst first: sound, without which a format
 * cannot be made (`block`), or length, without which it can still be ordered (`warn`).
 */
export function unmetNeeds(
  formats: readonly { readonly slug: string; readonly name: string }[],
  { durationMs, ...sound }: KnownNeeds,
): readonly Finding[] {
  return [
    ...formats.flatMap(({ slug, name }) => soundlessFor(slug, name, sound) ?? []),
    ...formats.flatMap(({ slug, name }) => tooShortFor(slug, name, durationMs) ?? []),
  ]
}
