import { box } from './boxes.ts'
import { joinedBytes, numbers, viewOf } from './bytes.ts'

/**
 * [Note: immersive pictures] VR180, 360 and 3D videos are ordinary videos of double or unwrapped
 * pictures. Boxes beside the description of the picture say how to look at them: `st3d` where the
 * two eyes are, `sv3d` what part of a sphere the picture covers (Spherical Video V2), or an older
 * `uuid` box with the same in XML, or Apple's `vexu`; Matroska has elements of its own. Without
 * them, players show the flat double picture. ffmpeg loses them where it encodes again through a
 * graph of filters, and reads no meshes and no `vexu`. So one reader for device and server reads
 * them (`picture-tracks.ts`), and the server writes them into what shows all of the picture
 * (`keep-immersive.ts`): always `st3d` and `sv3d`, which all players know, and never what else
 * stood beside them, since that names cameras and programs.
 */
export interface Immersive {
  readonly eyes: Eyes
  /** Null where the picture is flat and only has two eyes. */
  readonly sphere: Sphere | null
}

/**
 * Where the eyes are: halves of each picture, left or upper one for the left eye except in
 * `right-left`; where the mesh of its sphere has them; layers, of which only the first is decoded;
 * or laid in a way that has no box.
 */
export type Eyes =
  | 'one'
  | 'side-by-side'
  | 'right-left'
  | 'top-bottom'
  | 'by-mesh'
  | 'layers'
  | 'other'

export interface Sphere {
  readonly part: 'half' | 'whole'
  /** How it is turned: yaw, pitch and roll, in degrees times 65,536. */
  readonly pose: readonly number[]
  /** How it is laid flat: a whole box `equi`, `cbmp` or `mshp`; null where none of them says it. */
  readonly projection: Uint8Array | null
}

/** The same in words for people, and for rule A19. */
export interface ImmersiveKind {
  readonly kind: 'VR180' | '360' | '3D' | 'spatial'
  /** The picture shows everything twice, once for each eye. */
  readonly isDouble: boolean
  /** Edits of the whole video stay what it is. */
  readonly isKept: boolean
}

const NO_FLAGS = new Uint8Array(4)

const STEREO_MODES: Readonly<Partial<Record<Eyes, number>>> = {
  'top-bottom': 1,
  'side-by-side': 2,
  'by-mesh': 3,
  'right-left': 4,
}

/** Where the eyes are as `st3d` numbers it. */
export function eyesOfMode(mode: number): Eyes {
  if (mode === 0) return 'one'
  const [eyes] = Object.entries(STEREO_MODES).find(([, each]) => each === mode) ?? ['other']
  return eyes as Eyes
}

/** Turned to no side. */
export const STRAIGHT: Sphere['pose'] = [0, 0, 0]

/** A sphere by its box, which a stranger wrote: one of another size than it has is none. */
export function sphereOf(
  projection: Uint8Array | null,
  pose: Sphere['pose'],
  eyes: Eyes,
): Sphere | null {
  if (projection === null) return null
  const type = String.fromCharCode(...projection.subarray(4, 8))
  const size = PROJECTION_BYTES[type]
  if (size !== undefined && size !== projection.byteLength) return null
  return { part: partShown(type, projection, eyes), pose, projection }
}

/** Header, version and flags, and the numbers; a mesh has as many as it needs. */
const PROJECTION_BYTES: Readonly<Record<string, number>> = { equi: 28, cbmp: 20 }
/** Where `equi` says how much is left out at the left and at the right. */
const LEFT_AT = 20
const RIGHT_AT = 24
/** More of the width than this left out is one half of the sphere. */
const HALF_LEFT_OUT = 0.4 * 2 ** 32

/** Meshes do not say it: cameras with two eyes write them for VR180. */
function partShown(type: string, projection: Uint8Array, eyes: Eyes): Sphere['part'] {
  if (type === 'mshp') return eyes === 'one' ? 'whole' : 'half'
  const view = viewOf(projection)
  return type === 'equi' && view.getUint32(LEFT_AT) + view.getUint32(RIGHT_AT) > HALF_LEFT_OUT
    ? 'half'
    : 'whole'
}

export function kindOf({ eyes, sphere }: Immersive): ImmersiveKind {
  const isDouble = eyes !== 'one' && eyes !== 'layers'
  const kind =
    sphere === null ? (isDouble ? '3D' : 'spatial') : sphere.part === 'half' ? 'VR180' : '360'
  const hasEyes = !isDouble || STEREO_MODES[eyes] !== undefined
  const hasSphere = sphere === null ? isDouble : sphere.projection !== null
  return { kind, isDouble, isKept: hasEyes && hasSphere }
}

/** The boxes that say it, for the end of a sample entry. */
export function immersiveBoxes({ eyes, sphere }: Immersive): Uint8Array {
  const mode = STEREO_MODES[eyes]
  return joinedBytes([
    ...(mode === undefined ? [] : [box('st3d', NO_FLAGS, Uint8Array.of(mode))]),
    ...(sphere === null || sphere.projection === null
      ? []
      : [
          box(
            'sv3d',
            // An empty name of what made it.
            box('svhd', NO_FLAGS, Uint8Array.of(0)),
            box('proj', box('prhd', NO_FLAGS, numbers(sphere.pose)), sphere.projection),
          ),
        ]),
  ])
}

/** How much of a sphere is left out at each side: top, bottom, left, right, of 2^32. */
export type Bounds = readonly [top: number, bottom: number, left: number, right: number]

/** A box that lays the part of a sphere within these bounds flat, as maps do. */
export function equirectangular(bounds: Bounds): Uint8Array {
  return box('equi', NO_FLAGS, numbers(bounds))
}

/** Degrees as boxes have them. */
export function fixedDegrees(degrees: number): number {
  return Number.isFinite(degrees) ? Math.round(degrees * 65_536) : 0
}
