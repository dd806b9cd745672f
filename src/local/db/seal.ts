import { xchacha20poly1305 } from '@noble/ciphers/chacha.js'

/**
 * [Note: seal] With the app lock on, what this device has of an account is written encrypted, at
 * all times and not only while it is locked: a browser that is killed has nothing left to do. One
 * random data key for each account and device stands behind two: one for rows, one for files.
 *
 * Rows are sealed by code of ours, and not by the browser's own ciphers, because those answer in a
 * later task: by then a transaction of IndexedDB has ended.
 */
export interface SealKeys {
  /** For rows; XChaCha20-Poly1305, whose long nonces may be drawn at random. */
  readonly rows: Uint8Array<ArrayBuffer>
  /** For files; AES-GCM, in the browser. */
  readonly files: CryptoKey
}

const KEY_BYTES = 32
const NONCE_BYTES = 24

/** A data key of its own for one account on one device. */
export function newDataKey(): Uint8Array<ArrayBuffer> {
  return crypto.getRandomValues(new Uint8Array(KEY_BYTES))
}

/** The keys of an account from its data key. */
export async function sealKeysOf(dataKey: Uint8Array<ArrayBuffer>): Promise<SealKeys> {
  const from = await crypto.subtle.importKey('raw', dataKey, 'HKDF', false, [
    'deriveKey',
    'deriveBits',
  ])
  const rows = await crypto.subtle.deriveBits(hkdf('rows'), from, KEY_BYTES * 8)
  const cipher = { name: 'AES-GCM', length: 256 }
  const files = await crypto.subtle.deriveKey(hkdf('files'), from, cipher, false, [
    'encrypt',
    'decrypt',
  ])
  return { rows: new Uint8Array(rows), files }
}

/** The data key is as random as keys are, so that no salt is needed. */
function hkdf(purpose: string): HkdfParams {
  const info = new TextEncoder().encode(`onecut app lock: ${purpose}`)
  return { name: 'HKDF', hash: 'SHA-256', salt: new Uint8Array(), info }
}

/** Seals a value. @param place where it is kept; at another place it does not open */
export function sealValue(
  { rows }: SealKeys,
  place: string,
  value: unknown,
): Uint8Array<ArrayBuffer> {
  const nonce = crypto.getRandomValues(new Uint8Array(NONCE_BYTES))
  const cipher = xchacha20poly1305(rows, nonce, new TextEncoder().encode(place))
  const sealed = cipher.encrypt(encode(value))
  const all = new Uint8Array(NONCE_BYTES + sealed.length)
  all.set(nonce)
  all.set(sealed, NONCE_BYTES)
  return all
}

/** Throws where the key, the place or the bytes are not those of the sealing. */
export function openValue({ rows }: SealKeys, place: string, sealed: Uint8Array): unknown {
  const nonce = sealed.subarray(0, NONCE_BYTES)
  const cipher = xchacha20poly1305(rows, nonce, new TextEncoder().encode(place))
  return decode(cipher.decrypt(sealed.subarray(NONCE_BYTES)))
}

/**
 * JSON, and behind it the bytes that stand in the value: pictures, heads of files. Its first four
 * bytes are the length of the JSON.
 */
function encode(value: unknown): Uint8Array {
  const found: Uint8Array[] = []
  const text = JSON.stringify(value, (_key, part: unknown) => {
    if (part instanceof ArrayBuffer || part instanceof Blob)
      throw new TypeError('only plain values and bytes can be sealed')
    if (!(part instanceof Uint8Array)) return part
    found.push(part)
    return { [BYTES]: part.length }
  })
  const json = new TextEncoder().encode(text)
  const size = found.reduce((sum, { length }) => sum + length, HEAD_BYTES + json.length)
  const all = new Uint8Array(size)
  new DataView(all.buffer).setUint32(0, json.length)
  all.set(json, HEAD_BYTES)
  let at = HEAD_BYTES + json.length
  for (const bytes of found) {
    all.set(bytes, at)
    at += bytes.length
  }
  return all
}

const HEAD_BYTES = 4
/** No field of a row is called so. */
const BYTES = '\u0000bytes'

function decode(all: Uint8Array): unknown {
  const jsonEnd = HEAD_BYTES + new DataView(all.buffer, all.byteOffset).getUint32(0)
  const value: unknown = JSON.parse(new TextDecoder().decode(all.subarray(HEAD_BYTES, jsonEnd)))
  let at = jsonEnd
  const withBytes = (part: unknown): unknown => {
    if (typeof part !== 'object' || part === null) return part
    if (Array.isArray(part)) return part.map(withBytes)
    if (BYTES in part) {
      const from = at
      at += Number(part[BYTES])
      return all.slice(from, at)
    }
    return Object.fromEntries(Object.entries(part).map(([key, inner]) => [key, withBytes(inner)]))
  }
  return withBytes(value)
}
