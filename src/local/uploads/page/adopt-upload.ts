import type { components } from '#openapi/schema.gen.ts'
import type { ApiClient } from '#src/api/client.ts'
import { UPLOADS_PAGE_SIZE } from '#spec/numbers.ts'
import { codeOf, type ApiFailure } from '#src/api/errors.ts'
import { send } from '#src/api/send.ts'
import { describeBug } from '#src/lib/describe-bug.ts'
import { uploadIdempotencyKey, type Ids } from '#src/lib/ids.ts'
import type { Log } from '#src/lib/log.ts'
import { err, ok, type Result } from '#src/lib/result.ts'
import { SECOND_MS, type Clock } from '#src/lib/time.ts'
import type { AccountDb } from '#src/local/db/account-db.ts'
import { FACTS, readFact } from '#src/local/db/facts.ts'
import { isOwnUpload, readOwnUploads } from '#src/local/db/own-uploads.ts'
import type { PartPlan, UploadRow, UploadTrim } from '#src/local/db/rows.ts'
import type { Finding, ProbeFailure, ProbeReport } from '#src/local/probe/report.ts'
import type { ComposedFile } from '#checks/movie/composed-file.ts'
import { composedRow, cutFile } from '#src/local/uploads/file/cut-file.ts'
import { fileOf, fileSource } from '#src/local/uploads/file/file-source.ts'
import {
  fingerprintOf,
  holdsParts,
  sampleOf,
  type Fingerprint,
} from '#src/local/uploads/file/fingerprint.ts'
import type { ByteSource, BytesProblem } from '#src/local/uploads/ports.ts'

type UploadRequest = components['schemas']['UploadRequest']

export interface AdoptDeps {
  readonly api: ApiClient
  readonly db: AccountDb
  readonly ids: Ids
  readonly clock: Pick<Clock, 'now'>
  readonly log: Log
  readonly digest: (bytes: ArrayBuffer) => Promise<ArrayBuffer>
  readonly probe: (file: File) => Promise<Result<ProbeReport, ProbeFailure>>
}

/** Why an upload does not go on with the chosen file. Nothing was changed here or at the server. */
export type AdoptRefusal =
  | {
      readonly code: 'adopt/other-size'
      readonly sizeBytes: number
      readonly expectedBytes: number
    }
  /** Of the right size, but its bytes are not those that have arrived. */
  | { readonly code: 'adopt/other-content' }
  | { readonly code: 'adopt/unreadable' }
  /** It has arrived, was discarded, or was removed. */
  | { readonly code: 'adopt/not-open' }
  /** The device's database refused the row. */
  | { readonly code: 'adopt/not-saved' }
  | { readonly code: 'adopt/no-answer'; readonly failure: ApiFailure }

/** A person who has chosen a file waits for it. */
const FIND_WITHIN_MS = 3 * SECOND_MS
const MAX_CANDIDATES = 3

/**
 * Makes an upload that only the server knows one of this device, which then asks for its file: give
 * it the same file at once. Compares the file's size and three stored parts with it; where nothing
 * is stored that could be compared, the name must be the same. A trim is cut again of the whole.
 * Reads remotely, writes locally, idempotent: an upload that this device has already keeps its row.
 * Call in the page.
 * @returns the local id
 */
export async function adoptUpload(
  deps: AdoptDeps,
  uploadRequestId: string,
  file: File,
): Promise<Result<string, AdoptRefusal>> {
  const found = await readOpen(deps.api, uploadRequestId)
  if (!found.ok) return found
  const { request, plan } = found.value
  const trim = request.upload.trim ?? null
  const expectedBytes = trim?.wholeFileSize ?? plan.sizeBytes
  if (file.size !== expectedBytes)
    return err({ code: 'adopt/other-size', sizeBytes: file.size, expectedBytes })
  const cut = trim === null ? null : await cutFile(deps.digest, fileSource(file), trim)
  if (trim !== null && cut?.composed.sizeBytes !== plan.sizeBytes)
    return err({ code: 'adopt/other-content' })
  const source = cut?.source ?? fileSource(file)
  const matches = await isFileOf(deps.digest, source, request, plan)
  if (!matches.ok) return err({ code: 'adopt/unreadable' })
  if (!matches.value) return err({ code: 'adopt/other-content' })
  const [fingerprint, probed] = await Promise.all([
    fingerprintOf(deps.digest, source),
    deps.probe(cut === null ? file : fileOf(source)),
  ])
  if (!fingerprint.ok) return err({ code: 'adopt/unreadable' })
  const row = rowOf(deps, request, plan, source, {
    fingerprint: fingerprint.value,
    probe: probed.ok ? probed.value : null,
    ...(cut === null ? {} : { trim: cut.trim }),
  })
  try {
    return ok(await addUnlessThere(deps.db, row, uploadRequestId, cut?.composed ?? null))
  } catch (thrown) {
    deps.log.warn('an upload of the server could not be saved', describeBug(thrown))
    return err({ code: 'adopt/not-saved' })
  }
}

/**
 * Finds the unfinished uploads of these files at the server and makes them uploads of this device
 * again, after this device's rows were deleted. Best effort. Reads remotely, writes locally.
 * @returns the local ids, each with its file
 */
