import type { components } from '#openapi/schema.gen.ts'
import type { ApiClient } from '#src/api/client.ts'
import { isTransient, type ApiFailure } from '#src/api/errors.ts'
import { send } from '#src/api/send.ts'
import { err, ok, type Result } from '#src/lib/result.ts'
import type { ServerUpload, UploadApi, UploadApiProblem } from '#src/local/uploads/ports.ts'
import type { UploadPartRow } from '#src/local/db/rows.ts'

type UploadRequest = components['schemas']['UploadRequest']

/** How this server takes files; a server without multipart takes a file in one part. */
export type UploadMethod = 's3-multipart' | 's3-singlepart'

/** The upload calls of the editor API, for page and workers. Calls `method` for each new upload. */
export function createUploadApi(api: ApiClient, method: () => Promise<UploadMethod>): UploadApi {
  return {
    create: async (row, signal) =>
      uploadOf(
        await send(
          api.POST('/v2/upload-requests', {
            signal,
            body: {
              uploadRequest: {
                idempotencyKey: row.idempotencyKey,
                purpose: row.purpose,
                upload: {
                  provider: await method(),
                  metadata: { clientFilename: row.file.name, clientFileSize: row.file.sizeBytes },
                },
              },
            },
          }),
        ),
      ),
    read: async (uploadRequestId, signal) =>
      uploadOf(
        await send(
          api.GET('/v1/upload-requests/{id}', {
            signal,
            params: { path: { id: uploadRequestId } },
          }),
        ),
      ),
    complete: async (uploadRequestId, parts, signal) =>
      uploadOf(
        await send(
          api.PATCH('/v1/upload-requests/{id}', {
            signal,
            params: { path: { id: uploadRequestId } },
            body: { uploadRequest: { upload: { parts: parts.map(completedPart) } } },
          }),
        ),
      ),
    ping: async (signal) => {
      const answer = await send(api.GET('/v1/capabilities', { signal, cache: 'no-store' }))
      // A refusal in the server's own words is an answer too; a captive portal's page is not.
      return answer.ok || answer.error.code === 'api/http'
    },
    abort: async (uploadRequestId, signal) => {
      const answer = await send(
        api.DELETE('/v1/upload-requests/{id}', {
          signal,
          params: { path: { id: uploadRequestId } },
        }),
      )
      return answer.ok ? ok(undefined) : err(problemOf(answer.error))
    },
  }
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

/** What an API failure means to the engine. Exported for its test. */
export function problemOf(failure: ApiFailure): UploadApiProblem {
  if (failure.code !== 'api/http') return { kind: 'silent' }
  switch (failure.serverCode) {
    case 'uploads/aborted':
      return { kind: 'gone' }
    case 'uploads/in-use':
      return { kind: 'in-use' }
    case 'uploads/parts-missing':
    case 'uploads/not-complete':
      return { kind: 'parts-differ' }
    default:
      break
  }
  if (failure.status === 401) return { kind: 'signed-out' }
  if (failure.status === 404) return { kind: 'gone' }
  if (failure.status === 507) return { kind: 'no-space' }
  // A forgery refusal passes once a page provides the fresh token; failing the upload for it would
  // lose bytes.
  if (isTransient(failure) || failure.serverCode.startsWith('auth/'))
    return { kind: 'busy', retryAfterMs: failure.retryAfterMs }
  if (failure.status === 409) return { kind: 'parts-differ' }
  return { kind: 'refused', message: failure.serverMessage }
}

function uploadOf(
  answer: Result<{ readonly uploadRequest: UploadRequest }, ApiFailure>,
): Result<ServerUpload, UploadApiProblem> {
  if (!answer.ok) return err(problemOf(answer.error))
  const { _id, state, failureReason, upload } = answer.value.uploadRequest
  return ok({
    uploadRequestId: _id,
    state,
    failureReason,
    parts: upload.parts.map((part) => ({
      partNumber: part.partNumber,
      sizeBytes: part.partSize,
      url: part.presignedUrl,
      eTag: part.eTag,
      storedBytes: part.size,
    })),
  })
}

function completedPart(part: UploadPartRow): components['schemas']['CompletedPart'] {
  // A part taken from the server's list was hashed by an earlier driver, or not at all.
  return {
    partNumber: part.partNumber,
    eTag: part.eTag,
    ...(part.sha256 === '' ? {} : { checksumSha256: part.sha256 }),
  }
}
