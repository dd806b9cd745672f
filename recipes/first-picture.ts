import type { PlanInput, SourceProbe } from './types.ts'

/**
 * [Note: first picture] All times of plans count from the first picture. Where sound comes before
 * it, as in trimmed videos of phones and in what camcorders divide into several files, edits begin
 * with the picture. A recording of a broadcast begins with its first key frame, because nothing
 * before that can be decoded. Up to this much later than the file, the picture stays where it is
 * and the edit shows it from its beginning on: encoders of sound begin with up to 2,112 samples
 * that players skip (AAC at 22 kHz: 96 ms), and Matroska moves the picture back by them.
 */
const LATE_START_MS = 100

type Start = Pick<SourceProbe, 'pictureStartMs'>

/** How much the file has before its first picture, in whole milliseconds. */
export function pictureStartMs(fileStartS: number, pictureStartS: number): number {
  return Math.max(0, Math.floor((pictureStartS - fileStartS) * 1000 + 1e-6))
}

/** How much later than the file all times of its edits begin. */
export function editsStartMs({ pictureStartMs: startMs = 0 }: Start): number {
  return startMs > LATE_START_MS ? startMs : 0
}

/** The input of a plan by the clock of its file, which `probe` is of. */
export function onFileClock<Input extends PlanInput>(input: Input, probe: Start): Input {
  const startMs = editsStartMs(probe)
  return startMs === 0 ? input : { ...input, seekMs: (input.seekMs ?? 0) + startMs }
}

/** Whether the picture comes a little after the beginning of an edit, which must begin with it. */
export function isLittleLate({ pictureStartMs: startMs = 0 }: Start): boolean {
  return startMs > 0 && startMs <= LATE_START_MS
}
