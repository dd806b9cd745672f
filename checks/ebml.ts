/** Reads and writes the elements of Matroska and WebM files (EBML, RFC 8794). Pure. */
import { joinedBytes, numberIn } from './bytes.ts'

/** An element; `end` null = it does not say where it ends (live recordings). */
export interface Element {
  readonly id: number
  readonly bodyStart: number
  readonly end: number | null
}

/** The same, and where its header begins. */
export interface PlacedElement extends Element {
  readonly start: number
}

/** The element whose header is at `offset`; null where there is none, or its header is cut. */
export function elementAt(bytes: Uint8Array, offset: number): PlacedElement | null {
  const idLength = Math.clz32(bytes[offset] ?? 0) - 24 + 1
  const sizeAt = offset + idLength
  const first = bytes[sizeAt]
  if (first === undefined || idLength > 4) return null
  const length = Math.clz32(first) - 24 + 1
  if (length > 8 || sizeAt + length > bytes.byteLength) return null
  const size =
    (first & (0xff >> length)) * 256 ** (length - 1) + numberIn(bytes, sizeAt + 1, sizeAt + length)
  const bodyStart = sizeAt + length
  return {
    id: numberIn(bytes, offset, sizeAt),
    start: offset,
    bodyStart,
    end: size >= 2 ** (7 * length) - 1 ? null : bodyStart + size,
  }
}

/**
 * What is looked for stands among the first of its parent's: none has half as many, and a file may
 * have a million empty ones.
 */
export const MOST_CHILDREN = 64

/** The first element of this id within another; null where it is not within the bytes. */
export function findElement(bytes: Uint8Array, parent: Element, id: number): PlacedElement | null {
  for (const child of childrenOf(bytes, parent, MOST_CHILDREN)) if (child.id === id) return child
  return null
}

/** Elements one after another, as far as the bytes go, `most` at the most. */
export function* childrenOf(
  bytes: Uint8Array,
  parent: Element,
  most = Infinity,
): Generator<PlacedElement> {
  const end = Math.min(bytes.byteLength, parent.end ?? Infinity)
  for (let at = parent.bodyStart, count = 0; at < end && count < most; count += 1) {
    const child = elementAt(bytes, at)
    if (child === null) return
    yield child
    if (child.end === null) return
    at = child.end
  }
}

/** The number that an element of this id within another holds; null as of `findElement`. */
export function valueOf(bytes: Uint8Array, parent: Element, id: number): number | null {
  for (const child of childrenOf(bytes, parent, MOST_CHILDREN))
    if (child.id === id && child.end !== null && child.end <= bytes.byteLength)
      return numberIn(bytes, child.bodyStart, child.end)
  return null
}

/** Names are not longer. */
const MOST_LETTERS = 64

/** The text that an element of this id within another holds; '' where there is none. */
export function textOf(bytes: Uint8Array, parent: Element, id: number): string {
  const found = findElement(bytes, parent, id)
  if (found?.end == null) return ''
  const letters = bytes.subarray(found.bodyStart, found.end).subarray(0, MOST_LETTERS)
  return String.fromCharCode(...letters)
}

/** An element with this body, whose size takes 8 bytes. */
export function element(id: number, ...body: readonly Uint8Array[]): Uint8Array {
  const bodyBytes = body.reduce((sum, part) => sum + part.byteLength, 0)
  return joinedBytes([elementHeader(id, bodyBytes), ...body])
}

/** The header of an element whose body has so many bytes. */
export function elementHeader(id: number, bodyBytes: number): Uint8Array {
  const idBytes = Math.ceil((32 - Math.clz32(id)) / 8)
  const header = new Uint8Array(idBytes + 8)
  writeNumber(header, id, idBytes)
  writeNumber(header, bodyBytes, header.byteLength)
  // What says that 7 bytes follow.
  header[idBytes] = 1
  return header
}

/** An element with a number, which takes 8 bytes. */
export function numberElement(id: number, value: number): Uint8Array {
  const number = new Uint8Array(8)
  writeNumber(number, value, 8)
  return element(id, number)
}

/** The last bytes before `end`, as few as the number takes. */
function writeNumber(bytes: Uint8Array, value: number, end: number): void {
  for (let at = end - 1, rest = value; rest > 0; at -= 1, rest = Math.floor(rest / 256))
    bytes[at] = rest % 256
}
