import { S3Client, S3ServiceException } from '@aws-sdk/client-s3'

/** One bucket of an S3-compatible store, and how it is reached. */
export interface S3Place {
  readonly bucket: string
  /** Null for AWS itself. */
  readonly endpoint: string | null
  /** Where it is for browsers; null where that is the same. */
  readonly publicEndpoint: string | null
  readonly region: string
  readonly forcePathStyle: boolean
  readonly accessKeyId: string
  readonly secretAccessKey: string
  /**
   * What makes the store compare a part with its SHA-256: the signed header
   * `x-amz-checksum-sha256` (AWS), or the hash of the payload in the signature (Ceph).
   */
  readonly checksums: 'checksum' | 'payload'
}

/** The client of a bucket's store. */
export function createS3Client(place: S3Place): S3Client {
  const { endpoint, region, forcePathStyle, accessKeyId, secretAccessKey } = place
  return new S3Client({
    ...(endpoint === null ? {} : { endpoint }),
    region,
    forcePathStyle,
    credentials: { accessKeyId, secretAccessKey },
    // Stores that are not AWS refuse the trailers that carry its own checksums.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  })
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
