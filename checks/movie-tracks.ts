import {
  boxesIn,
  boxesOfType,
  boxesWithin,
  HEADER_BODY_BYTES,
  trackIdOf,
  type Box,
  type ReadBytes,
} from './boxes.ts'
import { numberIn } from './bytes.ts'
import { DOLBY_VISION_RECORDS, dolbyVisionIn, type DolbyVision } from './dolby-vision.ts'
import {
  equirectangular,
  eyesOfMode,
  fixedDegrees,
  sphereOf,
  STRAIGHT,
  type Bounds,
  type Eyes,
  type Immersive,
} from './immersive.ts'
import type { PictureTrack } from './picture-track.ts'

/** Side by side, in a file and in its descriptions: 4 MB of empty boxes take a second to read. */
const MAX_BOXES = 64
const MAX_DESCRIPTION_BYTES = 4 * 1024 ** 2
const MAX_XML_BYTES = 64 * 1024
/** What a visual sample entry has before its boxes (ISO/IEC 14496-12 §12.1.3). */
const VISUAL_ENTRY_BYTES = 78

/** The video tracks that the index of an MP4 or MOV describes. */
export async function tracksOfMovie(read: ReadBytes, sizeBytes: number): Promise<PictureTrack[]> {
  const top = await boxesWithin(read, 0, sizeBytes, MAX_BOXES)
  const index = top.find(({ type }) => type === 'moov')
  if (index === undefined) return []
  const tracks: PictureTrack[] = []
  for (const each of await boxesWithin(read, index.bodyStart, index.end, MAX_BOXES)) {
    const track = each.type === 'trak' ? await movieTrack(read, each) : null
    if (track !== null) tracks.push(track)
  }
  return tracks
}

async function movieTrack(read: ReadBytes, trak: Box): Promise<PictureTrack | null> {
  const parts = await boxesWithin(read, trak.bodyStart, trak.end, MAX_BOXES)
  const media = await within(read, parts, 'mdia')
  const handler = media.find(({ type }) => type === 'hdlr')
  const header = parts.find(({ type }) => type === 'tkhd')
  if (handler === undefined || header === undefined) return null
  const kind = await read(handler.bodyStart + 8, handler.bodyStart + 12)
  if (latin1(kind) !== 'vide') return null
  const table = await within(read, await within(read, media, 'minf'), 'stbl')
  const description = table.find(({ type }) => type === 'stsd')
  const bytes =
    description === undefined
      ? new Uint8Array()
      : await read(
          description.bodyStart,
          Math.min(description.end, description.bodyStart + MAX_DESCRIPTION_BYTES),
        )
  const found = partsOfEntry(bytes)
  return {
    id: trackIdOf(await read(header.bodyStart, header.bodyStart + HEADER_BODY_BYTES)),
    dolbyVision: dolbyVisionOf(found),
    immersive: immersiveOf(found, await oldNotes(read, parts)),
  }
}

const within = async (
  read: ReadBytes,
  boxes: readonly Box[],
  type: string,
): Promise<readonly Box[]> => await boxesOfType(read, boxes, type, MAX_BOXES)

/** The first box of a type, with its header; null where there is none, or it is cut off. */
type Parts = (type: string) => Uint8Array | null

const HEADER_BYTES = 8

/** The boxes of the first sample entry. */
function partsOfEntry(bytes: Uint8Array): Parts {
  const [entry] = boxesIn(bytes, 8, bytes.byteLength)
  return entry === undefined
    ? () => null
    : partsBetween(bytes, entry.bodyStart + VISUAL_ENTRY_BYTES, entry.end)
}

function partsBetween(bytes: Uint8Array, start: number, end: number): Parts {
  const last = Math.min(end, bytes.byteLength)
  const boxes = Array.from(boxesIn(bytes, start, last, MAX_BOXES))
  return (type) => {
    const found = boxes.find((each) => each.type === type)
    return found === undefined || found.end > last ? null : bytes.slice(found.start, found.end)
  }
}

function partsOf(bytes: Uint8Array | null): Parts {
  return bytes === null ? () => null : partsBetween(bytes, HEADER_BYTES, bytes.byteLength)
}

function dolbyVisionOf(parts: Parts): DolbyVision | null {
  for (const type of DOLBY_VISION_RECORDS) {
    const record = parts(type)
    if (record !== null) return dolbyVisionIn(record.subarray(HEADER_BYTES))
  }
  return null
}

/** The newer boxes count where a file has both. */
function immersiveOf(parts: Parts, old: Immersive | null): Immersive | null {
  const apple = appleView(partsOf(parts('vexu')))
  const mode = parts('st3d')?.[HEADER_BYTES + 4]
  const eyes = mode === undefined ? (old?.eyes ?? apple.eyes) : eyesOfMode(mode)
  const sphere = mapped(partsOf(parts('sv3d')), eyes) ?? old?.sphere ?? apple.sphere
  return eyes === 'one' && sphere === null ? null : { eyes, sphere }
}

