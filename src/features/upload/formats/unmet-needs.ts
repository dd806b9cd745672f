import { tooShortFor } from '#checks/format-needs.ts'
import { soundlessFor } from '#checks/format-needs.ts'
import type { Finding, ProbeReport } from '#src/local/probe/report.ts'

/**
 * What formats need to know about a video; null where it is not known, and then no need counts as
 * unmet.
 */
export interface KnownVideo {
  readonly durationMs: number | null
  readonly hasAudio: boolean | null
}

const NOTHING_KNOWN: KnownVideo = { durationMs: null, hasAudio: null }

export function knownOf(report: ProbeReport | null): KnownVideo {
  return report === null
    ? NOTHING_KNOWN
    : { durationMs: report.durationMs, hasAudio: report.audio !== null }
}

/**
 * The needs of formats that this video does not meet, worst first: sound, without which a format
 * cannot be made (`block`), or length, without which it can still be ordered (`warn`).
 */
export function unmetNeeds(
  formats: readonly { readonly slug: string; readonly name: string }[],
  { durationMs, hasAudio }: KnownVideo,
): readonly Finding[] {
  return [
    ...formats.flatMap(({ slug, name }) => soundlessFor(slug, name, hasAudio) ?? []),
    ...formats.flatMap(({ slug, name }) => tooShortFor(slug, name, durationMs) ?? []),
  ]
}