export async function readoptUploads(
  deps: AdoptDeps,
  files: readonly File[],
): Promise<readonly { readonly uploadId: string; readonly file: File }[]> {
  if (files.length === 0) return []
  const answer = await send(
    deps.api.GET('/v1/upload-requests', { params: { query: { limit: UPLOADS_PAGE_SIZE } } }),
  )
  const open = answer.ok ? answer.value.uploadRequests.filter(({ state }) => state === 'open') : []
  const readopted = files.map(async (file) => {
    for (const { _id, upload } of open) {
      if (upload.metadata.clientFileSize !== file.size) continue
      const adopted = await adoptUpload(deps, _id, file)
      if (adopted.ok) return [{ uploadId: adopted.value, file }]
    }
    return []
  })
  return (await Promise.all(readopted)).flat()
}

/**
 * Rule B8 for uploads elsewhere: an unfinished upload of the account that this device does not hold
 * and that is of the file (`isFileOf`), as a finding; null when none is known. One of which nothing
 * has arrived counts as well: the new upload would leave it behind. Best effort: asks the server
 * about three of the same size at most, and only for a short time.
 */
export async function unfinishedElsewhere(
  { api, db, digest }: Pick<AdoptDeps, 'api' | 'db' | 'digest'>,
  file: File,
): Promise<Finding | null> {
  const fact = await readFact(db, FACTS.uploads)
  const own = await readOwnUploads(db, 'media-job')
  const candidates = (fact?.value ?? []).filter(
    (upload) =>
      upload.open != null &&
      upload.sizeBytes === file.size &&
      !isOwnUpload(upload, own, fact?.pulledAtEpochMs ?? 0),
  )
  const signal = AbortSignal.timeout(FIND_WITHIN_MS)
  for (const { uploadRequestId } of candidates.slice(0, MAX_CANDIDATES)) {
    const found = await readOpen(api, uploadRequestId, signal)
    if (!found.ok) continue
    const { request, plan } = found.value
    const matches = await isFileOf(digest, fileSource(file), request, plan)
    if (!matches.ok || !matches.value) continue
    return {
      ruleId: 'B8',
      verdict: 'warn',
      facts: {
        atEpochMs: Date.parse(request.createdAt),
        name: request.upload.metadata.clientFilename,
        uploadRequestId,
        safeBytes: request.receivedBytes,
        sizeBytes: file.size,
      },
    }
  }
  return null
}

/**
 * Whether the file holds the stored parts of an upload; compares three of them, and the engine
 * proves the others. Where none is stored, the name must be the same.
 * @param request with its parts
 */
async function isFileOf(
  digest: AdoptDeps['digest'],
  source: ByteSource,
  request: UploadRequest,
  plan: PartPlan,
): Promise<Result<boolean, BytesProblem>> {
  const hashed = request.upload.parts.flatMap(({ checksumSha256, partNumber }) =>
    checksumSha256 !== null && partNumber <= plan.partCount
      ? [{ partNumber, sha256: checksumSha256 }]
      : [],
  )
  return hashed.length === 0
    ? ok(source.file.name.normalize() === request.upload.metadata.clientFilename.normalize())
    : holdsParts(digest, source, plan, sampleOf(hashed))
}

/** The server's plan of an upload that takes parts; null for others. */
function openPlan({ state, upload }: UploadRequest): PartPlan | null {
  const { partSize, partCount, metadata } = upload
  if (state !== 'open') return null
  const sizeBytes = metadata.clientFileSize
  const isWhole = partSize > 0 && partCount === Math.ceil(sizeBytes / partSize)
  return isWhole ? { partSizeBytes: partSize, partCount, sizeBytes } : null
}

async function readOpen(
  api: ApiClient,
  id: string,
  signal?: AbortSignal,
): Promise<Result<{ readonly request: UploadRequest; readonly plan: PartPlan }, AdoptRefusal>> {
  const init = signal === undefined ? {} : { signal }
  const answer = await send(
    api.GET('/v1/upload-requests/{id}', { params: { path: { id } }, ...init }),
  )
  if (!answer.ok)
    return codeOf(answer.error) === 'uploads/not-found'
      ? err({ code: 'adopt/not-open' })
      : err({ code: 'adopt/no-answer', failure: answer.error })
  const request = answer.value.uploadRequest
  const plan = openPlan(request)
  return plan === null ? err({ code: 'adopt/not-open' }) : ok({ request, plan })
}

function rowOf(
  { ids, clock }: AdoptDeps,
  request: UploadRequest,
  plan: PartPlan,
  { file }: ByteSource,
  known: {
    readonly fingerprint: Fingerprint
    readonly probe: ProbeReport | null
    readonly trim?: UploadTrim
  },
): UploadRow {
  const nowEpochMs = clock.now()
  return {
    id: ids.uuid(),
    uploadRequestId: request._id,
    idempotencyKey: uploadIdempotencyKey(ids, nowEpochMs),
    purpose: request.purpose,
    file,
    state: { kind: 'needs-file', why: 'no-handle' },
    epoch: 0,
    plan,
    safeBytes: request.receivedBytes,
    ...known,
    createdAtEpochMs: Date.parse(request.createdAt),
    updatedAtEpochMs: nowEpochMs,
  }
}

function addUnlessThere(
  db: AccountDb,
  row: UploadRow,
  uploadRequestId: string,
  composed: ComposedFile | null,
): Promise<string> {
  return db.transaction('rw', db.uploads, db.excerpts, async () => {
    const present = await db.uploads.where('uploadRequestId').equals(uploadRequestId).first()
    if (present !== undefined) return present.id
    await db.uploads.add(row)
    if (composed !== null) await db.excerpts.put(composedRow(row.id, composed))
    return row.id
  })
}
