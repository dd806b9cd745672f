import { open } from 'node:fs/promises'
import { and, asc, desc, eq, inArray, isNotNull, ne } from 'drizzle-orm'
import type { ReportRow, ReportStepRow, UploadRow } from '#server/db/rows.ts'
import {
  mediaAssets,
  mediaJobs,
  reports,
  reportSteps,
  uploadRequests,
  users,
} from '#server/db/schema.ts'
import { hashRange } from '#server/object-store/hash-range.ts'
import { compositeChecksum } from '#server/operations/media/uploads/checksum.ts'
import { clocksOf } from './clocks.ts'
import { recordStep, type ReportsCtx } from './steps.ts'

/** A report with its log, oldest line first. */
export interface ReportFacts {
  readonly report: ReportRow
  readonly steps: readonly ReportStepRow[]
  readonly standing: 'new' | 'looked-at' | 'held' | 'decided'
  /** The clock that runs: until the operator looks, then until it is decided; null when it is. */
  readonly dueAt: Date | null
}

const DECISIONS: readonly ReportStepRow['step'][] = ['released', 'removed', 'rejected']

/** The newest reports; without `all` only those that are not decided. */
export async function listReports(
  { db }: Pick<ReportsCtx, 'db'>,
  { limit, all }: { readonly limit: number; readonly all: boolean },
): Promise<ReportFacts[]> {
  const rows = await db.select().from(reports).orderBy(desc(reports.receivedAt)).limit(limit)
  if (rows.length === 0) return []
  const ids = rows.map(({ id }) => id)
  const steps = await db
    .select()
    .from(reportSteps)
    .where(inArray(reportSteps.reportId, ids))
    .orderBy(asc(reportSteps.id))
  return rows
    .map((report) =>
      factsOf(
        report,
        steps.filter(({ reportId }) => reportId === report.id),
      ),
    )
    .filter(({ standing }) => all || standing !== 'decided')
}

/** A report by its receipt number, or null. The look is recorded: it ends the first clock. */
export async function lookAtReport(
  ctx: ReportsCtx,
  { receiptNumber }: { readonly receiptNumber: string },
): Promise<ReportFacts | null> {
  const report = await findReport(ctx, { receiptNumber })
  if (report === null) return null
  const step = { reportId: report.id, step: 'shown', uploadRequestId: null, note: null } as const
  await recordStep(ctx, step)
  const steps = await ctx.db
    .select()
    .from(reportSteps)
    .where(eq(reportSteps.reportId, report.id))
    .orderBy(asc(reportSteps.id))
  return factsOf(report, steps)
}

/** A report by its receipt number, or null. */
export async function findReport(
  { db }: Pick<ReportsCtx, 'db'>,
  { receiptNumber }: { readonly receiptNumber: string },
): Promise<ReportRow | null> {
  const [report] = await db
    .select()
    .from(reports)
    .where(eq(reports.receiptNumber, receiptNumber.trim().toUpperCase()))
  return report ?? null
}

/** The uploads on which a report has a hold, by the last line of its log for each. */
export async function uploadsHeldBy(
  { db }: Pick<ReportsCtx, 'db'>,
  { reportId }: { readonly reportId: string },
): Promise<string[]> {
  const last = await db
    .selectDistinctOn([reportSteps.uploadRequestId], {
      id: reportSteps.uploadRequestId,
      step: reportSteps.step,
    })
    .from(reportSteps)
    .where(and(eq(reportSteps.reportId, reportId), isNotNull(reportSteps.uploadRequestId)))
    .orderBy(reportSteps.uploadRequestId, desc(reportSteps.id))
  return last.flatMap(({ id, step }) => (step === 'held' && id !== null ? [id] : []))
}

/** A found upload with what tells it from others. */
export type FoundUpload = Pick<
  UploadRow,
  'id' | 'userId' | 'purpose' | 'state' | 'clientFilename' | 'sizeBytes' | 'createdAt' | 'heldAt'
>

const FOUND_AT_MOST = 200

/**
 * Uploads by the id of the upload, one of its jobs, its asset or its account, or by address. An
 * excerpt stands for its video, because all that is made of it is the video's.
 */
