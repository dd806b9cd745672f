import { inArray, sql } from 'drizzle-orm'
import type { components } from '#openapi/schema.gen.ts'
import type { Deps } from '#server/deps.ts'
import { uploadParts } from '#server/db/schema.ts'
import { readStoredFindings, readStoredProbe } from '#server/media/stored-probe.ts'
import { PART_URL_LIFE_S } from '#server/operations/uploads/plan.ts'
import { planOf, type UploadRow } from '#server/operations/uploads/find.ts'

export type UploadRequestView = components['schemas']['UploadRequest']
type ViewDeps = Pick<Deps, 'db' | 'store' | 'clock'>

/**
 * One upload with all its parts; parts that are not stored get a URL while the upload takes parts.
 */
export async function viewUploadRequest(
  deps: ViewDeps,
  row: UploadRow,
): Promise<UploadRequestView> {
  const [view] = await viewUploadRequests(deps, [row])
  const isOpen = row.state === 'open'
  const urlsExpireAt = new Date(deps.clock().getTime() + PART_URL_LIFE_S * 1000).toISOString()
  const plan = planOf(row)
  const stored = row.state === 'aborted' ? [] : await deps.store.listParts(plan, row.storeUploadId)
  const storedByNumber = new Map(stored.map((part) => [part.partNumber, part]))
  const parts: UploadRequestView['upload']['parts'] = []
  for (let partNumber = 1; partNumber <= row.partCount; partNumber += 1) {
    const part = storedByNumber.get(partNumber)
    const presignedUrl =
      isOpen && part === undefined
        ? await deps.store.signPart(plan, row.storeUploadId, partNumber, PART_URL_LIFE_S)
        : null
    const partSize = Math.min(
      row.partSizeBytes,
      row.sizeBytes - (partNumber - 1) * row.partSizeBytes,
    )
    parts.push({
      partNumber,
      partSize,
      presignedUrl,
      eTag: part?.eTag ?? null,
      size: part?.sizeBytes ?? null,
    })
  }
  const base = view! // one row in, one view out
  return {
    ...base,
    upload: { ...base.upload, parts },
    urlsExpireAt: parts.some((part) => part.presignedUrl !== null) ? urlsExpireAt : null,
  }
}

/** Uploads for a list: without parts and URLs, in the order given. */
export async function viewUploadRequests(
  deps: Pick<Deps, 'db'>,
  rows: readonly UploadRow[],
): Promise<UploadRequestView[]> {
  const sums =
    rows.length === 0
      ? []
      : await deps.db
          .select({
            id: uploadParts.uploadRequestId,
            bytes: sql<string>`sum(${uploadParts.sizeBytes})`,
          })
          .from(uploadParts)
          .where(
            inArray(
              uploadParts.uploadRequestId,
              rows.map((row) => row.id),
            ),
          )
          .groupBy(uploadParts.uploadRequestId)
  const bytesById = new Map(sums.map((row) => [row.id, Number(row.bytes)]))
  return rows.map((row) => ({
    _id: row.id,
    purpose: row.purpose,
    state: row.state,
    upload: {
      provider: row.provider,
      metadata: { clientFilename: row.clientFilename, clientFileSize: row.sizeBytes },
      parts: [],
    },
    uploadEndedAt: row.uploadEndedAt?.toISOString() ?? null,
    metadataProcessedAt: row.metadataProcessedAt?.toISOString() ?? null,
    isValidated: row.state === 'validated',
    isFailed: row.state === 'failed',
    failureReason: row.failureReason,
    failureCode: row.failureCode,
    receivedBytes: bytesById.get(row.id) ?? 0,
    urlsExpireAt: null,
    sourceMetadata: viewSource(row),
    findings: viewFindings(row),
    createdAt: row.createdAt.toISOString(),
  }))
}

function viewSource(row: UploadRow): UploadRequestView['sourceMetadata'] {
  const probe = readStoredProbe(row.probe)
  if (probe === null || row.mediaKind === null) return null
  return {
    kind: row.mediaKind,
    contentType: row.contentType ?? 'application/octet-stream',
    duration: row.mediaKind === 'image' ? null : probe.durationMs,
    width: probe.width || null,
    height: probe.height || null,
    frameRate: probe.frameRate || null,
    hasAudio: probe.hasAudio,
  }
}

function viewFindings(row: UploadRow): UploadRequestView['findings'] {
  return (
    readStoredFindings(row.findings)?.map((finding) => ({
      ...finding,
      facts: { ...finding.facts },
    })) ?? null
  )
}
