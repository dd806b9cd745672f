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

/** Where browsers find an object. `port` is null for the usual one. */
export function publicAddressOf(place: S3Place, objectKey: string) {
  const { bucket, forcePathStyle } = place
  const { protocol, hostname, port, pathname } = new URL(publicEndpointOf(place))
  const path = objectKey.split('/').map(encode).join('/')
  const base = pathname.replace(/\/$/, '')
  return {
    protocol,
    hostname: forcePathStyle ? hostname : `${bucket}.${hostname}`,
    port: port === '' ? null : Number(port),
    path: forcePathStyle ? `${base}/${bucket}/${path}` : `${base}/${path}`,
  }
}

/** The origin that browsers send parts to and load files from. */
export function publicOriginOf(place: S3Place): string {
  const { protocol, hostname, port } = publicAddressOf(place, '')
  return `${protocol}//${hostname}${port === null ? '' : `:${port}`}`
}

function publicEndpointOf({ publicEndpoint, endpoint, region }: S3Place): string {
  return publicEndpoint ?? endpoint ?? `https://s3.${region}.amazonaws.com`
}

/** As RFC 3986 has it, which is what S3 signs. */
export function encode(text: string): string {
  return encodeURIComponent(text).replace(
    /[!'()*]/g,
    (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`,
  )
}