export async function findUploads(
  { db }: Pick<ReportsCtx, 'db'>,
  { name }: { readonly name: string },
): Promise<FoundUpload[]> {
  const isId = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i.test(name)
  const ids = isId ? [name, ...(await uploadsNamedBy({ db }, name))] : []
  const owners = isId
    ? [{ id: name }]
    : await db
        .select({ id: users.id })
        .from(users)
        .where(eq(users.email, name.trim().toLowerCase()))
  const isNoExcerpt = ne(uploadRequests.purpose, 'excerpt')
  const named = await db
    .select()
    .from(uploadRequests)
    .where(and(inArray(uploadRequests.id, ids), isNoExcerpt))
  const owned = await db
    .select()
    .from(uploadRequests)
    .where(
      and(
        inArray(
          uploadRequests.userId,
          owners.map(({ id }) => id),
        ),
        isNoExcerpt,
      ),
    )
    .orderBy(desc(uploadRequests.createdAt))
    .limit(FOUND_AT_MOST)
  return [...named, ...owned]
}

/**
 * The uploads of a job, an asset or an excerpt; each by its own index, which one query would not
 * use.
 */
async function uploadsNamedBy(
  { db }: Pick<ReportsCtx, 'db'>,
  id: string,
): Promise<readonly string[]> {
  const ofJob = await db
    .select({ id: mediaJobs.uploadRequestId })
    .from(mediaJobs)
    .where(eq(mediaJobs.id, id))
  const ofAsset = await db
    .select({ id: mediaAssets.uploadRequestId })
    .from(mediaAssets)
    .where(eq(mediaAssets.id, id))
  const ofExcerpt = await db
    .select({ id: uploadRequests.excerptOf })
    .from(uploadRequests)
    .where(eq(uploadRequests.id, id))
  return [...ofJob, ...ofAsset, ...ofExcerpt].flatMap((found) => found.id ?? [])
}

/**
 * Uploads of exactly this file: of the same size, with the same SHA-256 of each part as it was
 * sent. Reads the file once for each division into parts.
 */
export async function findUploadsOfFile(
  { db }: Pick<ReportsCtx, 'db'>,
  { path }: { readonly path: string },
): Promise<FoundUpload[]> {
  await using file = await open(path, 'r')
  const { size } = await file.stat()
  const candidates = await db
    .select()
    .from(uploadRequests)
    .where(and(eq(uploadRequests.sizeBytes, size), isNotNull(uploadRequests.checksumSha256)))
  const checksums = new Map<number, string | null>()
  for (const { partSizeBytes } of candidates) {
    if (checksums.has(partSizeBytes)) continue
    const parts = []
    for (let start = 0; start < size; start += partSizeBytes) {
      const end = Math.min(size, start + partSizeBytes)
      const checksumSha256 = (await hashRange(file, start, end)).toString('base64')
      parts.push({ partNumber: parts.length + 1, eTag: '', sizeBytes: end - start, checksumSha256 })
    }
    checksums.set(partSizeBytes, compositeChecksum(parts))
  }
  return candidates.filter((row) => checksums.get(row.partSizeBytes) === row.checksumSha256)
}

function factsOf(report: ReportRow, steps: readonly ReportStepRow[]): ReportFacts {
  const last = steps.findLast(({ step }) => step !== 'shown' && step !== 'received')
  const { firstLookBy } = clocksOf(report)
  // A copy that the server recognised later has a clock of its own.
  const { decisionBy } = clocksOf({
    receivedAt: last?.actor === 'server' ? last.at : report.receivedAt,
  })
  if (last !== undefined && DECISIONS.includes(last.step))
    return { report, steps, standing: 'decided', dueAt: null }
  if (last?.step === 'held') return { report, steps, standing: 'held', dueAt: decisionBy }
  const isLookedAt = steps.some(({ step }) => step === 'shown')
  return isLookedAt
    ? { report, steps, standing: 'looked-at', dueAt: decisionBy }
    : { report, steps, standing: 'new', dueAt: firstLookBy }
}
