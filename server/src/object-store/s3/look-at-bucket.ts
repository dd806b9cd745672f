import { HeadBucketCommand, S3ServiceException } from '@aws-sdk/client-s3'
import { createS3Client } from './client.ts'
import type { S3Place } from './place.ts'

/** One sentence on why a bucket cannot be used, for the operator; null where it answers. */
export async function refusalOfBucket(place: S3Place): Promise<string | null> {
  const client = createS3Client(place)
  try {
    await client.send(new HeadBucketCommand({ Bucket: place.bucket }))
    return null
  } catch (error) {
    const where = place.endpoint ?? `AWS (${place.region})`
    return `The bucket "${place.bucket}" of S3_BUCKET cannot be used at ${where}: ${reasonOf(error)}.`
  } finally {
    client.destroy()
  }
}

/** An answer to HEAD has no words, so that its status says what it can. */
function reasonOf(error: unknown): string {
  const status = error instanceof S3ServiceException ? error.$metadata.httpStatusCode : undefined
  if (status === 301) return 'it is in another region than S3_REGION'
  if (status === 403) return 'S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY are refused'
  if (status === 404) return 'there is no such bucket'
  if (status !== undefined) return `it answers ${status}`
  const code = error instanceof Error && 'code' in error ? error.code : null
  return typeof code === 'string' ? `it does not answer (${code})` : 'it does not answer'
}
