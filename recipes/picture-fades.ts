import { msOfFrames, type PieceShape } from './passage-steps.ts'

type Clock = Pick<PieceShape, 'frameRate'>

/**
 * Counts times in pictures, which `crossFade` needs of both of its inputs. With finer times ffmpeg
 * 5.1 lost the last picture of each fade and showed the one before it twice.
 */
export function countPictures({ frameRate }: Clock): string {
  return `settb=1/(${frameRate.text})`
}

/** Fades the first input into the second one: begins behind `at` pictures, and takes `frames`. */
export function crossFade(at: number, frames: number, shape: Clock): string {
  const seconds = (pictures: number): string => (msOfFrames(pictures, shape) / 1000).toFixed(6)
  return `xfade=transition=fade:duration=${seconds(frames)}:offset=${seconds(at)}`
}

/**
 * Lets the end of a stream of `frames` pictures fade into its own beginning, so that a player that
 * repeats the file shows no jump. To `[v]`, which begins behind what it fades back into and is
 * shorter by `fadeFrames`.
 */
export function closedLoop(frames: number, fadeFrames: number, shape: Clock): readonly string[] {
  return [
    'split[x][y]',
    `[x]trim=start_frame=${fadeFrames},setpts=PTS-STARTPTS[body]`,
    `[y]trim=end_frame=${fadeFrames}[head]`,
    `[body][head]${crossFade(frames - 2 * fadeFrames, fadeFrames, shape)},format=yuv420p[v]`,
  ]
}

/** The same where the end looks like the beginning: a fade of a face into itself is a ghost. */
export function cutLoop(fadeFrames: number): readonly string[] {
  return [`trim=start_frame=${fadeFrames},setpts=PTS-STARTPTS,format=yuv420p[v]`]
}

/** What `closedLoop` and `cutLoop` are made of. */
export const closedLoopFilters = ['split', 'trim', 'setpts', 'xfade', 'format'] as const
