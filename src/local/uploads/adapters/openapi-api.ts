import type { components } from '#openapi/schema.gen.ts'
import type { ApiClient } from '#src/api/client.ts'
import { isTransient, type ApiFailure } from '#src/api/errors.ts'
import { send } from '#src/api/send.ts'
import { err, ok, type Result } from '#src/lib/result.ts'
import { isFullStatus, isGatewayStatus } from '#src/local/uploads/model/statuses.ts'
import type {
  ServerPart,
  ServerUpload,
  UploadApi,
  UploadApiProblem,
} from '#src/local/uploads/ports.ts'
import type { UploadPartRow, UploadRow } from '#src/local/db/rows.ts'

type UploadRequest = components['schemas']['UploadRequest']

/** How this server takes files; a server without multipart takes a file in one part. */
export type UploadMethod = 's3-multipart' | 's3-singlepart'

/** The upload calls of the editor API, for page and workers. Calls `method` for each new upload. */
export function createUploadApi(api: ApiClient, method: () => Promise<UploadMethod>): UploadApi {
  return {
    create: async (row, signal) => uploadOf(await send(create(api, await method(), row, signal))),
    read: async (id, signal) =>
      uploadOf(await send(api.GET('/v1/upload-requests/{id}', of(id, signal)))),
    readState: async (id, signal) =>
      valueOf(
        await send(api.GET('/v1/upload-requests/{id}/metadata', of(id, signal))),
        ({ uploadRequest }) => uploadRequest,
      ),
    partUrls: async (id, wanted, signal, lifetimeSeconds) => {
      const checksums = wanted.flatMap(({ partNumber, sha256 }) =>
        sha256 === null ? [] : [{ partNumber, checksumSha256: sha256 }],
      )
      const body = {
        partNumbers: wanted.map(({ partNumber }) => partNumber),
        // Servers of before refuse what they do not know.
        ...(checksums.length === 0 ? {} : { checksums }),
        ...(lifetimeSeconds === undefined ? {} : { lifetimeSeconds }),
      }
      return valueOf(
        await send(api.POST('/v1/upload-requests/{id}/part-urls', { ...of(id, signal), body })),
        ({ parts }) => parts.map(partOf),
      )
    },
    heldParts: async (id, signal) =>
      valueOf(
        await send(api.GET('/v1/upload-requests/{id}/held-parts', of(id, signal))),
        ({ parts }) => new Map(parts.map(({ partNumber, heldBytes }) => [partNumber, heldBytes])),
      ),
    complete: async (id, parts, signal) => {
      const body = { uploadRequest: { upload: { parts: parts.map(completedPart) } } }
      return uploadOf(
        await send(api.PATCH('/v1/upload-requests/{id}', { ...of(id, signal), body })),
      )
    },
    ping: async (signal) => {
      const answer = await send(api.GET('/v1/capabilities', { signal, cache: 'no-store' }))
      // A refusal of the server itself is an answer too, but a server that starts takes no parts.
      return answer.ok || (answer.error.code === 'api/http' && answer.error.serverCode !== STARTING)
    },
    abort: async (id, signal) =>
      valueOf(await send(api.DELETE('/v1/upload-requests/{id}', of(id, signal))), () => undefined),
  }
}

/** The options of a call about one upload. */
function of(id: string, signal: AbortSignal) {
  return { signal, params: { path: { id } } }
}

function valueOf<A, T>(
  answer: Result<A, ApiFailure>,
  pick: (value: A) => T,
): Result<T, UploadApiProblem> {
  return answer.ok ? ok(pick(answer.value)) : err(problemOf(answer.error))
}

function create(api: ApiClient, provider: UploadMethod, row: UploadRow, signal: AbortSignal) {
  const { idempotencyKey, purpose, file } = row
  const metadata = { clientFilename: file.name, clientFileSize: file.sizeBytes }
  const upload = { provider, metadata, ...trimOf(row) }
  return api.POST('/v2/upload-requests', {
    signal,
    body: { uploadRequest: { idempotencyKey, purpose, upload, ...excerptOf(row) } },
  })
}

function trimOf({ trim }: UploadRow) {
  if (trim === undefined) return {}
  const { fromMs, toMs, wholeSizeBytes: wholeFileSize } = trim
  return { trim: { fromMs, toMs, wholeFileSize } }
}

