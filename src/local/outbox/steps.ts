import type { ApiClient } from '#src/api/client.ts'
import type { ApiFailure } from '#src/api/errors.ts'
import type { AccountDb } from '#src/local/db/account-db.ts'
import type { OutboxIntent, OutboxRow } from '#src/local/db/rows.ts'
import type { Clock } from '#src/lib/time.ts'
import { jobTables } from '#src/local/db/media-jobs.ts'

export interface StepDeps {
  readonly api: ApiClient
  readonly db: AccountDb
  readonly clock: Clock
  /** 0 <= value < 1 */
  readonly random: () => number
}

/**
 * What one step of an intention came to. Each step is one request at most, writes what it learned
 * before it returns, and may be repeated after a crash at any point: the server knows the
 * repetition by its key.
 */
export type StepOutcome =
  /** The row was moved on; the next step can follow at once. */
  | { readonly kind: 'advanced' }
  /** The server accepted the intention; its row is deleted. */
  | { readonly kind: 'done' }
  /** Nothing to do before; Infinity waits for another row to change. */
  | { readonly kind: 'wait'; readonly notBeforeEpochMs: number }
  | { readonly kind: 'failed'; readonly failure: ApiFailure }
  /** Only the user can go on: try again or discard. */
  | { readonly kind: 'refused'; readonly code: string; readonly message: string }

export type RowOf<I extends OutboxIntent> = OutboxRow & { readonly intent: I }

/**
 * Writes what a step learned, and calls `also` in the same transaction. A row that the user
 * discarded meanwhile stays gone.
 */
export async function moveOn<I extends OutboxIntent>(
  deps: StepDeps,
  row: RowOf<I>,
  intent: I,
  also: () => Promise<void> = () => Promise.resolve(),
): Promise<void> {
  const { db } = deps
  await db.transaction('rw', [db.outbox, db.orders, ...jobTables(db)], async () => {
    const present = await db.outbox.get(row.id)
    if (present !== undefined)
      await db.outbox.put({ ...present, intent, attempt: 0, notBeforeEpochMs: 0 })
    await also()
  })
}
