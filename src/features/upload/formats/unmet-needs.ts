import { tooShortFor } from '#checks/format-needs.ts'
import { soundlessFor, type KnownSound } from '#checks/format-needs.ts'
import type { Finding, ProbeReport } from '#src/local/probe/report.ts'

/**
 * What formats need to know about a video; null where it is not known, and then no need counts as
 * unmet.
 */
export interface KnownVideo extends KnownSound {
  readonly durationMs: number | null
}

const NOTHING_KNOWN: KnownVideo = { durationMs: null, hasAudio: null, hasWideSound: null }

export function knownOf(report: ProbeReport | null): KnownVideo {
  return report === null
    ? NOTHING_KNOWN
    : {
        durationMs: report.durationMs,
        hasAudio: report.audio !== null,
        // How much two channels differ is measured by the server.
        hasWideSound: report.audio?.channels === 1 ? false : null,
      }
}

/** Why a format cannot be chosen for this video, in words for its card; null when it can. */
export function obstacleTo(
  { slug, name }: { readonly slug: string; readonly name: string },
  video: KnownVideo,
): string | null {
  const fault = soundlessFor(slug, name, video)?.facts['fault']
  if (fault === undefined) return null
  return fault === 'none'
    ? 'Needs sound. This video has none.'
    : 'Needs stereo sound. In this video both sides sound the same.'
}

/**
 * The needs of formats that this video does not meet, worst first: sound, without which a format
 * cannot be made (`block`), or length, without which it can still be ordered (`warn`).
 */
export function unmetNeeds(
  formats: readonly { readonly slug: string; readonly name: string }[],
  { durationMs, ...sound }: KnownVideo,
): readonly Finding[] {
  return [
    ...formats.flatMap(({ slug, name }) => soundlessFor(slug, name, sound) ?? []),
    ...formats.flatMap(({ slug, name }) => tooShortFor(slug, name, durationMs) ?? []),
  ]
}
