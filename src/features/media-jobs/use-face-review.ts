import type { UseMutationResult } from '@tanstack/react-query'
import type { components } from '#openapi/schema.gen.ts'
import { useAccount, useLocal } from '#src/hooks/device/local-context.ts'
import type { Shown } from '#src/hooks/sync/shown.ts'
import { useCall } from '#src/hooks/server/use-call.ts'
import { useLive } from '#src/hooks/sync/use-live.ts'
import { usePulled, usePulls } from '#src/hooks/sync/use-pull.ts'
import type { ApiFailure } from '#src/api/errors.ts'
import { finishFaceReview, type FinishedReview } from '#src/local/calls/direct-calls.ts'
import type { FaceDecisions } from '#src/local/db/rows.ts'
import {
  discardIntention,
  enqueueFaceDecisions,
  findFaceDecisions,
  insistOnFaceDecisions,
} from '#src/local/outbox/commands.ts'
import type { Result } from '#src/lib/result.ts'
import { SECOND_MS } from '#src/lib/time.ts'

export type ServedFaceReview = components['schemas']['FaceReview']
export type { FaceDecisions } from '#src/local/db/rows.ts'

const SEARCHING_POLL_MS = 5 * SECOND_MS

/** The faces of one edit and what the server knows to be decided; polled while it searches. */
export function useFaceReview(taskId: string): Shown<ServedFaceReview> {
  const key = `face-review:${taskId}`
  const known = useLive(key, async (db) => (await db.faceReviews.get(taskId))?.value.state ?? null)
  const isSearching = known.kind === 'ready' && known.value === 'searching'
  return usePulled(usePulls().faceReview(taskId), {
    key: `${key}:row`,
    find: async (db) => {
      const row = await db.faceReviews.get(taskId)
      return row === undefined ? null : { data: row.value, asOfEpochMs: row.pulledAtEpochMs }
    },
    refetchInterval: () => (isSearching ? SEARCHING_POLL_MS : false),
  })
}

/**
 * How what was decided here stands: at the server, on its way, or against another device's; then
 * the person chooses.
 */
export type ReviewKeeping = 'saved' | 'on-this-device' | 'changed-elsewhere' | 'refused'

export interface FaceDecisionsHere {
  readonly decisions: FaceDecisions
  readonly keeping: ReviewKeeping
  /** Saves on this device, from where it goes to the server. */
  readonly decide: (decisions: FaceDecisions) => Promise<void>
  /** Puts this device's decisions over the other's. */
  readonly insist: () => Promise<void>
  /** Takes the server's decisions and drops this device's. */
  readonly yield: () => Promise<void>
}

/** What is decided of a review, with what the server does not have yet; null while it is read. */
export function useFaceDecisions(review: ServedFaceReview): FaceDecisionsHere | null {
  const { taskId, revision } = review
  const { clock, ids } = useLocal()
  const account = useAccount()
  // Read together: a row that was accepted is gone only where the server's review has its words.
  const live = useLive(`face-decisions:${taskId}`, (db) =>
    db.transaction('r', db.outbox, db.faceReviews, async () => ({
      row: await findFaceDecisions(db, taskId),
      known: (await db.faceReviews.get(taskId))?.value ?? null,
    })),
  )
  if (live.kind !== 'ready' || account === null) return null
  const { db } = account
  const { row, known } = live.value
  const decisions = row?.intent.decisions ?? (known ?? review).decisions
  return {
    decisions,
    keeping: row === null ? 'saved' : keepingOf(row.state),
    decide: (next) =>
      enqueueFaceDecisions({ db, clock, ids }, { taskId, basedOn: revision, decisions: next }),
    insist: () => insistOnFaceDecisions(db, { taskId, basedOn: revision, decisions }),
    yield: async () => {
      if (row !== null) await discardIntention(db, row.id)
    },
  }
}

function keepingOf(
  state:
    | { readonly kind: 'waiting' | 'sending' }
    | { readonly kind: 'refused'; readonly code: string },
): ReviewKeeping {
  if (state.kind !== 'refused') return 'on-this-device'
  return state.code === 'face-reviews/changed' ? 'changed-elsewhere' : 'refused'
}

/** Ends a review, so that the edit is made. Resolves with a `Result`. */
export function useFinishFaceReview(): UseMutationResult<
  Result<null, ApiFailure>,
  Error,
  FinishedReview
> {
  return useCall((context, finished) => finishFaceReview(context, finished))
}
