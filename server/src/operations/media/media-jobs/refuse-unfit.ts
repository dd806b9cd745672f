import { and, eq, ne } from 'drizzle-orm'
import { findRecipe } from '#recipes/presets.ts'
import type { ReadCtx } from '#server/context.ts'
import type { JobRow, TaskRow } from '#server/db/rows.ts'
import { mediaJobTasks } from '#server/db/schema.ts'
import { Problem } from '#server/problems.ts'

type AskedTask = Pick<TaskRow, 'presetSlug' | 'name' | 'payload'>

/**
 * Why an edit cannot be ordered of a video of this length, in words; null where it can. While the
 * length is not known (null), only what is wrong for every video is.
 */
export function unfitness(
  { presetSlug, payload }: Pick<AskedTask, 'presetSlug' | 'payload'>,
  durationMs: number | null,
): string | null {
  const recipe = findRecipe(presetSlug)
  // Options that cannot be read fail with their own words when the edit is made.
  if (recipe?.validate(payload).ok !== true) return null
  const checked = recipe.checkOrder(payload, durationMs)
  return checked.ok ? null : checked.error.message
}

/** Refuses an edit that cannot be ordered of a video of this length, `presets/unfit-options`. */
export function refuseUnfit(task: AskedTask, durationMs: number | null): void {
  const why = unfitness(task, durationMs)
  if (why !== null) throw new Problem('presets/unfit-options', `${task.name}: ${why}`)
}

/** The same for the edits of a job that are not cancelled, before they are paid for. */
export async function refuseUnfitJob(
  ctx: Pick<ReadCtx, 'db'>,
  { job, durationMs }: { readonly job: Pick<JobRow, 'id'>; readonly durationMs: number | null },
): Promise<void> {
  const tasks = await ctx.db
    .select()
    .from(mediaJobTasks)
    .where(and(eq(mediaJobTasks.mediaJobId, job.id), ne(mediaJobTasks.status, 'canceled')))
  for (const task of tasks) refuseUnfit(task, durationMs)
}
