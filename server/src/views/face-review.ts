import type { components } from '#openapi/schema.gen.ts'
import type { FaceReviewFacts } from '#server/operations/processing/faces/review.ts'

/** A review of faces as the contract shows it. */
export function viewFaceReview({
  source,
  until,
  finding,
  decisions,
  earlier,
  ...facts
}: FaceReviewFacts): components['schemas']['FaceReview'] {
  return {
    ...facts,
    until: until?.toISOString() ?? null,
    decisions: viewDecisions(decisions),
    ...(earlier === null ? {} : { earlier: viewDecisions(earlier) }),
    finding:
      finding === null
        ? null
        : {
            version: finding.version,
            tracks: finding.tracks.map(trackOf),
            shots: finding.shots.map((shot) => ({ ...shot })),
          },
    ...source,
  }
}

function viewDecisions({
  uncovered,
  added,
  wholly,
}: FaceReviewFacts['decisions']): components['schemas']['FaceDecisions'] {
  return {
    uncovered: [...uncovered],
    added: added.map((track) => ({ ...trackOf(track), certainty: 1 as const })),
    wholly: wholly.map((stretch) => ({ ...stretch })),
  }
}

type Track = NonNullable<FaceReviewFacts['finding']>['tracks'][number]

function trackOf({ boxes, ...track }: Track) {
  return { ...track, boxes: [...boxes] }
}
