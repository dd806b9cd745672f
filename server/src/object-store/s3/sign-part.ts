import { createHash, createHmac, type BinaryLike } from 'node:crypto'
import { SignatureV4 } from '@smithy/signature-v4'
import type { SignedPart } from '#server/object-store/port.ts'
import type { S3Place } from './client.ts'

/** A part of a multipart upload of S3. */
interface S3Part {
  readonly objectKey: string
  readonly storeUploadId: string
  readonly partNumber: number
  readonly sizeBytes: number
  /** Base64. */
  readonly checksumSha256: string
}

/**
 * Signs URLs of parts for browsers. Length and SHA-256 are in the signature, so that the store
 * itself refuses any other bytes. The client's own presigner takes ten times as long.
 */
export function createPartSigner(
  place: S3Place,
  clock: () => Date,
): (part: S3Part, expiresInS: number) => Promise<SignedPart> {
  const { region, accessKeyId, secretAccessKey } = place
  const signer = new SignatureV4({
    service: 's3',
    region,
    credentials: { accessKeyId, secretAccessKey },
    sha256: NodeSha256,
    // S3 signs a path as it is sent, not escaped twice.
    uriEscapePath: false,
  })
  return async (part, expiresInS) => {
    const { objectKey, storeUploadId, partNumber, sizeBytes } = part
    const { protocol, hostname, port, path } = addressOf(place, objectKey)
    const signed = { 'content-length': String(sizeBytes), ...checksumHeaders(place, part) }
    const request = {
      method: 'PUT',
      protocol,
      hostname,
      ...(port === null ? {} : { port }),
      path,
      query: { partNumber: String(partNumber), uploadId: storeUploadId },
      headers: {
        host: port === null ? hostname : `${hostname}:${port}`,
        ...(place.checksums === 'checksum' ? { [PAYLOAD_HEADER]: 'UNSIGNED-PAYLOAD' } : {}),
        ...signed,
      },
    }
    const { query = {} } = await signer.presign(request, {
      expiresIn: expiresInS,
      signingDate: clock(),
      unhoistableHeaders: new Set(Object.keys(signed)),
      ...(place.checksums === 'checksum' ? { unsignableHeaders: new Set([PAYLOAD_HEADER]) } : {}),
    })
    const search = Object.entries(query)
      .map(([name, value]) => `${encode(name)}=${encode(String(value))}`)
      .join('&')
    // Every sender sets the length by itself, and browsers let no page set it.
    return {
      url: `${protocol}//${request.headers.host}${path}?${search}`,
      headers: checksumHeaders(place, part),
    }
  }
}

const PAYLOAD_HEADER = 'x-amz-content-sha256'

function checksumHeaders({ checksums }: S3Place, part: S3Part): Record<string, string> {
  return checksums === 'checksum'
    ? { 'x-amz-checksum-sha256': part.checksumSha256 }
    : { [PAYLOAD_HEADER]: Buffer.from(part.checksumSha256, 'base64').toString('hex') }
}

/** Where browsers find an object. */
function addressOf(place: S3Place, objectKey: string) {
  const { bucket, forcePathStyle } = place
  const origin =
    place.publicEndpoint ?? place.endpoint ?? `https://s3.${place.region}.amazonaws.com`
  const { protocol, hostname, port, pathname } = new URL(origin)
  const path = objectKey.split('/').map(encode).join('/')
  const base = pathname.replace(/\/$/, '')
  return {
    protocol,
    hostname: forcePathStyle ? hostname : `${bucket}.${hostname}`,
    port: port === '' ? null : Number(port),
    path: forcePathStyle ? `${base}/${bucket}/${path}` : `${base}/${path}`,
  }
}

/** As RFC 3986 has it, which is what S3 signs. */
function encode(text: string): string {
  return encodeURIComponent(text).replace(
    /[!'()*]/g,
    (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`,
  )
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
