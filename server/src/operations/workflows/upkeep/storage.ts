import type { Ctx } from '#server/context.ts'
import { announceDeletions } from '#server/operations/media/deletions/announce.ts'
import { applyOwnerRules } from '#server/operations/media/deletions/owner-rule.ts'
import { finishDeletions } from '#server/operations/media/deletions/remove.ts'
import { removeOldResults, removeOldSources } from '#server/operations/media/deletions/retention.ts'
import { cancelUnreviewed } from '#server/operations/processing/faces/cancel.ts'

/** Above this much of the disk in use, each minute logs a warning, above the second an error. */
const FILLING = 0.8
const NEARLY_FULL = 0.95

/**
 * Announces and deletes what is kept for longer than the operator wants, deletes by the rules of
 * owners, and ends deletions that a crash cut off.
 * Harmless to repeat.
 */
export async function sweepStorage(ctx: Ctx): Promise<void> {
  const { keepSourcesDays, keepResultsDays } = ctx.settings
  await announceDeletions(ctx)
  // Otherwise an edit that waits for its owner would keep its video for ever.
  if (keepSourcesDays !== null) await cancelUnreviewed(ctx, { keptDays: keepSourcesDays })
  if (keepSourcesDays !== null) await removeOldSources(ctx, { keptDays: keepSourcesDays })
  if (keepResultsDays !== null) await removeOldResults(ctx, { keptDays: keepResultsDays })
  await applyOwnerRules(ctx)
  await finishDeletions(ctx)
  await warnOfFullDisk(ctx)
}

async function warnOfFullDisk(ctx: Pick<Ctx, 'store' | 'log'>): Promise<void> {
  const usedShare = await ctx.store.usedShare()
  if (usedShare === null || usedShare < FILLING) return
  const facts = { usedPercent: Math.floor(usedShare * 100) }
  if (usedShare < NEARLY_FULL) ctx.log.warn('storage/filling', facts)
  else ctx.log.error('storage/nearly-full', new Error('The disk is nearly full'), facts)
}
