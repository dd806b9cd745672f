import { mkdir, open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { and, eq, inArray, isNull, ne } from 'drizzle-orm'
import { findRecipe } from '#recipes/presets.ts'
import type { Ctx, UserCtx } from '#server/context.ts'
import type { UploadRow } from '#server/db/rows.ts'
import { mediaJobs, mediaJobTasks, presets, uploadRequests } from '#server/db/schema.ts'
import { findEarlyLength } from '#server/media/early-length.ts'
import type { Ffmpeg } from '#server/media/ffmpeg.ts'
import type { Measured } from '#server/media/measures.ts'
import { probeFile } from '#server/media/probe.ts'
import { presetPrices } from '#server/operations/core/presets/stored.ts'
import { planOf } from './find.ts'
import { describeBug } from '#src/lib/describe-bug.ts'

/** A creator waits for the answer. The check after the upload measures without this limit. */
const LONGEST_MEASURE_MS = 8_000

/**
 * Measures the upload of one of the user's jobs if it is not measured yet and a price of its edits
 * or what may be asked of them depends on the length, or one of them needs sound. So the order is
 * priced, or refused, at once and not only after the whole check. An unfinished upload can be
 * measured only if it is an MP4, MOV, MKV or WebM whose length stands in bytes that have arrived;
 * otherwise nothing happens. Calls for the same upload share a run, and few run at a time. The
 * result is provisional: `confirmPrices` compares it with the whole file.
 */
export async function measureForPrices(
  ctx: UserCtx,
  { mediaJobId }: { readonly mediaJobId: string },
): Promise<void> {
  const [found] = await ctx.db
    .select({ upload: uploadRequests })
    .from(mediaJobs)
    .innerJoin(uploadRequests, eq(uploadRequests.id, mediaJobs.uploadRequestId))
    .where(and(eq(mediaJobs.id, mediaJobId), eq(mediaJobs.userId, ctx.user.id)))
  if (found === undefined || !(await isWanted(ctx, found.upload, mediaJobId))) return
  const measured = await measure(ctx, found.upload)
  if (measured === null) return
  await ctx.db
    .update(uploadRequests)
    .set({ earlyDurationMs: measured.durationMs, earlyHasAudio: measured.hasAudio })
    .where(and(eq(uploadRequests.id, found.upload.id), isNull(uploadRequests.probe)))
}

/** Whether a price or a rule waits for the measure. */
async function isWanted(ctx: Ctx, upload: UploadRow, mediaJobId: string): Promise<boolean> {
  if (upload.probe !== null || (upload.state !== 'open' && upload.state !== 'completed'))
    return false
  if (upload.earlyDurationMs !== null && upload.earlyHasAudio !== null) return false
  const tasks = await ctx.db
    .select({ slug: mediaJobTasks.presetSlug })
    .from(mediaJobTasks)
    .where(and(eq(mediaJobTasks.mediaJobId, mediaJobId), ne(mediaJobTasks.status, 'canceled')))
  if (tasks.some(({ slug }) => (findRecipe(slug)?.needs.sound ?? false) !== false)) return true
  if (tasks.length === 0 || upload.earlyDurationMs !== null) return false
  if (tasks.some(({ slug }) => findRecipe(slug)?.dependsOnLength === true)) return true
  const rows = await ctx.db
    .select({ pricing: presets.pricingStrategies })
    .from(presets)
    .where(
      inArray(
        presets.slug,
        tasks.map((task) => task.slug),
      ),
    )
  return rows.some((row) =>
    presetPrices(ctx, row.pricing).some(
      (strategy) => strategy.pricingStrategySlug === 'usage-based',
    ),
  )
}

/** The length and sound of an upload, or null when they cannot be known (yet). */
async function measure(ctx: Ctx, upload: UploadRow): Promise<Measured | null> {
  const { ffmpeg } = ctx
  // Its check fetches the whole file, soon, and measures it then.
  if (ffmpeg === null || !ctx.copies.isHere) return null
  const scratchDir = join(ctx.settings.scratchDir, `measure-${upload.id}-${ctx.newId()}`)
  await mkdir(scratchDir, { recursive: true })
  try {
    const measureFile = async (path: string | null): Promise<Measured | null> =>
      path === null
        ? null
        : await ctx.measures.share(
            `${upload.id} ${upload.state}`,
            async () => await readLength(ffmpeg, { upload, path, scratchDir }),
          )
    if (upload.state !== 'completed') return await measureFile(await measurablePath(ctx, upload))
    const limit = AbortSignal.timeout(LONGEST_MEASURE_MS)
    return await ctx.copies.use(planOf(upload), limit, measureFile)
  } catch (error) {
    // The file was moved or given up meanwhile; the page asks again.
    ctx.log.info('measure-missed', {
      uploadRequestId: upload.id,
      ...describeBug(error),
    })
    return null
  } finally {
    await rm(scratchDir, { recursive: true, force: true })
  }
}

interface FileToMeasure {
  readonly upload: UploadRow
  readonly path: string
  readonly scratchDir: string
}

async function readLength(
  ffmpeg: Ffmpeg,
  { upload, path, scratchDir }: FileToMeasure,
): Promise<Measured | null> {
  const limit = AbortSignal.timeout(LONGEST_MEASURE_MS)
  const probed = await probeFile(ffmpeg, path, upload.clientFilename, scratchDir, limit)
  if (!probed.ok || probed.value.kind !== 'video' || probed.value.source.durationMs <= 0)
    return null
  const { durationMs, hasAudio } = probed.value.source
  return { durationMs, hasAudio }
}

/** The path of an unfinished upload whose stored bytes contain its length, or null. */
async function measurablePath(ctx: Ctx, upload: UploadRow): Promise<string | null> {
  const plan = planOf(upload)
  const path = ctx.copies.unfinishedPath(plan)
  if (path === null) return null
  const stored = new Set(
    (await ctx.store.listParts(plan, upload.storeUploadId)).map((part) => part.partNumber),
  )
  // Without its beginning a file says nothing about its length.
  if (!stored.has(1)) return null
  await using file = await open(path, 'r')
  const length = await findEarlyLength({
    sizeBytes: plan.sizeBytes,
    isStored: (start, end) => {
      for (
        let part = Math.floor(start / plan.partSizeBytes) + 1;
        (part - 1) * plan.partSizeBytes < end;
        part += 1
      )
        if (!stored.has(part)) return false
      return true
    },
    read: async (start, length) => {
      const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, start)
      return buffer.subarray(0, bytesRead)
    },
  })
  return length === 'here' ? path : null
}
