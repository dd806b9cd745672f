import { box, type ReadBytes } from './boxes.ts'
import { DOLBY_VISION_RECORDS, dolbyVisionIn, type DolbyVision } from './dolby-vision.ts'
import {
  childrenOf,
  elementAt,
  findElement,
  MOST_CHILDREN,
  textOf,
  valueOf,
  type Element,
} from './ebml.ts'
import { equirectangular, fixedDegrees, sphereOf, type Eyes, type Immersive } from './immersive.ts'
import type { PictureTrack } from './picture-track.ts'

const MAX_ELEMENTS = 64
/** Of one track: a record for Dolby Vision, and another for a second layer. */
const MAX_ADDITIONS = 4
const MAX_DESCRIPTION_BYTES = 4 * 1024 ** 2
const [CLUSTER, TRACKS, ENTRY, NUMBER, TYPE, VIDEO] = [
  0x1f43b675, 0x1654ae6b, 0xae, 0xd7, 0x83, 0xe0,
]
const [STEREO, PROJECTION, PROJECTION_TYPE, PROJECTION_PRIVATE] = [0x53b8, 0x7670, 0x7671, 0x7672]
const POSE = [0x7673, 0x7674, 0x7675] as const
const [ADDITION, ADDITION_TYPE, ADDITION_DATA] = [0x41e4, 0x41e7, 0x41ed]
const ELEMENT_BYTES = 16
/** Projections and their boxes (RFC 9559 §5.1.4.1.28.42). */
const PROJECTIONS: readonly (string | null)[] = [null, 'equi', 'cbmp', 'mshp']

/**
 * The video tracks of a Matroska or WebM file, whose descriptions come before its first cluster.
 */
export async function tracksOfSegment(read: ReadBytes, sizeBytes: number): Promise<PictureTrack[]> {
  const header = elementAt(await read(0, ELEMENT_BYTES), 0)
  if (header?.end == null) return []
  const segment = elementAt(await read(header.end, header.end + ELEMENT_BYTES), 0)
  if (segment === null) return []
  let at = header.end + segment.bodyStart
  for (let count = 0; count < MAX_ELEMENTS && at < sizeBytes; count += 1) {
    const element = elementAt(await read(at, at + ELEMENT_BYTES), 0)
    if (element?.end == null || element.id === CLUSTER) return []
    if (element.id === TRACKS) {
      const length = Math.min(element.end, MAX_DESCRIPTION_BYTES)
      return segmentTracks(await read(at + element.bodyStart, at + length))
    }
    at += element.end
  }
  return []
}

function segmentTracks(bytes: Uint8Array): PictureTrack[] {
  const all = { id: TRACKS, bodyStart: 0, end: bytes.byteLength }
  return Array.from(childrenOf(bytes, all, MOST_CHILDREN)).flatMap((entry) =>
    entry.id === ENTRY && valueOf(bytes, entry, TYPE) === 1
      ? {
          id: valueOf(bytes, entry, NUMBER) ?? 0,
          dolbyVision: additionOf(bytes, entry),
          immersive: segmentView(bytes, findElement(bytes, entry, VIDEO)),
        }
      : [],
  )
}

function additionOf(bytes: Uint8Array, entry: Element): DolbyVision | null {
  const additions = Array.from(childrenOf(bytes, entry, MOST_CHILDREN)).filter(
    ({ id }) => id === ADDITION,
  )
  for (const addition of additions.slice(0, MAX_ADDITIONS)) {
    if (DOLBY_VISION_RECORDS.has(textOf(bytes, addition, ADDITION_TYPE)))
      return dolbyVisionIn(bodyOf(bytes, findElement(bytes, addition, ADDITION_DATA)))
  }
  return null
}

function segmentView(bytes: Uint8Array, video: Element | null): Immersive | null {
  if (video === null) return null
  const eyes = SEGMENT_EYES[valueOf(bytes, video, STEREO) ?? 0] ?? 'other'
  const projection = findElement(bytes, video, PROJECTION)
  const sphere = projection === null ? null : segmentSphere(bytes, projection, eyes)
  return eyes === 'one' && sphere === null ? null : { eyes, sphere }
}

/** Of the layouts that RFC 9559 numbers (§5.1.4.1.28.3), those that have a box. */
const SEGMENT_EYES: Readonly<Record<number, Eyes>> = {
  0: 'one',
  1: 'side-by-side',
  3: 'top-bottom',
  11: 'right-left',
  // Both eyes one after another in one block, of which decoders show the first.
  13: 'layers',
  14: 'layers',
}

function segmentSphere(bytes: Uint8Array, projection: Element, eyes: Eyes): Immersive['sphere'] {
  const type = PROJECTIONS[valueOf(bytes, projection, PROJECTION_TYPE) ?? 0]
  if (type === null || type === undefined) return null
  const body = bodyOf(bytes, findElement(bytes, projection, PROJECTION_PRIVATE))
  // A map without bounds is a whole one.
  const isWhole = body.byteLength === 0 && type === 'equi'
  return sphereOf(
    isWhole ? equirectangular([0, 0, 0, 0]) : box(type, body),
    POSE.map((id) => fixedDegrees(floatOf(bodyOf(bytes, findElement(bytes, projection, id))))),
    eyes,
  )
}

function bodyOf(bytes: Uint8Array, element: Element | null): Uint8Array {
  return element === null || element.end === null
    ? new Uint8Array()
    : bytes.slice(element.bodyStart, element.end)
}

function floatOf(bytes: Uint8Array): number {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (bytes.byteLength === 4) return view.getFloat32(0)
  return bytes.byteLength === 8 ? view.getFloat64(0) : 0
}
