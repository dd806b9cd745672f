import {
  HeadBucketCommand,
  ListObjectsV2Command,
  S3ServiceException,
  type S3Client,
} from '@aws-sdk/client-s3'
import { createS3Client } from './client.ts'
import type { S3Place } from './place.ts'

/** One sentence on why a bucket cannot be used, for the operator; null where it answers. */
export async function refusalOfBucket(place: S3Place): Promise<string | null> {
  const client = createS3Client(place)
  try {
    await client.send(new HeadBucketCommand({ Bucket: place.bucket }))
    return null
  } catch (error) {
    const where = place.endpoint ?? `AWS (${place.region}; S3_ENDPOINT is not set)`
    const reason = statusOf(error) === 403 ? await refusalOfKeys(client, place) : reasonOf(error)
    return `The bucket "${place.bucket}" of S3_BUCKET cannot be used at ${where}: ${reason}.`
  } finally {
    client.destroy()
  }
}

/** An answer to HEAD has no words, so that its status says what it can. */
function reasonOf(error: unknown): string {
  const status = statusOf(error)
  if (status === 301) return 'it is in another region than S3_REGION'
  if (status === 404) return 'there is no such bucket'
  if (status !== undefined) return `it answers ${status}`
  const code = error instanceof Error && 'code' in error ? error.code : null
  return typeof code === 'string' ? `it does not answer (${code})` : 'it does not answer'
}

/** A question whose refusal has a code. */
async function refusalOfKeys(client: S3Client, { bucket }: S3Place): Promise<string> {
  const code = await client.send(new ListObjectsV2Command({ Bucket: bucket, MaxKeys: 1 })).then(
    () => null,
    (error: unknown) => (error instanceof S3ServiceException ? error.name : null),
  )
  return WHY_KEYS[code ?? ''] ?? `the keys may not use it (${code ?? 403})`
}

const WHY_KEYS: Readonly<Record<string, string>> = {
  InvalidAccessKeyId: 'S3_ACCESS_KEY_ID is not known there',
  SignatureDoesNotMatch:
    'S3_SECRET_ACCESS_KEY is another one than that of S3_ACCESS_KEY_ID, or something before the store changes the name of the host',
  RequestTimeTooSkewed: 'the clock of this machine is wrong',
}

function statusOf(error: unknown): number | undefined {
  return error instanceof S3ServiceException ? error.$metadata.httpStatusCode : undefined
}
