import type { components } from '#openapi/schema.gen.ts'
import type { FaceReviewFacts } from '#server/operations/faces/review.ts'

/** A review of faces as the contract shows it. */
export function viewFaceReview({
  source,
  until,
  finding,
  decisions,
  ...facts
}: FaceReviewFacts): components['schemas']['FaceReview'] {
  return {
    ...facts,
    until: until?.toISOString() ?? null,
    decisions: {
      uncovered: [...decisions.uncovered],
      added: decisions.added.map((track) => ({ ...trackOf(track), certainty: 1 as const })),
      wholly: decisions.wholly.map((stretch) => ({ ...stretch })),
    },
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

type Track = NonNullable<FaceReviewFacts['finding']>['tracks'][number]

function trackOf({ boxes, ...track }: Track) {
  return { ...track, boxes: [...boxes] }
}
