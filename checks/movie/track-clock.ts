import type { MovieTrack } from './movie-index.ts'
import { at, type SampleTables } from './sample-tables.ts'

/** Decoders of AAC need some packets of 21 to 85 ms before the first one that is heard. */
export const SOUND_BEFORE_S = 0.3

/** The first of these is shown first, in whatever order they are stored. */
const FIRST_SAMPLES = 32

/** When a track begins, by the clock of the file, which its edit lists make. */
export function firstShownS({ edit, tables, timeScale }: MovieTrack): number {
  return edit === null ? Math.min(...shownTimes(tables, FIRST_SAMPLES)) / timeScale : edit.waitS
}

/** From the clock of the file. */
export function toTicks({ edit, timeScale }: MovieTrack, seconds: number): number {
  return (seconds - (edit?.waitS ?? 0)) * timeScale + (edit?.mediaStart ?? 0)
}

export function toSeconds({ edit, timeScale }: MovieTrack, ticks: number): number {
  return (ticks - (edit?.mediaStart ?? 0)) / timeScale + (edit?.waitS ?? 0)
}

/** When the first samples are shown, or all, as they are stored; in one go, unlike `shownAt`. */
export function shownTimes({ clock, offsets, count }: SampleTables, most = count): Float64Array {
  const shown = new Float64Array(Math.min(count, most))
  let [ofClock, ofOffsets, decoded] = [0, 0, 0]
  for (let sample = 0; sample < shown.length; sample += 1) {
    while (sample >= (clock.firsts[ofClock + 1] ?? count)) ofClock += 1
    if (offsets !== null) while (sample >= (offsets.firsts[ofOffsets + 1] ?? count)) ofOffsets += 1
    shown[sample] = decoded + (offsets === null ? 0 : at(offsets.values, ofOffsets))
    decoded += at(clock.deltas, ofClock)
  }
  return shown
}
