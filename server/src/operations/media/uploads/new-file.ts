import { createHash } from 'node:crypto'
import type { components } from '#openapi/schema.gen.ts'
import { CLOUD_FILE_MAX_BYTES, LOCAL_FILE_MAX_BYTES } from '#spec/numbers.ts'
import { Problem } from '#server/problems.ts'
import type { NewUpload } from './create.ts'
import { baseName, refuseName } from './file-name.ts'
import { MAX_SINGLE_PART_BYTES } from './plan.ts'

/** A file that a device sends, with the excerpt of another upload that it is, if it is one. */
interface SentFile extends Pick<NewUpload, 'purpose' | 'idempotencyKey'> {
  readonly upload: components['schemas']['NewDeviceUpload']
  readonly excerpt: components['schemas']['NewExcerpt'] | undefined
}

/**
 * Checks what a device says of a file that it is going to send. Refuses: `uploads/too-large`,
 * `request/invalid`.
 */
export function readSentFile({ purpose, idempotencyKey, upload, excerpt }: SentFile): NewUpload {
  const { provider, trim } = upload
  const sizeBytes = upload.metadata.clientFileSize
  const clientFilename = checkNewFile({
    purpose,
    provider,
    sizeBytes,
    clientFilename: upload.metadata.clientFilename,
  })
  if (trim !== undefined && trim.toMs <= trim.fromMs)
    throw new Problem('request/invalid', 'A trim ends after it begins.')
  const bodyHash = createHash('sha256')
    .update(
      JSON.stringify([
        purpose,
        provider,
        clientFilename,
        sizeBytes,
        ...(excerpt === undefined ? [] : [excerpt.uploadRequestId, excerpt.stretches]),
        ...(trim === undefined ? [] : [trim.fromMs, trim.toMs, trim.wholeFileSize]),
      ]),
    )
    .digest('hex')
  return {
    purpose,
    provider,
    clientFilename,
    sizeBytes,
    bodyHash,
    idempotencyKey,
    ...(excerpt === undefined ? {} : { excerpt }),
    ...(trim === undefined ? {} : { trim }),
  }
}

/**
 * The name under which a new file is kept. Only its extension is looked at here; the content
 * decides after completion. Refuses: `uploads/too-large`, `request/invalid`.
 */
export function checkNewFile({
  clientFilename,
  sizeBytes,
  ...upload
}: Pick<NewUpload, 'purpose' | 'provider' | 'clientFilename' | 'sizeBytes'>): string {
  const name = baseName(clientFilename)
  refuseSize(upload.provider, sizeBytes)
  refuseName(name, upload)
  return name
}

const SENT_LIMITS: Readonly<Partial<Record<NewUpload['provider'], number>>> = {
  's3-multipart': LOCAL_FILE_MAX_BYTES,
  's3-singlepart': MAX_SINGLE_PART_BYTES,
}

function refuseSize(provider: NewUpload['provider'], sizeBytes: number): void {
  const sentLimit = SENT_LIMITS[provider]
  const limit = sentLimit ?? CLOUD_FILE_MAX_BYTES
  if (sizeBytes === 0)
    throw sizeProblem('request/invalid', 'This file is empty. Please choose another one.')
  if (sizeBytes > limit)
    throw sizeProblem(
      'uploads/too-large',
      `This file is too large. ${sentLimit === undefined ? 'You can import' : 'You can upload'} files of up to ${limit / 1024 ** 3} GB.`,
    )
}

function sizeProblem(code: 'request/invalid' | 'uploads/too-large', message: string): Problem {
  return new Problem(code, message, {
    fields: { 'uploadRequest.upload.metadata.clientFileSize': message },
  })
}
