import type { S3Place } from '#server/object-store/s3/place.ts'

/** The settings of a server whose files are in this bucket. */
export function bucketSettings({ bucket, endpoint, accessKeyId, secretAccessKey }: S3Place) {
  return {
    S3_BUCKET: bucket,
    S3_ENDPOINT: endpoint ?? '',
    S3_ACCESS_KEY_ID: accessKeyId,
    S3_SECRET_ACCESS_KEY: secretAccessKey,
  }
}
