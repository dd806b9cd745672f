import { S3Client, S3ServiceException } from '@aws-sdk/client-s3'
import type { S3Place } from './place.ts'

/** A store that says nothing for this long is away; to complete 10,000 parts takes seconds. */
const SILENT_MS = 60_000
const CONNECT_MS = 5_000

/**
 * The client of a bucket's store.
 * @param onCall is told of each call how it ended: `ok`, or the name of what it failed with
 */
export function createS3Client(
  place: S3Place,
  onCall: (call: string, outcome: string) => void = () => undefined,
): S3Client {
  const { endpoint, region, forcePathStyle, accessKeyId, secretAccessKey } = place
  const client = new S3Client({
    ...(endpoint === null ? {} : { endpoint }),
    region,
    forcePathStyle,
    credentials: { accessKeyId, secretAccessKey },
    requestHandler: { connectionTimeout: CONNECT_MS, socketTimeout: SILENT_MS },
    // Stores that are not AWS refuse the trailers that carry its own checksums.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  })
  client.middlewareStack.add(
    (next, { commandName = 'unknown' }) =>
      async (call) => {
        const name = commandName.replace(/Command$/, '')
        try {
          const answer = await next(call)
          onCall(name, 'ok')
          return answer
        } catch (error) {
          onCall(name, error instanceof Error ? error.name : 'unknown')
          throw error
        }
      },
    { step: 'initialize', name: 'countCalls' },
  )
  return client
}

/** What `call` gives, or null where the store says that the object or upload is not there. */
export async function unlessMissing<T>(call: Promise<T>): Promise<T | null> {
  try {
    return await call
  } catch (error) {
    if (error instanceof S3ServiceException && MISSING.has(error.name)) return null
    throw error
  }
}

/** XML codes; `NotFound` is what the client makes of an answer to HEAD, which has no body. */
const MISSING: ReadonlySet<string> = new Set(['NoSuchKey', 'NoSuchUpload', 'NotFound'])
