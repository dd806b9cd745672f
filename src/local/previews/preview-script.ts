import { pixelsASecond } from './decode-cost.ts'
import type { PreviewFailure } from './preview.ts'
import { namesMoments } from '#recipes/moment-choice.ts'
import type { Size } from '#recipes/picture.ts'
import { findRecipe } from '#recipes/presets.ts'
import { SECRET_OF_NO_UPLOAD } from '#recipes/secret.ts'
import type { Recipe } from '#recipes/recipe.ts'
import type {
  Moment,
  PlannedOutput,
  PreviewWindow,
  SourceProbe,
  TimelinePassage,
} from '#recipes/types.ts'
import { err, ok, type Result } from '#src/lib/result.ts'

/** One thing to look at or listen to. */
export interface PreviewItem {
  readonly id: string
  readonly window: PreviewWindow
  readonly kind: PlannedOutput['kind']
  /** Its files: several where they are made at once. */
  readonly files: readonly PreviewFile[]
}

export interface PreviewFile {
  /** Of the planned output. */
  readonly output: string
  /** What the finished edit calls it ('square GIF'); null for one of several passages or places. */
  readonly name: string | null
}

/**
 * How an edit is previewed. `places`: the whole video, seen at a few places. `moments`: passages of
 * the source that make one video. `gallery`: files of their own. `sound`: before and after.
 */
export interface PreviewScript {
  readonly kind: 'places' | 'moments' | 'gallery' | 'sound'
  readonly items: readonly PreviewItem[]
  /** The shape of what an edit cuts out of the picture; null where it shows all of it. */
  readonly part: Size | null
  /** What of the source the edit shows, in its order; empty when it shows all of it. */
  readonly passages: readonly TimelinePassage[]
  /** The server looks at the video for better moments: here they are spaced evenly. */
  readonly areMomentsChosenLater: boolean
}

/**
 * What moving files of a gallery may cost one by one, each with a moment of its own: 720p does,
 * Full HD does not (9 s).
 */
const ONE_BY_ONE_PX = 600_000_000
/** Else all of them are made of one moment, which is decoded once: so much of it. */
const TOGETHER_PX = 1_200_000_000
/**
 * Shares of the length where a whole video is looked at; the first and last seconds are often
 * black.
 */
const PLACES = [0.06, 0.5, 0.9] as const
/**
 * Pixels of H.264 that ffmpeg.wasm decodes and filters in the five seconds one waits for a preview
 * (measured with noise, which is slow).
 */
const DECODED_PX = 800_000_000
const SHORTEST_MS = 1_000
const NO_MOMENTS = { moments: [], assets: [], secret: SECRET_OF_NO_UPLOAD } as const

/**
 * What to preview of an edit, without running anything. Fails with `preview/none` for wrong options
 * too, in the recipe's words.
 * @param moments what the server found in the video; empty where that is not known
 */
export function previewScript(
  slug: string,
  source: SourceProbe,
  payload: unknown,
  moments: readonly Moment[] = [],
): Result<PreviewScript, PreviewFailure> {
  const recipe = findRecipe(slug)
  if (recipe?.preview === undefined) return err({ code: 'preview/none', message: null })
  const whole = { startMs: 0, durationMs: recipe.previewLimitMs }
  const sample = recipe.preview(source, payload, whole, NO_MOMENTS)
  const timeline = recipe.timeline?.(source, payload, { moments })
  if (!sample.ok || timeline?.ok === false)
    return err({ code: 'preview/none', message: sample.ok ? null : sample.error.message })
  const [first] = sample.value.outputs
  const kind = first?.kind ?? 'video'
  const durationMs = windowMs(recipe, source, kind)
  const areMomentsChosenLater = recipe.usesMoments && moments.length === 0 && !namesMoments(payload)
  if (timeline === undefined) {
    const shares = kind === 'audio' ? [0.5] : PLACES
    const items = shares.map((share, index): PreviewItem => ({
      id: `place-${index}`,
      kind,
      files: [],
      window: { startMs: Math.max(0, source.durationMs * share - durationMs / 2), durationMs },
    }))
    return ok({
      kind: kind === 'audio' ? 'sound' : 'places',
      items,
      part: null,
      passages: [],
      areMomentsChosenLater,
    })
  }
  const passages = timeline.value
  const outputs = new Set(passages.map(({ output }) => output))
  const named = outputs.size > 1 ? outputsOf(recipe, source, payload) : []
  const items = passages.map(({ startMs, endMs, output }, index): PreviewItem => {
    const planned = named.find(({ name }) => name === output)
    return {
      id: `moment-${index}`,
      kind: planned?.kind ?? kind,
      files: [{ output, name: planned?.buttonText.replace(/^Download /, '') ?? null }],
      window: { startMs, durationMs: Math.min(durationMs, Math.max(0, endMs - startMs)), output },
    }
  })
  const part = partOf(recipe, source, payload)
  if (outputs.size < 2) return ok({ kind: 'moments', part, passages, areMomentsChosenLater, items })
  // Without a name the recipe makes all that it can make at once; chosen moments are shown as such.
  const isOneRun = areMomentsChosenLater && sample.value.outputs.length === items.length
  return ok({
    kind: 'gallery',
    part,
    passages,
    areMomentsChosenLater,
    items:
      isOneRun && costPx(items, source) > ONE_BY_ONE_PX ? [together(recipe, source, items)] : items,
  })
}

/** As it is of any passage. */
function partOf(recipe: Recipe, source: SourceProbe, payload: unknown): Size | null {
  const drawing = recipe.drawing?.(source, payload, NO_MOMENTS)
  if (drawing?.ok !== true) return null
  const { passages, size } = drawing.value
  return passages.some(({ crop }) => crop !== undefined) ? size : null
}

function costPx(items: readonly PreviewItem[], source: SourceProbe): number {
  return (
    (pixelsASecond(source) * items.reduce((sum, { window }) => sum + window.durationMs, 0)) / 1_000
  )
}

/** All files of one moment in the middle. */
function together(recipe: Recipe, source: SourceProbe, items: readonly PreviewItem[]): PreviewItem {
  const middle = items[Math.floor(items.length / 2)]
  const window = {
    startMs: middle?.window.startMs ?? 0,
    durationMs: windowMs(recipe, source, 'video', TOGETHER_PX),
  }
  return {
    id: 'together',
    kind: middle?.kind ?? 'video',
    files: items.flatMap(({ files }) => files),
    window,
  }
}

function outputsOf(
  recipe: Recipe,
  source: SourceProbe,
  payload: unknown,
): readonly PlannedOutput[] {
  const plan = recipe.plan(source, payload, NO_MOMENTS)
  return plan.ok ? plan.value.outputs : []
}

/** Shorter where much has to be decoded, so that the wait is no longer than for HD. */
function windowMs(
  recipe: Recipe,
  source: SourceProbe,
  kind: PlannedOutput['kind'],
  decodedPx = DECODED_PX,
): number {
  const limitMs = Math.min(recipe.previewLimitMs, source.durationMs)
  if (kind === 'audio') return limitMs
  const decodableMs = (decodedPx / pixelsASecond(source)) * 1_000
  return Math.min(limitMs, Math.max(SHORTEST_MS, Math.round(decodableMs)))
}
