import type { PlanRun, SourceProbe } from './types.ts'

/** How the pictures of a place are taken: single points of each, and how many pictures in a row. */
export interface GrayLook {
  readonly width: number
  readonly height: number
  readonly pictures: number
}

/** Shares of the length at which pictures are taken. */
const PLACES = [0.1, 0.3, 0.5, 0.7, 0.9] as const

/** The most bytes that one of its files has. */
export function grayBytes({ width, height, pictures }: GrayLook): number {
  return width * height * pictures
}

/** The places of a source at which pictures are taken. In ms. */
export function grayPlaces({ durationMs }: Pick<SourceProbe, 'durationMs'>): readonly number[] {
  return PLACES.map((share) => Math.floor(durationMs * share))
}

/** The scratch file of a look at one place of a run: one byte a point, picture after picture. */
export function grayFile(place: number, look: number): string {
  return `gray-${place}-${look}.raw`
}

/** A run that writes the pictures of some places, as each look wants them. */
export function grayRun(placesMs: readonly number[], looks: readonly GrayLook[]): PlanRun {
  return {
    inputs: placesMs.map((seekMs) => ({ from: { kind: 'source' }, seekMs })),
    args: placesMs.flatMap((_, place) =>
      looks.flatMap(({ width, height, pictures }, look) => [
        '-map',
        `${place}:V:0`,
        '-vf',
        `scale=${width}:${height}:flags=neighbor,format=gray`,
        '-frames:v',
        String(pictures),
        '-fps_mode',
        'passthrough',
        '-f',
        'rawvideo',
        { kind: 'scratch', name: grayFile(place, look) },
      ]),
    ),
  }
}
