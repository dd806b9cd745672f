import type { Stretch } from '#recipes/stretch.ts'
import { keepingPeople, withFraming, type ForPeople } from '#recipes/heads.ts'
import type { Passage } from '#recipes/passage-worth.ts'
import { pickFor } from '#recipes/pick-passages.ts'
import type { PlanContext, SourceProbe } from '#recipes/types.ts'
import type { ShortTrailerGifOptions } from './options.ts'

/** A frame of a GIF. */
const FRAME_MS = 80
/** Whole frames of a GIF: 15 of them. */
const CUT_MS = 1200
/** The closing moment stays longer: 25 frames. */
const CLOSING_MS = 2000
export const TRAILER_CUTS = 4
/** Where scenes close; left out unless the creator wants it in. */
const CLOSING_SHARE = 0.2
/** Of the closing passage before the chosen moment: what leads to it is worth showing. */
const LEAD_SHARE = 0.4

/** The moments, and how much is given for people. */
type Weighed = Pick<PlanContext, 'moments'> & { readonly people: ForPeople }

/**
 * What the GIF shows, in order of time. A video that is too short to choose from gives one passage.
 */
export function trailerPassages(
  source: SourceProbe,
  options: ShortTrailerGifOptions,
  { moments }: Pick<PlanContext, 'moments'>,
): readonly Passage[] {
  // All parts together: people may be seen in one of them only.
  const framed = withFraming(moments)
  return keepingPeople(framed, (people) =>
    passagesWorth(source, options, { moments: framed, people }),
  )
}

function passagesWorth(
  source: SourceProbe,
  { includeKumshot, momentMs }: ShortTrailerGifOptions,
  context: Weighed,
): readonly Passage[] {
  const openMs = source.durationMs * (1 - CLOSING_SHARE)
  if (!includeKumshot) return passagesIn(0, openMs, TRAILER_CUTS, context)
  if (momentMs === undefined)
    return [
      ...passagesIn(0, openMs, TRAILER_CUTS - 1, context),
      ...pickIn(openMs, source.durationMs, [CLOSING_MS], context),
    ]
  const { startMs, endMs } = closingStretch(source, momentMs)
  const closing = { startMs, durationMs: endMs - startMs }
  // The larger part of the video leads to the moment, or follows it.
  return startMs >= source.durationMs - endMs
    ? [...passagesIn(0, startMs, TRAILER_CUTS - 1, context), closing]
    : [closing, ...passagesIn(endMs, source.durationMs, TRAILER_CUTS - 1, context)]
}

/** What the GIF shows of the moment that the creator chose. */
export function closingStretch(source: Pick<SourceProbe, 'durationMs'>, momentMs: number): Stretch {
  const durationMs = Math.min(CLOSING_MS, source.durationMs)
  const startMs = Math.floor(
    Math.min(Math.max(0, momentMs - durationMs * LEAD_SHARE), source.durationMs - durationMs),
  )
  return { startMs, endMs: startMs + durationMs }
}

/**
 * Passages of one part of the source; a single one of all of it where it is too short for `count`.
 */
function passagesIn(
  fromMs: number,
  toMs: number,
  count: number,
  context: Weighed,
): readonly Passage[] {
  return pickIn(
    fromMs,
    toMs,
    Array.from({ length: count }, () => CUT_MS),
    context,
  )
}

function pickIn(
  fromMs: number,
  toMs: number,
  durationsMs: readonly number[],
  { moments, people }: Weighed,
): readonly Passage[] {
  const lengthMs = toMs - fromMs
  if (lengthMs < FRAME_MS) return []
  const inside = moments
    .filter(({ atMs }) => atMs >= fromMs && atMs < toMs)
    .map((moment) => ({ ...moment, atMs: moment.atMs - fromMs }))
  return pickFor(people, lengthMs, inside, durationsMs).map(({ startMs, durationMs }) => ({
    startMs: Math.floor(fromMs + startMs),
    // Whole frames: half a frame more than this part has would show what the next passage shows.
    durationMs: durationMs - (durationMs % FRAME_MS),
  }))
}
