import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import type { components } from '#openapi/schema.gen.ts'
import type { TestClient } from '#tests/setup/client.ts'

export type UploadRequest = components['schemas']['UploadRequest']
interface Answer {
  readonly uploadRequest: UploadRequest
}

export interface UploadOptions {
  readonly name?: string
  readonly key?: string
  readonly purpose?: 'media-job' | 'media-asset'
  /** What it is an excerpt of. */
  readonly excerpt?: components['schemas']['NewExcerpt']
}

/** Begins an upload of a file of `sizeBytes`. */
export async function beginUpload(
  client: TestClient,
  sizeBytes: number,
  options: UploadOptions = {},
): Promise<UploadRequest> {
  const answer = await client.post<Answer>('/v2/upload-requests', {
    uploadRequest: {
      idempotencyKey: options.key ?? crypto.randomUUID(),
      ...(options.purpose === undefined ? {} : { purpose: options.purpose }),
      ...(options.excerpt === undefined ? {} : { purpose: 'excerpt', excerpt: options.excerpt }),
      upload: {
        provider: 's3-multipart',
        metadata: { clientFilename: options.name ?? 'beach day.mp4', clientFileSize: sizeBytes },
      },
    },
  })
  if (answer.status !== 201)
    throw new Error(`Beginning an upload answered ${answer.status}: ${JSON.stringify(answer.body)}`)
  return answer.body.uploadRequest
}

/** The parts of an upload with URLs that take only these bytes; of a store that needs checksums. */
async function boundParts(
  client: TestClient,
  { _id, upload }: UploadRequest,
  bytes: Uint8Array,
): Promise<UploadRequest['upload']['parts']> {
  const checksums = Array.from({ length: upload.partCount }, (_, index) => ({
    partNumber: index + 1,
    checksumSha256: createHash('sha256')
      .update(bytes.subarray(index * upload.partSize, (index + 1) * upload.partSize))
      .digest('base64'),
  }))
  const partNumbers = checksums.map(({ partNumber }) => partNumber)
  const path = `/v1/upload-requests/${_id}/part-urls`
  const answer = await client.post<{ parts: UploadRequest['upload']['parts'] }>(path, {
    partNumbers,
    checksums,
  })
  if (answer.status !== 200) throw new Error(`Asking for URLs answered ${answer.status}`)
  return answer.body.parts
}

/**
 * Sends the listed parts that have a URL; returns every listed part as completion wants it. An
 * answer leaves parts out when more than 50 are missing.
 */
export async function sendParts(
  client: TestClient,
  upload: UploadRequest,
  bytes: Uint8Array,
): Promise<{ partNumber: number; eTag: string }[]> {
  const done: { partNumber: number; eTag: string }[] = []
  const parts =
    upload.upload.urlsNeedChecksums === true
      ? await boundParts(client, upload, bytes)
      : upload.upload.parts
  for (const part of parts) {
    const offset = (part.partNumber - 1) * upload.upload.partSize
    const body = bytes.slice(offset, offset + part.partSize)
    if (part.presignedUrl === null) {
      done.push({ partNumber: part.partNumber, eTag: part.eTag ?? '' })
      continue
    }
    const request = { method: 'PUT', body, headers: { ...part.headers } }
    const answer = await fetch(new URL(part.presignedUrl, client.origin), request)
    if (answer.status !== 200)
      throw new Error(`Part ${part.partNumber} answered ${answer.status}: ${await answer.text()}`)
    done.push({
      partNumber: part.partNumber,
      eTag: answer.headers.get('etag')?.replaceAll('"', '') ?? '',
    })
  }
  return done
}

/** Uploads bytes as a browser does, from the first call to the completion. */
export async function uploadBytes(
  client: TestClient,
  bytes: Uint8Array,
  options: UploadOptions = {},
): Promise<UploadRequest> {
  const upload = await beginUpload(client, bytes.length, options)
  const parts = await sendParts(client, upload, bytes)
  const answer = await client.patch<Answer>(`/v1/upload-requests/${upload._id}`, {
    uploadRequest: { upload: { parts } },
  })
  if (answer.status !== 200)
    throw new Error(`Completing answered ${answer.status}: ${JSON.stringify(answer.body)}`)
  return answer.body.uploadRequest
}

/** Uploads a file of this machine. */
export async function uploadFile(
  client: TestClient,
  path: string,
  options: UploadOptions = {},
): Promise<UploadRequest> {
  return await uploadBytes(client, await readFile(path), options)
}
