import { createHash, createHmac, type BinaryLike } from 'node:crypto'
import { SignatureV4 } from '@smithy/signature-v4'
import type { SignedPart } from '#server/object-store/port.ts'
import { encode, publicAddressOf, type S3Place } from './place.ts'

/** A part of a multipart upload of S3. */
interface S3Part {
  readonly objectKey: string
  readonly storeUploadId: string
  readonly partNumber: number
  readonly sizeBytes: number
  /** Base64. */
  readonly checksumSha256: string
}

/** How a file is shown to a browser that gets it from the store. */
interface S3File {
  readonly objectKey: string
  readonly contentType: string
  /** `Content-Disposition`; null for none. */
  readonly disposition: string | null
}

/** What a browser may do at the store itself, for a time. */
export interface Signer {
  /**
   * Where a part is sent to. Length and SHA-256 are in the signature, so that the store itself
   * refuses any other bytes.
   */
  part(part: S3Part, expiresInS: number): Promise<SignedPart>
  /** An address of a file. */
  file(file: S3File, expiresInS: number): Promise<string>
}

/** Signs for browsers. */
export function createSigner(place: S3Place, clock: () => Date): Signer {
  const presign = createPresign(place, clock)
  return {
    async part(part, expiresInS) {
      const { objectKey, storeUploadId, partNumber, sizeBytes } = part
      const headers = checksumHeaders(place, part)
      const url = await presign(
        {
          method: 'PUT',
          objectKey,
          query: { partNumber: String(partNumber), uploadId: storeUploadId },
          headers: { 'content-length': String(sizeBytes), ...headers },
          isPayloadUnsigned: place.checksums === 'checksum',
        },
        expiresInS,
      )
      // Every sender sets the length by itself, and browsers let no page set it.
      return { url, headers }
    },
    file: async ({ objectKey, contentType, disposition }, expiresInS) =>
      await presign(
        {
          method: 'GET',
          objectKey,
          query: {
            'response-content-type': contentType,
            'response-cache-control': 'private, no-store',
            ...(disposition === null ? {} : { 'response-content-disposition': disposition }),
          },
          headers: {},
          isPayloadUnsigned: true,
        },
        expiresInS,
      ),
  }
}

interface Asked {
  readonly method: 'GET' | 'PUT'
  readonly objectKey: string
  readonly query: Readonly<Record<string, string>>
  /** In the signature, beside the host. */
  readonly headers: Readonly<Record<string, string>>
  readonly isPayloadUnsigned: boolean
}

/** The client's own presigner takes ten times as long. */
function createPresign(place: S3Place, clock: () => Date) {
  const { region, accessKeyId, secretAccessKey } = place
  const signer = new SignatureV4({
    service: 's3',
    region,
    credentials: { accessKeyId, secretAccessKey },
    sha256: NodeSha256,
    // S3 signs a path as it is sent, not escaped twice.
    uriEscapePath: false,
  })
  return async (asked: Asked, expiresInS: number): Promise<string> => {
    const { protocol, hostname, port, path } = publicAddressOf(place, asked.objectKey)
    const host = port === null ? hostname : `${hostname}:${port}`
    const address = { protocol, hostname, ...(port === null ? {} : { port }), path }
    const unsigned = asked.isPayloadUnsigned ? { [PAYLOAD_HEADER]: 'UNSIGNED-PAYLOAD' } : {}
    const { method, query } = asked
    const headers = { host, ...unsigned, ...asked.headers }
    const presigned = await signer.presign(
      { ...address, method, query, headers },
      {
        expiresIn: expiresInS,
        signingDate: clock(),
        unhoistableHeaders: new Set(Object.keys(asked.headers)),
        ...(asked.isPayloadUnsigned ? { unsignableHeaders: new Set([PAYLOAD_HEADER]) } : {}),
      },
    )
    const search = Object.entries(presigned.query ?? {})
      .map(([name, value]) => `${encode(name)}=${encode(String(value))}`)
      .join('&')
    return `${protocol}//${host}${path}?${search}`
  }
}

const PAYLOAD_HEADER = 'x-amz-content-sha256'

function checksumHeaders({ checksums }: S3Place, part: S3Part): Record<string, string> {
  return checksums === 'checksum'
    ? { 'x-amz-checksum-sha256': part.checksumSha256 }
    : { [PAYLOAD_HEADER]: Buffer.from(part.checksumSha256, 'base64').toString('hex') }
}

/** SHA-256 and its HMAC by the platform, in the shape that the signer wants. */
class NodeSha256 {
  readonly #hash

  constructor(secret?: string | ArrayBuffer | ArrayBufferView) {
    this.#hash =
      secret === undefined ? createHash('sha256') : createHmac('sha256', toBinary(secret))
  }

  update(chunk: string | ArrayBuffer | ArrayBufferView): void {
    this.#hash.update(toBinary(chunk))
  }

  async digest(): Promise<Uint8Array> {
    return this.#hash.digest()
  }

  reset(): void {
    throw new Error('The signer makes a hash for each text')
  }
}

function toBinary(data: string | ArrayBuffer | ArrayBufferView): BinaryLike {
  return data instanceof ArrayBuffer ? new Uint8Array(data) : (data as BinaryLike)
}
