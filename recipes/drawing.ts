import type { Crop } from './crop-place.ts'
import type { FrameRate } from './encoding.ts'
import type { Matrix, Size } from './picture.ts'
import type { PlanFile, PlanStep, RecipePlan } from './types.ts'

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

/** What an edit of a whole video shows that lays a moving mark over it and changes nothing else. */
export interface MarkedDrawing {
  /** What the user downloads. */
  readonly fileName: string
  /** Of the finished picture. */
  readonly size: Size
  readonly matrix: Matrix
  readonly lengthMs: number
  /** Pictures at this rate; `own` = each picture of the source once, at its own time. */
  readonly timing: 'own' | 'steady'
  /** Of an edit with the source's own times, about how many pictures a second it has. */
  readonly frameRate: FrameRate
  readonly mark: DrawnMark
  /** Makes a file of the sound alone; null where the source has none. */
  readonly sound: RecipePlan | null
}

/**
 * [Note: a mark on any picture] What lays letters over a picture makes each value of it a share of
 * what it was, and something that is added. So the recipe's own filters draw the mark on a black
 * and on a white ground, and what becomes of both says what becomes of any picture, to the step.
 * Colours have a value for four pixels, so there are four of each: at an even place, one pixel
 * further right, one further down, and both.
 */
export interface DrawnMark {
  /** Of the pictures that it is drawn on, whose upper left corner it begins in. */
  readonly ground: Size
  /** Reads eight plain pictures, four black and four white, as the source; writes as many. */
  readonly step: PlanStep
  /** Written before the step. */
  readonly files: readonly PlanFile[]
  /** The scratch file that the step writes. */
  readonly pictures: string
  /** Kept free at each edge of the video, in pixels; it moves as `shareAt` says. */
  readonly margin: number
}
