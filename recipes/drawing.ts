import type { Crop } from './crop-place.ts'
import type { FrameRate } from './encoding.ts'
import type { Matrix, Size } from './picture.ts'

/**
 * What an edit of passages shows, in pictures and times, without a word of how it is made. Its
 * plan, its timeline and its preview follow from it (`drawing-steps.ts`).
 */
export interface Drawing {
  /** Names the output and what the user downloads. */
  readonly slug: string
  readonly buttonText: string
  /** Of the finished picture. */
  readonly size: Size
  readonly frameRate: FrameRate
  readonly matrix: Matrix
  readonly passages: readonly DrawnPassage[]
  readonly joints: Fades | Cuts
}

/** A passage of the source in whole pictures. */
export interface DrawnPassage {
  readonly startMs: number
  readonly frames: number
  /** The part of the picture that is shown; left out = all of it. */
  readonly crop?: Crop
  /**
   * Where others fade, a cut leads to the next passage, which then begins where its fade would have
   * ended: all of it lies where it did.
   */
  readonly isCutNext?: boolean
}

/**
 * Neighbours overlap by `frames` pictures and fade into each other; the last one fades into black.
 */
export interface Fades {
  readonly kind: 'fades'
  readonly frames: number
}

/** Hard cuts, between assets of the creator. */
export interface Cuts {
  readonly kind: 'cuts'
  readonly introMediaAssetIds: readonly string[]
  readonly outroMediaAssetIds: readonly string[]
  /** A track below the passages, and how much of it is heard; null = none. */
  readonly music: { readonly trackId: string; readonly lengthMs: number } | null
}
