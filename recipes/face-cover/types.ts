/**
 * Where faces are in a video, what a person decided of them, and what an edit covers. Times are
 * milliseconds of the source; places are shares (0..1) of the displayed picture, from its top left.
 */
import type { Stretch } from '#recipes/stretch.ts'

/** A rectangle of the picture: 0..1 each, and inside it. */
export interface FaceRectangle {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

/** Where a face is at one time. */
export interface FaceBox extends FaceRectangle {
  readonly atMs: number
}

/**
 * One face from where it appears to where it is lost, which never crosses a cut. `boxes` are in
 * order of time, at least one; between two the box moves linearly, before the first and after the
 * last it rests. `certainty` 0..1: the lowest are shown to a person first.
 */
export interface FaceTrack extends Stretch {
  /** 1 to 40 letters, digits and dashes; unique in its finding or review. */
  readonly id: string
  readonly boxes: readonly FaceBox[]
  readonly certainty: number
}

/** What the search found in a video; `shots` fill the whole of it in order, from cut to cut. */
export interface FaceFinding {
  readonly version: number
  readonly tracks: readonly FaceTrack[]
  readonly shots: readonly Stretch[]
}

/** What a person decided. The empty one covers every track of the finding and nothing else. */
export interface FaceReview {
  /** Ids of tracks that stay visible: no face, or a person who may be seen. */
  readonly uncovered: readonly string[]
  /** Drawn by hand. */
  readonly added: readonly FaceTrack[]
  /** Stretches in which the whole picture is covered. */
  readonly wholly: readonly Stretch[]
}

/** What an edit covers; made by `coverOf` only. `wholly` is in order, and none touches the next. */
export interface Cover {
  readonly tracks: readonly FaceTrack[]
  readonly wholly: readonly Stretch[]
}

/** The most of each that is stored. */
export const FACE_BOUNDS = {
  tracks: 2000,
  shots: 10_000,
  boxesOfTrack: 200,
  added: 500,
  wholly: 500,
} as const
