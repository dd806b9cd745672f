/** What the first bytes of a file say; names and MIME types are not trusted. */
export type Signature =
  | {
      readonly kind: 'media'
      readonly container:
        | 'isobmff'
        | 'matroska'
        | 'avi'
        | 'flv'
        | 'asf'
        | 'mpeg-ts'
        | 'mpeg-ps'
        | 'ogg'
    }
  | { readonly kind: 'sound' }
  | { readonly kind: 'photo' }
  /** Only printable characters: certainly no media. */
  | { readonly kind: 'text' }
  | { readonly kind: 'unknown' }

/**
 * Enough for the second packet of an MPEG transport stream with timestamps (192 bytes a packet).
 */
export const SIGNATURE_BYTES = 400

const PHOTO_BRANDS: ReadonlySet<string> = new Set([
  'heic',
  'heix',
  'mif1',
  'msf1',
  'avif',
  'avis',
  'hevc',
])
const TOP_BOXES: ReadonlySet<string> = new Set([
  'ftyp',
  'moov',
  'mdat',
  'wide',
  'free',
  'skip',
  'pnot',
  'styp',
  'moof',
  'sidx',
])

/** Reads the signature of `head`, the first bytes of the file (up to 400). */
export function readSignature(head: Uint8Array): Signature {
  const at = (offset: number, length: number): string =>
    String.fromCharCode(...head.subarray(offset, offset + length))
  const starts = (...bytes: readonly number[]): boolean =>
    bytes.every((byte, index) => head[index] === byte)
  if (at(4, 4) === 'ftyp' && PHOTO_BRANDS.has(at(8, 4))) return { kind: 'photo' }
  if (TOP_BOXES.has(at(4, 4))) return { kind: 'media', container: 'isobmff' }
  if (starts(0x1a, 0x45, 0xdf, 0xa3)) return { kind: 'media', container: 'matroska' }
  if (at(0, 4) === 'RIFF')
    return at(8, 4) === 'AVI '
      ? { kind: 'media', container: 'avi' }
      : at(8, 4) === 'WEBP'
        ? { kind: 'photo' }
        : { kind: 'sound' }
  if (at(0, 3) === 'FLV') return { kind: 'media', container: 'flv' }
  if (starts(0x30, 0x26, 0xb2, 0x75)) return { kind: 'media', container: 'asf' }
  if (starts(0x00, 0x00, 0x01, 0xba)) return { kind: 'media', container: 'mpeg-ps' }
  if ((head[0] === 0x47 && head[188] === 0x47) || (head[4] === 0x47 && head[196] === 0x47))
    return { kind: 'media', container: 'mpeg-ts' }
  if (at(0, 4) === 'OggS') return { kind: 'media', container: 'ogg' }
  if (at(0, 4) === 'fLaC' || at(0, 3) === 'ID3') return { kind: 'sound' }
  if (
    starts(0xff, 0xd8, 0xff) ||
    starts(0x89, 0x50, 0x4e, 0x47) ||
    at(0, 4) === 'GIF8' ||
    at(0, 2) === 'BM'
  )
    return { kind: 'photo' }
  return head.every(isPrintable) ? { kind: 'text' } : { kind: 'unknown' }
}

function isPrintable(byte: number): boolean {
  return byte === 9 || byte === 10 || byte === 13 || (byte >= 32 && byte < 127) || byte >= 128
}
