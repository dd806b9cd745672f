import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { hasAlpha } from '#recipes/picture.ts'
import type { DrawnPart, PlanRun, SourceProbe } from '#recipes/types.ts'
import type { Ffmpeg } from '#server/media/ffmpeg.ts'
import { glance } from '#server/media/glance.ts'

/** The image, and the folder that gets what is measured. */
interface Sitter {
  readonly path: string
  readonly scratchDir: string
  readonly signal: AbortSignal
}

/** Points along each side. */
const POINTS = 256
/** Less is not seen: what a picture program leaves of a shadow. Of 255. */
const SEEN = 8
/** Rounding of the averages that a point is. */
const OPAQUE = 253

const ALPHA = { kind: 'output', name: 'alpha.gray' } as const

/**
 * Which part of an image is to be seen; null where its format has no transparency, and where it
 * cannot be read.
 */
export async function measureAlpha(
  ffmpeg: Ffmpeg,
  { path, scratchDir, signal }: Sitter,
  probe: SourceProbe,
): Promise<DrawnPart | null> {
  if (!hasAlpha(probe)) return null
  const file = join(scratchDir, ALPHA.name)
  const run: PlanRun = {
    inputs: [{ from: { kind: 'source' }, flags: ['-threads', '2'] }],
    args: [
      '-vf',
      `format=rgba,alphaextract,scale=${POINTS}:${POINTS}:flags=area,format=gray`,
      '-frames:v',
      '1',
      '-f',
      'rawvideo',
      ALPHA,
    ],
  }
  const end = await glance(ffmpeg, {
    ...run,
    pathOf: (place) => (place.kind === 'output' ? file : path),
    cwd: scratchDir,
    signal,
    maxFileBytes: POINTS * POINTS,
  })
  return end.ok ? drawnPart(await readFile(file)) : null
}

/** @param alpha a byte for each point, row by row */
function drawnPart(alpha: Uint8Array): DrawnPart {
  const seen = [...alpha.keys()].filter((at) => (alpha[at] ?? 0) >= SEEN)
  const across = reach(seen.map((at) => at % POINTS))
  const down = reach(seen.map((at) => Math.floor(at / POINTS)))
  return {
    x: across.from,
    y: down.from,
    width: across.length,
    height: down.length,
    isOpaque: alpha.every((each) => each >= OPAQUE),
  }
}

/** Where points lie, as shares of a side. */
function reach(points: readonly number[]): { readonly from: number; readonly length: number } {
  const [from, to] = points.reduce(
    ([least, most], each) => [Math.min(least, each), Math.max(most, each)],
    [POINTS, -1],
  )
  return to < from
    ? { from: 0, length: 0 }
    : { from: from / POINTS, length: (to - from + 1) / POINTS }
}
