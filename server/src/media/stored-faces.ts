import * as v from 'valibot'
import { FACE_BOUNDS, type FaceFinding, type FaceReview } from '#recipes/face-cover/types.ts'

const time = v.pipe(v.number(), v.minValue(0))
const share = v.pipe(v.number(), v.minValue(0), v.maxValue(1))
const stretch = { startMs: time, endMs: time }
const track = v.object({
  id: v.pipe(v.string(), v.regex(/^[A-Za-z0-9-]{1,40}$/)),
  ...stretch,
  boxes: v.pipe(
    v.array(v.object({ atMs: time, x: share, y: share, width: share, height: share })),
    v.minLength(1),
    v.maxLength(FACE_BOUNDS.boxesOfTrack),
  ),
  certainty: share,
})
const findingSchema = v.object({
  version: v.number(),
  tracks: v.pipe(v.array(track), v.maxLength(FACE_BOUNDS.tracks)),
  shots: v.array(v.object(stretch)),
})
const reviewSchema = v.object({
  uncovered: v.array(v.string()),
  added: v.pipe(v.array(track), v.maxLength(FACE_BOUNDS.added)),
  wholly: v.pipe(v.array(v.object(stretch)), v.maxLength(FACE_BOUNDS.wholly)),
})

/** The finding of a row, or of a search, as JSON. Throws when it is none. */
export function readFinding(json: unknown): FaceFinding {
  return v.parse(findingSchema, json)
}

/** The decisions of a row as JSON. Throws when they are none. */
export function readDecisions(json: unknown): FaceReview {
  return v.parse(reviewSchema, json)
}
