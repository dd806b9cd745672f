import type { components } from '#openapi/schema.gen.ts'
import { hasWideSound } from '#recipes/sound-width.ts'
import { shownName } from '#recipes/shown-name.ts'
import type { UploadRow } from '#server/db/rows.ts'
import { readStoredFindings, readStoredProbe } from '#server/media/stored-probe.ts'
import { isCheckLate } from '#server/operations/media/uploads/check-faults.ts'
import type { ImportFacts } from '#server/operations/media/uploads/import-facts.ts'
import { isImport } from '#server/operations/media/uploads/provider.ts'
import type {
  PartFacts,
  PartsWithUrls,
  UploadFacts,
  UploadWithParts,
} from '#server/operations/media/uploads/facts.ts'

type UploadRequestView = components['schemas']['UploadRequest']
type UploadPartView = components['schemas']['UploadPart']

/** An upload as lists show it: without parts and URLs. */
export function viewUploadRequest(facts: UploadFacts): UploadRequestView {
  const { upload } = facts
  const isHeld = upload.heldAt !== null
  const isFetched = isImport(upload)
  return {
    _id: upload.id,
    purpose: upload.purpose,
    state: upload.state,
    upload: {
      provider: upload.provider,
      metadata: {
        clientFilename: shownName(upload.clientFilename),
        clientFileSize: upload.sizeBytes,
      },
      trim: viewTrim(upload),
      parts: [],
      // Of what the server fetches, parts are its own affair.
      partSize: isFetched ? 0 : upload.partSizeBytes,
      partCount: isFetched ? 0 : upload.partCount,
      resumable: facts.isResumable && !isFetched,
      urlsNeedChecksums: facts.urlsNeedChecksums && !isFetched,
      checksumSha256: isHeld ? null : upload.checksumSha256,
    },
    uploadEndedAt: upload.uploadEndedAt?.toISOString() ?? null,
    metadataProcessedAt: upload.metadataProcessedAt?.toISOString() ?? null,
    isValidated: upload.state === 'validated',
    isFailed: upload.state === 'failed',
    isCheckLate: isCheckLate(upload),
    failureReason: upload.failureReason,
    failureCode: upload.failureCode,
    receivedBytes: facts.receivedBytes,
    import: viewImport(facts.fetching),
    lastReceivedAt: facts.lastReceivedAt?.toISOString() ?? null,
    urlsExpireAt: null,
    sourceMetadata: isHeld ? null : viewSource(upload),
    findings: isHeld ? null : viewFindings(upload),
    isHeld,
    sourceRemovedAt: upload.sourceRemovedAt?.toISOString() ?? null,
    createdAt: upload.createdAt.toISOString(),
  }
}

/** Which stretch of a file an upload is; null for a whole one. */
export function viewTrim({
  trimFromMs,
  trimToMs,
  trimOfBytes,
}: UploadRow): components['schemas']['FileTrim'] | null {
  return trimFromMs === null || trimToMs === null || trimOfBytes === null
    ? null
    : { fromMs: trimFromMs, toMs: trimToMs, wholeFileSize: trimOfBytes }
}

/** One upload with its parts. */
export function viewUploadWithParts(facts: UploadWithParts): UploadRequestView {
  const view = viewUploadRequest(facts)
  const { parts, urlsExpireAt } = viewParts(facts)
  return { ...view, upload: { ...view.upload, parts }, urlsExpireAt }
}

/** Parts with their URLs. */
export function viewParts({ parts, urlsExpireAt }: PartsWithUrls) {
  return { parts: parts.map(viewPart), urlsExpireAt: urlsExpireAt?.toISOString() ?? null }
}

function viewPart(part: PartFacts): UploadPartView {
  return {
    partNumber: part.partNumber,
    partSize: part.sizeBytes,
    presignedUrl: part.signed?.url ?? null,
    headers: { ...part.signed?.headers },
    eTag: part.stored?.eTag ?? null,
    size: part.stored?.sizeBytes ?? null,
    checksumSha256: part.stored?.checksumSha256 ?? null,
    heldBytes: part.heldBytes,
  }
}

function viewImport(fetching: ImportFacts | null): Exclude<UploadRequestView['import'], undefined> {
  if (fetching === null) return null
  const { host, waitsFor, nextInS } = fetching
  return { host, waitsFor, nextAttemptInSeconds: nextInS }
}

function viewSource(upload: UploadRow): UploadRequestView['sourceMetadata'] {
  const probe = readStoredProbe(upload.probe)
  if (probe === null || upload.mediaKind === null) return null
  return {
    kind: upload.mediaKind,
    contentType: upload.contentType ?? 'application/octet-stream',
    duration: upload.mediaKind === 'image' ? null : probe.durationMs,
    width: probe.width || null,
    height: probe.height || null,
    frameRate: probe.frameRate || null,
    hasAudio: probe.hasAudio,
    hasWideSound: hasWideSound(probe),
  }
}

function viewFindings(upload: UploadRow): UploadRequestView['findings'] {
  return (
    readStoredFindings(upload.findings)?.map((finding) => ({
      ...finding,
      facts: { ...finding.facts },
    })) ?? null
  )
}
