/** Bytes of media files, whose numbers are big-endian in boxes and in elements. */

export function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}

/** Unsigned, of as many bytes as there are between two places; exact up to 2^53. */
export function numberIn(bytes: Uint8Array, start: number, end: number): number {
  return bytes.subarray(start, end).reduce((value, byte) => value * 256 + byte, 0)
}

/** Of 32 bits each, negative ones as their two's complement. */
export function numbers(values: readonly number[]): Uint8Array {
  const bytes = new Uint8Array(4 * values.length)
  const view = viewOf(bytes)
  for (const [place, value] of values.entries()) view.setUint32(4 * place, value)
  return bytes
}

export function joinedBytes(parts: readonly Uint8Array[]): Uint8Array {
  const all = new Uint8Array(parts.reduce((sum, part) => sum + part.byteLength, 0))
  let at = 0
  for (const part of parts) {
    all.set(part, at)
    at += part.byteLength
  }
  return all
}
