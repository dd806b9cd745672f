/**
 * [Note: sealed files] A sealed file is its chunks one after the other, each with a nonce before it
 * and a tag behind it (AES-GCM). A chunk is bound to its file and its number, so that chunks cannot
 * change places, and can be opened alone: playback asks for what it needs. The size of a file says
 * the size of what is in it.
 */
import type { SealKeys } from './seal.ts'

/** As much as a player waits for at once. */
const CHUNK_BYTES = 256 * 1024
const NONCE_BYTES = 12
const EXTRA_BYTES = NONCE_BYTES + 16

/** How large a file of this size is when it is sealed. */
export function sealedSize(sizeBytes: number): number {
  return sizeBytes + Math.ceil(sizeBytes / CHUNK_BYTES) * EXTRA_BYTES
}

/** How large a file is that was sealed to this size. */
export function sizeWithin(sealedBytes: number): number {
  return sealedBytes - Math.ceil(sealedBytes / (CHUNK_BYTES + EXTRA_BYTES)) * EXTRA_BYTES
}

/** Seals a file. @param place where it is kept; at another place it does not open */
export async function sealFile(keys: SealKeys, place: string, file: Blob): Promise<Blob> {
  const chunks: BlobPart[] = []
  for (let at = 0; at < file.size; at += CHUNK_BYTES) {
    const iv = crypto.getRandomValues(new Uint8Array(NONCE_BYTES))
    const clear = await file.slice(at, at + CHUNK_BYTES).arrayBuffer()
    chunks.push(iv, await crypto.subtle.encrypt(cipher(iv, place, at), keys.files, clear))
  }
  return new Blob(chunks)
}

/**
 * The bytes of a sealed file from one to before another, chunk by chunk. Rejects where the key, the
 * place or the bytes are not those of the sealing.
 */
export async function* openRange(
  keys: SealKeys,
  place: string,
  sealed: Blob,
  from: number,
  to: number,
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  for (let at = from - (from % CHUNK_BYTES); at < to; at += CHUNK_BYTES) {
    const start = (at / CHUNK_BYTES) * (CHUNK_BYTES + EXTRA_BYTES)
    const chunk = await sealed.slice(start, start + CHUNK_BYTES + EXTRA_BYTES).arrayBuffer()
    const iv = new Uint8Array(chunk, 0, NONCE_BYTES)
    const bytes = new Uint8Array(chunk, NONCE_BYTES)
    const clear = await crypto.subtle.decrypt(cipher(iv, place, at), keys.files, bytes)
    yield new Uint8Array(clear).subarray(Math.max(0, from - at), to - at)
  }
}

/** The whole of a sealed file of this size, in memory. */
export async function openSealedFile(
  keys: SealKeys,
  place: string,
  sealed: Blob,
  sizeBytes: number,
): Promise<Blob> {
  const parts: BlobPart[] = []
  for await (const part of openRange(keys, place, sealed, 0, sizeBytes)) parts.push(part)
  return new Blob(parts)
}

function cipher(iv: Uint8Array<ArrayBuffer>, place: string, at: number): AesGcmParams {
  return { name: 'AES-GCM', iv, additionalData: new TextEncoder().encode(`${place}/${at}`) }
}
