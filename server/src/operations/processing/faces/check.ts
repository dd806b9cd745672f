import type { FaceFinding, FaceReview, FaceTrack } from '#recipes/face-cover/types.ts'
import type { Stretch } from '#recipes/stretch.ts'
import { Problem } from '#server/problems.ts'

/** How far beyond the edge of the picture a box may be by rounding. */
const ROUNDING = 0.001
/** The last picture may be shown a little longer than the video says that it is long. */
const LATE_MS = 1000

/**
 * Refuses, with `request/invalid` and the field, decisions that do not fit the video or what was
 * found in it. The contract has checked their shape.
 */
export function checkDecisions(
  { uncovered, added, wholly }: FaceReview,
  { finding, durationMs }: { readonly finding: FaceFinding; readonly durationMs: number },
): void {
  const ids = new Set(finding.tracks.map(({ id }) => id))
  const unknown = uncovered.findIndex((id) => !ids.has(id))
  if (unknown >= 0) refuse(`uncovered.${unknown}`, 'This face is not among those that were found')
  for (const [index, track] of added.entries()) {
    const field = `added.${index}`
    if (ids.has(track.id)) refuse(`${field}.id`, 'This name is taken')
    ids.add(track.id)
    checkStretch(track, field, durationMs)
    checkBoxes(track, field)
  }
  for (const [index, stretch] of wholly.entries())
    checkStretch(stretch, `wholly.${index}`, durationMs)
}

function checkStretch({ startMs, endMs }: Stretch, field: string, durationMs: number): void {
  if (endMs <= startMs) refuse(`${field}.endMs`, 'A stretch ends after it begins')
  if (endMs > durationMs + LATE_MS) refuse(`${field}.endMs`, 'A stretch ends within the video')
}

function checkBoxes({ startMs, endMs, boxes }: FaceTrack, field: string): void {
  let lastMs = -1
  for (const [index, { atMs, x, y, width, height }] of boxes.entries()) {
    const at = `${field}.boxes.${index}`
    if (atMs <= lastMs) refuse(`${at}.atMs`, 'Boxes are in the order of their times')
    if (atMs < startMs || atMs > endMs) refuse(`${at}.atMs`, 'A box lies within its stretch')
    if (width <= 0 || height <= 0) refuse(at, 'A box has a width and a height')
    if (x + width > 1 + ROUNDING || y + height > 1 + ROUNDING)
      refuse(at, 'A box lies within the picture')
    lastMs = atMs
  }
}

function refuse(field: string, message: string): never {
  throw new Problem('request/invalid', `${message}.`, {
    fields: { [`faceReview.decisions.${field}`]: message },
  })
}
