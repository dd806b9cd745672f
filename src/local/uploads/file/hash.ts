/**
 * SHA-256 of the bytes in base64, the format of `x-amz-checksum-sha256`. `digest` is WebCrypto's,
 * passed in.
 */
export async function sha256Base64(
  digest: (bytes: ArrayBuffer) => Promise<ArrayBuffer>,
  bytes: ArrayBuffer,
): Promise<string> {
  return btoa(String.fromCharCode(...new Uint8Array(await digest(bytes))))
}

/** SHA-256 of the bytes in lower-case hex, the format of stored fingerprints. */
export async function sha256Hex(
  digest: (bytes: ArrayBuffer) => Promise<ArrayBuffer>,
  bytes: ArrayBuffer,
): Promise<string> {
  return Array.from(new Uint8Array(await digest(bytes)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('')
}

/** SHA-256 by the context's own WebCrypto. */
export function webCryptoDigest(bytes: ArrayBuffer): Promise<ArrayBuffer> {
  return crypto.subtle.digest('SHA-256', bytes)
}