function excerptOf({ excerpt }: UploadRow) {
  if (excerpt === undefined) return {}
  const { uploadRequestId, stretches } = excerpt
  return { excerpt: { uploadRequestId, stretches: [...stretches] } }
}

/**
 * The method for a server that offers these providers: multipart, unless only singlepart is
 * offered. Exported for its test.
 */
export function methodFor(providers: readonly string[] | null): UploadMethod {
  return providers !== null &&
    !providers.includes('s3-multipart') &&
    providers.includes('s3-singlepart')
    ? 's3-singlepart'
    : 's3-multipart'
}

/** The code of a server that is not ready yet. */
const STARTING = 'system/starting'

/** What the server's own codes mean; codes that are not here are sorted by their status. */
const BY_CODE: Readonly<Record<string, UploadApiProblem>> = {
  'uploads/aborted': { kind: 'gone' },
  'uploads/not-found': { kind: 'gone' },
  'uploads/in-use': { kind: 'in-use' },
  'uploads/parts-missing': { kind: 'parts-differ' },
  'uploads/not-complete': { kind: 'parts-differ' },
  'uploads/not-open': { kind: 'parts-differ' },
  'uploads/excerpt-refused': { kind: 'gone' },
  'uploads/no-space': { kind: 'no-space' },
  [STARTING]: { kind: 'silent' },
}

/**
 * What an API failure means to the engine. Only an answer of the server itself says anything: a
 * proxy, a balancer or a portal passes. Exported for its test.
 */
export function problemOf(failure: ApiFailure): UploadApiProblem {
  if (failure.code === 'api/foreign') return foreignProblem(failure)
  if (failure.code !== 'api/http') return { kind: 'silent' }
  const code = failure.serverCode
  const known = BY_CODE[code]
  if (known !== undefined) return known
  if (isFullStatus(failure.status)) return { kind: 'no-space' }
  if (failure.status === 401) return { kind: 'signed-out' }
  // A forgery refusal passes once a page provides the fresh token.
  if (isTransient(failure) || code.startsWith('auth/'))
    return { kind: 'busy', retryAfterMs: failure.retryAfterMs }
  if (failure.status === 409) return { kind: 'parts-differ' }
  return { kind: 'refused', code, message: failure.serverMessage }
}

/**
 * An answer that is not the server's. A gateway whose server is away is as good as no answer, and a
 * portal has words of its own; a full disk is one, whatever stands before the server says so.
 */
function foreignProblem({ status, looksLikePortal }: ForeignFailure): UploadApiProblem {
  if (isFullStatus(status)) return { kind: 'no-space' }
  return looksLikePortal || isGatewayStatus(status)
    ? { kind: 'silent' }
    : { kind: 'foreign', status }
}

type ForeignFailure = Extract<ApiFailure, { readonly code: 'api/foreign' }>

function uploadOf(
  answer: Result<{ readonly uploadRequest: UploadRequest }, ApiFailure>,
): Result<ServerUpload, UploadApiProblem> {
  if (!answer.ok) return err(problemOf(answer.error))
  const { _id, state, failureReason, upload } = answer.value.uploadRequest
  return ok({
    uploadRequestId: _id,
    state,
    failureReason,
    plan:
      upload.partCount === 0
        ? null
        : { partSizeBytes: upload.partSize, partCount: upload.partCount },
    isResumable: upload.resumable,
    urlsNeedChecksums: upload.urlsNeedChecksums === true,
    treeSha256: upload.checksumSha256,
    parts: upload.parts.map(partOf),
  })
}

function partOf(part: components['schemas']['UploadPart']): ServerPart {
  return {
    partNumber: part.partNumber,
    sizeBytes: part.partSize,
    url: part.presignedUrl,
    headers: Object.keys(part.headers ?? {}).length === 0 ? null : (part.headers ?? null),
    eTag: part.eTag,
    storedBytes: part.size,
    sha256: part.checksumSha256,
    heldBytes: part.heldBytes,
  }
}

function completedPart({
  partNumber,
  eTag,
  sha256,
}: UploadPartRow): components['schemas']['CompletedPart'] {
  return { partNumber, eTag, checksumSha256: sha256 }
}
