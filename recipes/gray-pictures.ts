import type { PlanRun, SourceProbe } from './types.ts'

/** How the pictures of a place are taken: single points of each, and so many one after another. */
export interface GrayLook {
  readonly width: number
  readonly height: number
  readonly pictures: number
}

/** Shares of the length at which pictures are taken. */
const PLACES = [0.1, 0.3, 0.5, 0.7, 0.9] as const

/** The scratch file that each run writes: one byte a point, one picture behind another. */
export const GRAY_FILE = 'gray.raw'

/** The most bytes that a run writes. */
export function grayBytes({ width, height, pictures }: GrayLook): number {
  return width * height * pictures
}

/** Runs that write the pictures of one place each into `GRAY_FILE`. */
export function grayRuns(
  { durationMs }: Pick<SourceProbe, 'durationMs'>,
  { width, height, pictures }: GrayLook,
): readonly PlanRun[] {
  return PLACES.map((share) => ({
    inputs: [{ from: { kind: 'source' }, seekMs: Math.floor(durationMs * share) }],
    args: [
      '-map',
      '0:V:0',
      '-vf',
      `scale=${width}:${height}:flags=neighbor,format=gray`,
      '-frames:v',
      String(pictures),
      '-fps_mode',
      'passthrough',
      '-f',
      'rawvideo',
      { kind: 'scratch', name: GRAY_FILE },
    ],
  }))
}
