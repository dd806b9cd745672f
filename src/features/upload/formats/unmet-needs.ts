import { tooShortFor } from '#checks/format-needs.ts'
import { soundlessFor } from '#checks/format-needs.ts'
import type { Finding, ProbeReport } from '#src/local/probe/report.ts'

/** What formats want to know of a video; null where nobody knows (yet): then nothing is said. */
export interface KnownVideo {
  readonly durationMs: number | null
  readonly hasAudio: boolean | null
}

export const NOTHING_KNOWN: KnownVideo = { durationMs: null, hasAudio: null }

export function knownOf(report: ProbeReport | null): KnownVideo {
  return report === null
    ? NOTHING_KNOWN
    : { durationMs: report.durationMs, hasAudio: report.audio !== null }
}

/**
 * What formats need and this video has not, worst first: sound, without which one cannot be made
 * (`block`), or length, without which it can be ordered all the same (`warn`).
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
