import { useState } from 'react'
import {
  useFaceDecisions,
  type FaceDecisions,
  type ServedFaceReview,
  type ReviewKeeping,
} from './use-face-review.ts'
import { begun, ended, keepingOf, stillAhead, type Ahead } from './ahead.ts'

/** What the parts of the screen share: the review, the place in the video, and the decisions. */
export interface Desk {
  readonly review: ServedFaceReview
  readonly decisions: FaceDecisions
  readonly keeping: ReviewKeeping
  /** Place in the video, in milliseconds. */
  readonly atMs: number
  readonly setAtMs: (atMs: number) => void
  readonly decide: (next: FaceDecisions) => void
  /** Takes the last decision of this visit back; null when there is none. */
  readonly undo: (() => void) | null
  readonly insist: () => void
  readonly takeOther: () => void
}

/** Null while this device is read. */
export function useDesk(review: ServedFaceReview): Desk | null {
  const here = useFaceDecisions(review)
  const [atMs, setAtMs] = useState(0)
  const [past, setPast] = useState<readonly FaceDecisions[]>([])
  const [ahead, setAhead] = useState<Ahead | null>(null)
  if (here === null) return null
  if (stillAhead(ahead, here.decisions) !== ahead) setAhead(null)
  const decisions = ahead?.decisions ?? here.decisions
  const last = past.at(-1)
  const put = (next: FaceDecisions) => {
    setAhead((before) => begun(before, next))
    void here.decide(next).finally(() => setAhead(ended))
  }
  return {
    review,
    decisions,
    keeping: keepingOf(ahead, here.keeping),
    atMs,
    setAtMs: (to) => setAtMs(Math.round(Math.min(review.durationMs, Math.max(0, to)))),
    decide: (next) => {
      setPast([...past, decisions])
      put(next)
    },
    undo:
      last === undefined
        ? null
        : () => {
            setPast(past.slice(0, -1))
            put(last)
          },
    insist: () => void here.insist(),
    takeOther: () => {
      setPast([])
      setAhead(null)
      void here.yield()
    },
  }
}