function mapped(parts: Parts, eyes: Eyes): Immersive['sphere'] {
  const inside = partsOf(parts('proj'))
  const head = inside('prhd')
  const pose =
    head?.byteLength === 24 ? [12, 16, 20].map((at) => numberIn(head, at, at + 4) | 0) : STRAIGHT
  return sphereOf(inside('equi') ?? inside('cbmp') ?? inside('mshp'), pose, eyes)
}

/** `vexu` (Apple HEVC stereo video, 2023, and its projections, 2025). */
function appleView(parts: Parts): { readonly eyes: Eyes; readonly sphere: Immersive['sphere'] } {
  const word = (within: string, type: string): string | null => {
    const found = partsOf(parts(within))(type)
    return found === null ? null : latin1(found.subarray(12, 16))
  }
  const packing = word('pack', 'pkin')
  const views = partsOf(parts('eyes'))('stri')?.[12] ?? 0
  const unpacked = (views & 3) === 3 ? 'layers' : 'one'
  const eyes = packing === null ? unpacked : (APPLE_EYES[packing] ?? 'other')
  // The fourth bit says that the right eye comes first.
  const reversed = eyes === 'side-by-side' ? 'right-left' : 'other'
  const projection = word('proj', 'prji')
  return {
    eyes: packing !== null && (views & 8) !== 0 ? reversed : eyes,
    sphere: projection === null ? null : appleSphere(projection),
  }
}

const APPLE_EYES: Readonly<Record<string, Eyes>> = { side: 'side-by-side', over: 'top-bottom' }

function appleSphere(projection: string): Immersive['sphere'] {
  if (projection === 'rect') return null
  const bounds = APPLE_BOUNDS[projection]
  return {
    part: projection === 'equi' ? 'whole' : 'half',
    pose: STRAIGHT,
    projection: bounds === undefined ? null : equirectangular(bounds),
  }
}

const HALF: Bounds = [0, 0, 2 ** 30, 2 ** 30]
const APPLE_BOUNDS: Readonly<Record<string, Bounds>> = { equi: [0, 0, 0, 0], hequ: HALF }

/** Spherical Video V1: XML in a `uuid` box of the track. */
const OLD_UUID = 'ffcc8263f8554a938814587a02521fdd'

async function oldNotes(read: ReadBytes, parts: readonly Box[]): Promise<Immersive | null> {
  for (const { type, bodyStart, end } of parts) {
    if (type !== 'uuid') continue
    const bytes = await read(bodyStart, Math.min(end, bodyStart + MAX_XML_BYTES))
    if (isSphericalNote(bytes)) return oldView(latin1(bytes.subarray(16)))
  }
  return null
}

/** Whether the body of a `uuid` box of a track is such a note. */
export function isSphericalNote(body: Uint8Array): boolean {
  const uuid = Array.from(body.subarray(0, 16), (byte) => byte.toString(16).padStart(2, '0'))
  return uuid.join('') === OLD_UUID
}

/** It knows maps only. */
function oldView(xml: string): Immersive | null {
  const text = (name: string): string =>
    new RegExp(`<GSpherical:${name}>\\s*([^<\\s]+)\\s*<`).exec(xml)?.[1] ?? ''
  if (text('Spherical').toLowerCase() !== 'true') return null
  /** What is left out before and behind what is shown, of 2^32. */
  const leftOut = (before: string, shown: string, whole: string): readonly [number, number] => {
    const [at, length, all] = [before, shown, whole].map((name) => Number(text(name))) as [
      number,
      number,
      number,
    ]
    const isCropped = length > 0 && at >= 0 && at + length <= all
    return isCropped ? [share(at / all), share(1 - (at + length) / all)] : [0, 0]
  }
  const [left, right] = leftOut(
    'CroppedAreaLeftPixels',
    'CroppedAreaImageWidthPixels',
    'FullPanoWidthPixels',
  )
  const [top, bottom] = leftOut(
    'CroppedAreaTopPixels',
    'CroppedAreaImageHeightPixels',
    'FullPanoHeightPixels',
  )
  const pose = ['Heading', 'Pitch', 'Roll'].map((turn) =>
    fixedDegrees(Number(text(`InitialView${turn}Degrees`))),
  )
  const eyes = OLD_EYES[text('StereoMode').toLowerCase()] ?? 'one'
  return { eyes, sphere: sphereOf(equirectangular([top, bottom, left, right]), pose, eyes) }
}

const OLD_EYES: Readonly<Record<string, Eyes>> = {
  'left-right': 'side-by-side',
  'top-bottom': 'top-bottom',
}

function share(part: number): number {
  return Math.round(part * 2 ** 32)
}

function latin1(bytes: Uint8Array): string {
  return new TextDecoder('latin1').decode(bytes)
}
