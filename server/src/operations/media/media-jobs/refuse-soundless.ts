import { and, eq, ne } from 'drizzle-orm'
import * as v from 'valibot'
import { findRecipe } from '#recipes/presets.ts'
import { hasWideSound } from '#recipes/sound-width.ts'
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
 * Refuses edits of the sound of a video that is known to have none, or none that they can work on,
 * with `presets/needs-sound`, before they are paid for.
 */
export function refuseSoundless(
  upload: KnownSound,
  tasks: readonly { readonly presetSlug: string; readonly name: string }[],
): void {
  const { hasAudio, isWide } = knownSound(upload)
  for (const { presetSlug, name } of tasks) {
    const need = findRecipe(presetSlug)?.needs.sound ?? false
    if (need !== false && hasAudio === false)
      throw new Problem(
        'presets/needs-sound',
        `This video has no sound, which "${name}" needs. Nothing was charged.`,
      )
    if (need === 'wide' && isWide === false)
      throw new Problem(
        'presets/needs-sound',
        `Voices and music of this video are in one channel, so "${name}" cannot turn the music down by itself. Nothing was charged.`,
      )
  }
}

/**
 * Lets an edit that needs channels which differ wait for the check of the whole file, with
 * `orders/metadata-pending`: paid for earlier, it could turn out to be impossible.
 */
function awaitSound(upload: KnownSound, tasks: readonly { readonly presetSlug: string }[]): void {
  const isWanted = tasks.some(({ presetSlug }) => findRecipe(presetSlug)?.needs.sound === 'wide')
  if (isWanted && upload.probe === null)
    throw new Problem(
      'orders/metadata-pending',
      'Your video is still being measured. Please try again in a moment.',
      { retryAfterS: 3 },
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
  if (upload === undefined) return
  refuseSoundless(upload, tasks)
  awaitSound(upload, tasks)
}

/** Null while it is unknown. */
function knownSound({ probe, earlyHasAudio }: KnownSound): {
  readonly hasAudio: boolean | null
  readonly isWide: boolean | null
} {
  const parsed = v.safeParse(
    v.object({ hasAudio: v.boolean(), soundWidthDb: v.exactOptional(v.number()) }),
    probe,
  )
  return parsed.success
    ? { hasAudio: parsed.output.hasAudio, isWide: hasWideSound(parsed.output) }
    : { hasAudio: earlyHasAudio, isWide: null }
}
