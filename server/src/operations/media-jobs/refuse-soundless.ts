import { and, eq, ne } from 'drizzle-orm'
import * as v from 'valibot'
import { findRecipe } from '#recipes/presets.ts'
import type { ReadCtx } from '#server/context.ts'
import type { JobRow } from '#server/db/rows.ts'
import { mediaJobTasks, uploadRequests } from '#server/db/schema.ts'
import { Problem } from '#server/problems.ts'

/**
 * What is known of an upload's sound: from the whole file once it is checked, else as measured
 * early.
 */
interface KnownSound {
  readonly probe: unknown
  readonly earlyHasAudio: boolean | null
}

/**
 * Refuses edits of the sound of a video that is known to have none, with `presets/needs-sound`,
 * before they are paid for.
 */
export function refuseSoundless(
  upload: KnownSound,
  tasks: readonly { readonly presetSlug: string; readonly name: string }[],
): void {
  const task = tasks.find(({ presetSlug }) => findRecipe(presetSlug)?.needs.sound === true)
  if (task === undefined || hasSound(upload) !== false) return
  throw new Problem(
    'presets/needs-sound',
    `This video has no sound, so "${task.name}" has nothing to change. Nothing was charged.`,
  )
}

/** The same for the edits of a job that are not cancelled. */
export async function refuseSoundlessJob(
  ctx: Pick<ReadCtx, 'db'>,
  { job }: { readonly job: Pick<JobRow, 'id' | 'uploadRequestId'> },
): Promise<void> {
  const tasks = await ctx.db
    .select({ presetSlug: mediaJobTasks.presetSlug, name: mediaJobTasks.name })
    .from(mediaJobTasks)
    .where(and(eq(mediaJobTasks.mediaJobId, job.id), ne(mediaJobTasks.status, 'canceled')))
  const [upload] = await ctx.db
    .select({ probe: uploadRequests.probe, earlyHasAudio: uploadRequests.earlyHasAudio })
    .from(uploadRequests)
    .where(eq(uploadRequests.id, job.uploadRequestId))
  if (upload !== undefined) refuseSoundless(upload, tasks)
}

/** Null while it is unknown. */
function hasSound({ probe, earlyHasAudio }: KnownSound): boolean | null {
  const parsed = v.safeParse(v.object({ hasAudio: v.boolean() }), probe)
  return parsed.success ? parsed.output.hasAudio : earlyHasAudio
}
