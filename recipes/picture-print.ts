import type { Stretch } from './stretch.ts'
import type { PlanArg, PlanRun } from './types.ts'

/**
 * [Note: picture prints] What a video is recognised by when it was encoded, scaled or cut again:
 * the brightness of 16 by 9 parts of its pictures, whatever its shape. Of a video that is held or
 * removed one picture a second is kept; of a new one a few short spans are looked at, with more
 * pictures, so that one of each span is near to a kept one however the two lie in time.
 */
const COLUMNS = 16
const ROWS = 9
/** Bytes of one picture. */
export const PRINT_BYTES = COLUMNS * ROWS

/** The scratch file that a run writes for one of its parts. */
export const printsOf = (index: number): string => `prints-${index}.raw`

/** A part of a video. */
export interface PrintPart {
  readonly startMs: number
  readonly durationMs: number
}

const PART_MS = 60_000

/**
 * The parts in which a whole video is read: every 16th first, then those between, so that a reading
 * that runs out of time has seen parts of all of it.
 */
export function printParts(durationMs: number): readonly PrintPart[] {
  const parts = Array.from({ length: Math.ceil(durationMs / PART_MS) }, (_, index) => ({
    startMs: index * PART_MS,
    durationMs: Math.min(PART_MS, durationMs - index * PART_MS),
  }))
  return [0, 8, 4, 12, 2, 10, 6, 14, 1, 9, 5, 13, 3, 11, 7, 15].flatMap((rest) =>
    parts.filter((_, index) => index % 16 === rest),
  )
}

/** Spans of a new video that are looked at. */
const SPANS = 24
/** Time between two pictures of a span. */
export const STEP_MS = 200
/** Pictures of a span, of which one is near to a kept one. */
export const SPAN_PICTURES = 1000 / STEP_MS

/** The spans of a new video, one in each of equal stretches; a short one has fewer. */
export function printSpans(durationMs: number): readonly PrintPart[] {
  const spanMs = SPAN_PICTURES * STEP_MS
  const count = Math.min(SPANS, Math.floor(durationMs / spanMs))
  return Array.from({ length: count }, (_, index) => {
    const middleMs = ((index + 0.5) * durationMs) / count
    return {
      startMs: Math.max(0, Math.floor((middleMs - spanMs / 2) / STEP_MS) * STEP_MS),
      durationMs: spanMs,
    }
  })
}

/** The same of a video of which only some stretches are there. */
export function printSpansWithin(stretches: readonly Stretch[]): readonly PrintPart[] {
  const durationMs = SPAN_PICTURES * STEP_MS
  const all = stretches.flatMap(({ startMs, endMs }) => {
    const firstMs = Math.ceil(startMs / STEP_MS) * STEP_MS
    const count = Math.max(0, Math.floor((endMs - firstMs) / durationMs))
    return Array.from({ length: count }, (_, index) => firstMs + index * durationMs)
  })
  const count = Math.min(SPANS, all.length)
  return Array.from({ length: count }, (_, index) => ({
    startMs: all[Math.floor(((index + 0.5) * all.length) / count)] ?? 0,
    durationMs,
  }))
}

/**
 * Skips frames that no other frame needs (`noref`) and the deblocking filter: neither shows in a
 * print of 16 by 9 parts.
 */
const QUICKLY = ['-skip_frame:v', 'noref', '-skip_loop_filter:v', 'all', '-sn', '-dn'] as const

/** A run of ffmpeg that writes the pictures of each part, and the most bytes of one of them. */
export function planPrints(
  parts: readonly PrintPart[],
  stepMs: number,
): PlanRun & { readonly maxBytes: number } {
  const longestMs = Math.max(...parts.map(({ durationMs }) => durationMs))
  return {
    inputs: parts.map(({ startMs, durationMs }) => ({
      from: { kind: 'source' },
      seekMs: startMs,
      durationMs,
      flags: QUICKLY,
    })),
    args: parts.flatMap((_, index): readonly PlanArg[] => [
      '-map',
      `${index}:V:0`,
      '-vf',
      `fps=${1000 / stepMs}:start_time=0,scale=${COLUMNS}:${ROWS}:flags=area,format=gray`,
      '-f',
      'rawvideo',
      { kind: 'scratch', name: printsOf(index) },
    ]),
    maxBytes: (Math.ceil(longestMs / stepMs) + 2) * PRINT_BYTES,
  }
}
