import type { Ctx, ReadCtx, TxCtx } from '#server/context.ts'
import type { ReportStepRow } from '#server/db/rows.ts'
import { reportSteps } from '#server/db/schema.ts'

/** Who acts, as the log names them. */
export interface WithActor {
  readonly actor: string
}

/** What acts of the operator on reports need, outside a transaction. */
export type ReportsCtx = Pick<Ctx, 'db' | 'clock' | 'newId'> & WithActor
/** The same inside one. */
export type ReportsTx = Pick<TxCtx, 'db' | 'clock' | 'newId'> & WithActor

/** Adds a line to the log of a report, which keeps every line. */
export async function recordStep(
  ctx: Pick<ReadCtx, 'db' | 'clock'> & WithActor,
  step: Pick<ReportStepRow, 'reportId' | 'step' | 'uploadRequestId' | 'note'>,
): Promise<void> {
  await ctx.db.insert(reportSteps).values({ ...step, actor: ctx.actor, at: ctx.clock() })
}
