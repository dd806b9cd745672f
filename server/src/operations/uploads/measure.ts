import { mkdir, open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { and, eq, inArray, isNull, ne } from 'drizzle-orm'
import { findRecipe } from '#recipes/presets.ts'
import type { Deps } from '#server/deps.ts'
import { mediaJobs, mediaJobTasks, presets, uploadRequests } from '#server/db/schema.ts'
import { findEarlyLength } from '#server/media/early-length.ts'
import type { Measured } from '#server/media/measures.ts'
import { probeFile } from '#server/media/probe.ts'
import { parsePricingStrategies } from '#server/operations/presets.ts'
import { planOf, type UploadRow } from './find.ts'

/** A creator waits for the answer; the check after the upload measures again and takes its time. */
const LONGEST_MEASURE_MS = 8_000

/**
 * Measures the upload of an own job if a price of its edits goes by the length, or one of them
 * needs sound, and nobody has measured it: so the order is priced, or refused, at once, and not
 * when the whole check is over. Of an unfinished upload only an MP4, MOV, MKV or WebM whose length
 * stands in bytes that have arrived can be measured; nothing happens where the length cannot be
 * known yet. Calls for the same upload share a run, and few run at once. What is found is
 * provisional: `confirmPrices` holds it against the whole file.
 */
export async function measureForPrices(
  deps: Deps,
  userId: string,
  mediaJobId: string,
): Promise<void> {
  const [found] = await deps.db
    .select({ upload: uploadRequests })
    .from(mediaJobs)
    .innerJoin(uploadRequests, eq(uploadRequests.id, mediaJobs.uploadRequestId))
    .where(and(eq(mediaJobs.id, mediaJobId), eq(mediaJobs.userId, userId)))
  if (found === undefined || !(await isWanted(deps, found.upload, mediaJobId))) return
  const measured = await measure(deps, found.upload)
  if (measured === null) return
  await deps.db
    .update(uploadRequests)
    .set({ earlyDurationMs: measured.durationMs, earlyHasAudio: measured.hasAudio })
    .where(and(eq(uploadRequests.id, found.upload.id), isNull(uploadRequests.probe)))
}

async function isWanted(
  deps: Pick<Deps, 'db'>,
  upload: UploadRow,
  mediaJobId: string,
): Promise<boolean> {
  if (upload.probe !== null || (upload.state !== 'open' && upload.state !== 'completed'))
    return false
  if (upload.earlyDurationMs !== null && upload.earlyHasAudio !== null) return false
  const tasks = await deps.db
    .select({ slug: mediaJobTasks.presetSlug })
    .from(mediaJobTasks)
    .where(and(eq(mediaJobTasks.mediaJobId, mediaJobId), ne(mediaJobTasks.status, 'canceled')))
  if (tasks.some(({ slug }) => findRecipe(slug)?.needs.sound === true)) return true
  if (tasks.length === 0 || upload.earlyDurationMs !== null) return false
  const rows = await deps.db
    .select({ pricing: presets.pricingStrategies })
    .from(presets)
    .where(
      inArray(
        presets.slug,
        tasks.map((task) => task.slug),
      ),
    )
  return rows.some((row) =>
    parsePricingStrategies(row.pricing).some(
      (strategy) => strategy.pricingStrategySlug === 'usage-based',
    ),
  )
}

/** Null when nothing can be known (yet). */
async function measure(deps: Deps, upload: UploadRow): Promise<Measured | null> {
  const { ffmpeg } = deps
  if (ffmpeg === null) return null
  const scratchDir = join(deps.settings.dataDir, 'scratch', `measure-${upload.id}-${deps.newId()}`)
  await mkdir(scratchDir, { recursive: true })
  try {
    const path =
      upload.state === 'completed'
        ? await deps.store.localPath(upload.objectKey, scratchDir)
        : await measurablePath(deps, upload)
    if (path === null) return null
    return await deps.measures.share(`${upload.id} ${upload.state}`, async () => {
      const probed = await probeFile(
        ffmpeg,
        path,
        upload.clientFilename,
        scratchDir,
        AbortSignal.timeout(LONGEST_MEASURE_MS),
      )
      if (!probed.ok || probed.value.kind !== 'video' || probed.value.source.durationMs <= 0)
        return null
      const { durationMs, hasAudio } = probed.value.source
      return { durationMs, hasAudio }
    })
  } catch (error) {
    // The file was moved or given up meanwhile; whoever asked tries again.
    deps.log.info('measure-missed', {
      uploadRequestId: upload.id,
      name: error instanceof Error ? error.name : 'unknown',
    })
    return null
  } finally {
    await rm(scratchDir, { recursive: true, force: true })
  }
}

/** The path of an unfinished upload whose stored bytes tell its length, or null. */
async function measurablePath(deps: Deps, upload: UploadRow): Promise<string | null> {
  const plan = planOf(upload)
  const path = deps.store.unfinishedPath(plan)
  if (path === null) return null
  const stored = new Set(
    (await deps.store.listParts(plan, upload.storeUploadId)).map((part) => part.partNumber),
  )
  // Nothing can be told before the beginning is here.
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
