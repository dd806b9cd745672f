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

/**
 * The hash of a whole file as a tree over its parts: SHA-256 (base64) of the parts' raw hashes in
 * order, `-`, and their number. The same form as S3's composite checksums.
 *
 * @param sha256 hash of each part in order, base64
 */
export async function treeHash(
  digest: (bytes: ArrayBuffer) => Promise<ArrayBuffer>,
  sha256: readonly string[],
): Promise<string> {
  const raw = sha256.map((hash) => Uint8Array.from(atob(hash), (char) => char.charCodeAt(0)))
  const joined = new Uint8Array(raw.reduce((total, hash) => total + hash.length, 0))
  let at = 0
  for (const hash of raw) {
    joined.set(hash, at)
    at += hash.length
  }
  return `${await sha256Base64(digest, joined.buffer)}-${raw.length}`
}
