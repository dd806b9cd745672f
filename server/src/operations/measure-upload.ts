import { mkdir, open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { and, eq, inArray, isNull, ne } from 'drizzle-orm'
import type { Deps } from '#server/deps.ts'
import { mediaJobs, mediaJobTasks, presets, uploadRequests } from '#server/db/schema.ts'
import { findEarlyLength } from '#server/media/early-length.ts'
import { probeFile } from '#server/media/probe.ts'
import { parsePricingStrategies } from './presets.ts'
import { planOf, type UploadRow } from './uploads.ts'

/** A creator waits for the answer; the check after the upload measures again and takes its time. */
const LONGEST_MEASURE_MS = 8_000

/**
 * Measures the upload of an own job if a price of its edits goes by the length and nobody has measured it: so the order is
 * priced at once, and not when the whole check is over. Of an unfinished upload only an MP4, MOV, MKV or WebM whose
 * length stands in bytes that have arrived can be measured; nothing happens where the length cannot be known yet. What is found is provisional: `confirmPrices`
 * holds it against the whole file.
 */
export async function measureForPrices(deps: Deps, userId: string, mediaJobId: string): Promise<void> {
  const [found] = await deps.db.select({ upload: uploadRequests }).from(mediaJobs).innerJoin(uploadRequests, eq(uploadRequests.id, mediaJobs.uploadRequestId))
    .where(and(eq(mediaJobs.id, mediaJobId), eq(mediaJobs.userId, userId)))
  if (found === undefined || found.upload.probe !== null || found.upload.earlyDurationMs !== null || !(await isPricedByLength(deps, mediaJobId))) return
  const durationMs = await measure(deps, found.upload)
  if (durationMs === null) return
  await deps.db.update(uploadRequests).set({ earlyDurationMs: durationMs }).where(and(eq(uploadRequests.id, found.upload.id), isNull(uploadRequests.probe)))
}

async function isPricedByLength(deps: Pick<Deps, 'db'>, mediaJobId: string): Promise<boolean> {
  const tasks = await deps.db.select({ slug: mediaJobTasks.presetSlug }).from(mediaJobTasks).where(and(eq(mediaJobTasks.mediaJobId, mediaJobId), ne(mediaJobTasks.status, 'canceled')))
  if (tasks.length === 0) return false
  const rows = await deps.db.select({ pricing: presets.pricingStrategies }).from(presets).where(inArray(presets.slug, tasks.map((task) => task.slug)))
  return rows.some((row) => parsePricingStrategies(row.pricing).some((strategy) => strategy.pricingStrategySlug === 'usage-based'))
}

/** Milliseconds, or null when they cannot be known (yet). */
async function measure(deps: Deps, upload: UploadRow): Promise<number | null> {
  if (deps.ffmpeg === null || (upload.state !== 'open' && upload.state !== 'completed')) return null
  const scratchDir = join(deps.settings.dataDir, 'scratch', `measure-${upload.id}-${deps.newId()}`)
  await mkdir(scratchDir, { recursive: true })
  try {
    const path = upload.state === 'completed' ? await deps.store.localPath(upload.objectKey, scratchDir) : await measurablePath(deps, upload)
    if (path === null) return null
    const probed = await probeFile(deps.ffmpeg, path, upload.clientFilename, scratchDir, AbortSignal.timeout(LONGEST_MEASURE_MS))
    return probed.ok && probed.value.kind === 'video' && probed.value.source.durationMs > 0 ? probed.value.source.durationMs : null
  } catch (error) {
    // The file was moved or given up meanwhile; whoever asked tries again.
    deps.log.info('measure-missed', { uploadRequestId: upload.id, name: error instanceof Error ? error.name : 'unknown' })
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
  const stored = new Set((await deps.store.listParts(plan, upload.storeUploadId)).map((part) => part.partNumber))
  // Nothing can be told before the beginning is here.
  if (!stored.has(1)) return null
  await using file = await open(path, 'r')
  const length = await findEarlyLength({
    sizeBytes: plan.sizeBytes,
    isStored: (start, end) => {
      for (let part = Math.floor(start / plan.partSizeBytes) + 1; (part - 1) * plan.partSizeBytes < end; part += 1) if (!stored.has(part)) return false
      return true
    },
    read: async (start, length) => {
      const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, start)
      return buffer.subarray(0, bytesRead)
    },
  })
  return length === 'here' ? path : null
}
