/**
 * Edits that are made on the device, as the page and the media worker speak of them.
 */
import type { ProbeFailure } from '#src/local/probe/report.ts'
import type { Moment, SourceProbe } from '#recipes/types.ts'

/** Which edit, with which options, of which video. Plain data. */
export interface MakeRequest {
  readonly slug: string
  readonly payload: unknown
  readonly source: SourceProbe
  /** What was found in the video; none = evenly spaced, where `payload` names no moments. */
  readonly moments: readonly Moment[]
}

/**
 * What this device can do with an edit: make it in full size, make it at 720p, make it slowly
 * (without the browser's codecs), or leave it to the server.
 */
export type MakeRung =
  | { readonly kind: 'now' | 'now-small' | 'now-slow' }
  | { readonly kind: 'server'; readonly why: LeftToServer }

/** Why an edit is left to the server. */
export type LeftToServer =
  /** A promise about identity, or a recipe without a drawing. */
  | 'never-here'
  /** An asset or a track that lies at the server. */
  | 'needs-server-files'
  /** More than 90 s of output, or more than 20 s without the browser's codecs. */
  | 'too-long'
  /** Neither the browser nor ffmpeg.wasm decodes the video here, or not as it must be shown. */
  | 'no-decoder'
  | 'no-encoder'
  | 'too-little-memory'

/** The ways in which this device makes edits itself. */
export type OwnRung = Exclude<MakeRung['kind'], 'server'>

/** Of one call that makes an edit. */
export interface MakeOptions {
  /** Made by the caller; names the work for `cancel`, and the pieces that are kept of it. */
  readonly id: string
  /** Tells the bytes of the video from all others. */
  readonly bytesKey: string
  /** Of which rung there are kept pieces: the best one to begin with. Null for none. */
  readonly from: OwnRung | null
  /** Begins one rung lower, where there is one: the worker died on the other. */
  readonly isLower: boolean
}

/**
 * [Note: kept pieces] What each passage of an edit is encoded to, its sound, and what each step of
 * a still or a GIF writes is a piece of it, finished by itself. The page keeps pieces until the
 * edit is whole, so that what ends in the middle goes on with the next one, to the same bytes. A
 * piece is used only where everything is equal that it was made of: its name begins with a hash of
 * the video, of what is drawn, of the encoder's settings, of the code and of the browser.
 */
export interface MakePieces {
  /** Null where it is not kept. */
  read(name: string): Promise<Blob | null>
  /** Best effort; pieces whose name begins otherwise are removed. */
  keep(name: string, piece: Blob, stand: PieceStand): Promise<void>
}

/** How far an edit is with a piece. */
export interface PieceStand {
  readonly rung: OwnRung
  /** Null for a piece that is none of those that are counted. */
  readonly progress: MakeProgress | null
}

export interface MakeProgress {
  /** 0 to 1. */
  readonly share: number
  /** From 1; of `passages`. */
  readonly passage: number
  readonly passages: number
}

/** A finished file. */
export interface MadeFile {
  readonly fileName: string
  readonly contentType: string
  readonly blob: Blob
}

export type MakeFailure =
  | ProbeFailure
  /** It cannot be made here at all. */
  | { readonly code: 'make/left-to-server'; readonly why: LeftToServer }
  /** A decoder or an encoder gave up, on every rung that was left. */
  | { readonly code: 'make/codec-failed' }
