import { namesMoments } from '#recipes/moment-choice.ts'
import { findRecipe } from '#recipes/presets.ts'
import { SECRET_OF_NO_UPLOAD } from '#recipes/secret.ts'
import type { Stretch } from '#recipes/stretch.ts'
import { holdAll, stretchesRead } from '#recipes/stretches-read.ts'
import type { SourceProbe } from '#recipes/types.ts'
import type { TaskRequest } from './task-requests.ts'

/** The edits that can be made of an excerpt, and what they show of the video. */
export interface ExcerptNeed {
  readonly slugs: readonly string[]
  /** In order of their time, without overlaps. */
  readonly stretches: readonly Stretch[]
}

/** One of them. */
export interface EarlyEdit {
  readonly slug: string
  readonly stretches: readonly Stretch[]
}

/**
 * The server plans from what it finds itself, which differs from what this device found by less: a
 * passage begins with a picture, and which one is next follows the rate.
 */
const SLACK_MS = 100
/** As many as the server takes. */
const MOST_STRETCHES = 300

/**
 * What of a video these edits read, as far as they can be made before it has arrived: those whose
 * moments are chosen, because the search needs the whole, and of which no asset has to be known.
 * @param hasFixedPrice whether the edit costs the same for every video: other prices need the whole
 */
export function earlyEdits(
  requests: readonly TaskRequest[],
  source: SourceProbe,
  hasFixedPrice: (slug: string) => boolean,
): readonly EarlyEdit[] {
  return requests.flatMap(({ mediaJobTaskPresetSlug: slug, payload }) => {
    if (!hasFixedPrice(slug) || !namesMoments(payload)) return []
    const recipe = findRecipe(slug)
    const plan = recipe?.plan(source, payload, {
      moments: [],
      assets: [],
      secret: SECRET_OF_NO_UPLOAD,
    })
    const stretches = plan?.ok === true ? stretchesRead(plan.value) : null
    return stretches === null ? [] : [{ slug, stretches }]
  })
}

/** Those that no excerpt holds whole: an edit is made of one file. */
export function notHeld(
  edits: readonly EarlyEdit[],
  held: readonly (readonly Stretch[])[],
): readonly EarlyEdit[] {
  return edits.filter(({ stretches }) => !held.some((each) => holdAll(each, stretches)))
}

/** What one excerpt has to hold for these edits; null for none, and where that is no excerpt. */
export function excerptNeed(edits: readonly EarlyEdit[]): ExcerptNeed | null {
  const stretches = joined(edits.flatMap((each) => each.stretches).map(widened))
  return stretches.length === 0 || stretches.length > MOST_STRETCHES
    ? null
    : { slugs: edits.map(({ slug }) => slug), stretches }
}

function joined(stretches: readonly Stretch[]): readonly Stretch[] {
  const inOrder = stretches.toSorted((a, b) => a.startMs - b.startMs)
  return inOrder.reduce<readonly Stretch[]>((done, each) => {
    const last = done.at(-1)
    if (last === undefined || each.startMs > last.endMs) return [...done, each]
    const endMs = Math.max(last.endMs, each.endMs)
    return [...done.slice(0, -1), { startMs: last.startMs, endMs }]
  }, [])
}

/** With the slack on both sides; a stretch may end after the video. */
function widened({ startMs, endMs }: Stretch): Stretch {
  return { startMs: Math.max(0, startMs - SLACK_MS), endMs: endMs + SLACK_MS }
}
