import { ok, type Result } from '#recipes/result.ts'
import type { Stretch } from '#recipes/stretch.ts'
import { elementAt } from '#checks/ebml.ts'
import { isDecodableSound } from '#checks/tracks.ts'
import type { ComposedFile } from './composed-file.ts'
import { keyTimesMs } from './excerpt-samples.ts'
import { planExcerpt, type NoExcerpt } from './excerpt.ts'
import type { MovieBytes, NoIndex } from './movie-bytes.ts'
import { readMovieIndex, type MovieIndex } from './movie-index.ts'
import { cueTimesMs, planSegmentExcerpt } from './segment-excerpt.ts'
import { readSegmentIndex, type SegmentIndex } from './segment-index.ts'

/** What an excerpt is cut by, whatever the container of its whole. */
export interface VideoIndex {
  readonly pictures: number
  /** How many sounds edits can use. */
  readonly sounds: number
  /**
   * When the keys of the pictures are shown, in order, in milliseconds as edits count them; none
   * where each picture is one.
   */
  readonly keyTimesMs: () => readonly number[]
  /** The file that has these stretches, and the clock and the length of the whole. */
  readonly planExcerpt: (stretches: readonly Stretch[]) => Promise<Result<ComposedFile, NoExcerpt>>
}

/**
 * Reads the index of a file.
 * @param nextTask ends a task, so that none is long
 */
export async function readVideoIndex(
  source: MovieBytes,
  nextTask: () => Promise<void>,
): Promise<Result<VideoIndex, NoIndex>> {
  const first = await source.read(0, Math.min(16, source.sizeBytes))
  if (first.ok && elementAt(new Uint8Array(first.value), 0)?.id === EBML) {
    const segment = await readSegmentIndex(source, nextTask)
    return segment.ok ? ok(ofSegment(source, segment.value)) : segment
  }
  const movie = await readMovieIndex(source, nextTask)
  return movie.ok ? ok(ofMovie(movie.value, nextTask)) : movie
}

/** What Matroska and WebM begin with. */
const EBML = 0x1a45dfa3

function ofMovie(index: MovieIndex, nextTask: () => Promise<void>): VideoIndex {
  const { tracks } = index
  return {
    pictures: tracks.filter(({ kind }) => kind === 'picture').length,
    sounds: tracks.filter(({ kind, format }) => kind === 'sound' && isDecodableSound(format))
      .length,
    keyTimesMs: () => keyTimesMs(tracks),
    planExcerpt: async (stretches) => {
      await nextTask()
      return planExcerpt(index, stretches)
    },
  }
}

function ofSegment(source: MovieBytes, index: SegmentIndex): VideoIndex {
  const { tracks } = index
  return {
    pictures: tracks.filter(({ kind }) => kind === 'picture').length,
    sounds: tracks.filter((track) => track.isDecodableSound).length,
    keyTimesMs: () => cueTimesMs(index),
    planExcerpt: (stretches) => planSegmentExcerpt(source, index, stretches),
  }
}
