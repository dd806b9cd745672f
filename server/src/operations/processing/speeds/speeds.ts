import { sql } from 'drizzle-orm'
import { isReviewed } from '#recipes/face-cover/reviewed.ts'
import type { Recipe } from '#recipes/recipe.ts'
import type { SourceProbe } from '#recipes/types.ts'
import type { Ctx, ReadCtx } from '#server/context.ts'
import type { RenderSpeedRow, TaskRow } from '#server/db/rows.ts'
import { renderSpeeds } from '#server/db/schema.ts'
import { estimateFacesS, estimateSearchS } from '#server/operations/media/media-jobs/cost.ts'

/**
 * Renders of one recipe and size that are remembered, the newest. Their median is the speed: one
 * that ran beside a backup moves it little, and another machine is learned within eight.
 */
const REMEMBERED = 15
/** Fewer than this say nothing. */
const LEAST_LEARNED = 3
const SEARCH = 'search'
const FACES = 'faces'

type LearnCtx = Pick<Ctx, 'db' | 'clock' | 'log'>
type PictureSize = RenderSpeedRow['pictureSize']

/** How long work takes on this server, by what it has measured of itself. */
export interface Speeds {
  /** Seconds that a render will take beside what else runs; null while nothing was learned. */
  readonly renderS: (work: Work) => number | null
  /** The same of the search for moments. */
  readonly searchS: (source: SourceProbe) => number | null
  /** The same of the search for faces, with all that a person needs to review them. */
  readonly facesS: (source: SourceProbe) => number | null
  /** For work of others of which nothing was learned: as fast as all that was. */
  readonly guessS: (work: Work) => number
  readonly guessFacesS: (source: SourceProbe) => number
}

/** An edit and its estimated processor seconds, with those of the searches before it. */
interface Work {
  readonly recipe: Pick<Recipe, 'slug' | 'usesMoments'>
  readonly costS: number
  readonly source: SourceProbe
}

/** Learns from a render that has succeeded. A failure to learn fails no edit. */
export async function learnRender(
  ctx: LearnCtx,
  {
    task: { costS },
    recipe,
    source,
    begunAt,
  }: {
    readonly task: Pick<TaskRow, 'costS'>
    readonly recipe: Recipe
    readonly source: SourceProbe
    readonly begunAt: number
  },
): Promise<void> {
  if (costS === null) return
  const costOfRender = renderCostS({ recipe, costS, source })
  await learn(ctx, { work: recipe.slug, source, costS: costOfRender, begunAt })
}

/** Learns from a search for moments that has ended. */
export async function learnSearch(
  ctx: LearnCtx,
  { source, begunAt }: { readonly source: SourceProbe; readonly begunAt: number },
): Promise<void> {
  await learn(ctx, { work: SEARCH, source, costS: estimateSearchS(source), begunAt })
}

/** Learns from a search for faces that was made from its beginning and has ended. */
export async function learnFaces(
  ctx: LearnCtx,
  { source, begunAt }: { readonly source: SourceProbe; readonly begunAt: number },
): Promise<void> {
  await learn(ctx, { work: FACES, source, costS: estimateFacesS(source), begunAt })
}

async function learn(
  ctx: LearnCtx,
  {
    work,
    source,
    costS,
    begunAt,
  }: {
    readonly work: string
    readonly source: SourceProbe
    readonly costS: number
    readonly begunAt: number
  },
): Promise<void> {
  const learnedAt = ctx.clock()
  const ratio = (learnedAt.getTime() - begunAt) / 1000 / costS
  if (!Number.isFinite(ratio) || ratio <= 0) return
  const newest = sql`(array[${ratio}::double precision] || ${renderSpeeds.ratios})[1:${sql.raw(String(REMEMBERED))}]`
  try {
    await ctx.db
      .insert(renderSpeeds)
      .values({ work, pictureSize: pictureSizeOf(source), ratios: [ratio], learnedAt })
      .onConflictDoUpdate({
        target: [renderSpeeds.work, renderSpeeds.pictureSize],
        set: { ratios: newest, learnedAt },
      })
  } catch (error) {
    ctx.log.warn('speed-not-learned', { work, error })
  }
}

/** What the server has learned of itself. */
export async function readSpeeds(ctx: Pick<ReadCtx, 'db'>): Promise<Speeds> {
  return speedsOf(await ctx.db.select().from(renderSpeeds))
}

/** The speeds that these rows tell. */
export function speedsOf(
  rows: readonly Pick<RenderSpeedRow, 'work' | 'pictureSize' | 'ratios'>[],
): Speeds {
  const all = medianOf(rows.flatMap(({ ratios }) => ratios)) ?? 1
  const ratioOf = (work: string, source: SourceProbe): number | null => {
    const own = rows.filter((row) => row.work === work)
    const size = pictureSizeOf(source)
    // Of another size it is nearly as fast for each estimated second.
    const nearest = own.find(({ pictureSize }) => pictureSize === size)?.ratios ?? []
    const ratios = nearest.length >= LEAST_LEARNED ? nearest : own.flatMap((row) => row.ratios)
    return ratios.length >= LEAST_LEARNED ? medianOf(ratios) : null
  }
  return {
    renderS: (work) => times(renderCostS(work), ratioOf(work.recipe.slug, work.source)),
    searchS: (source) => times(estimateSearchS(source), ratioOf(SEARCH, source)),
    facesS: (source) => times(estimateFacesS(source), ratioOf(FACES, source)),
    guessS: (work) => renderCostS(work) * (ratioOf(work.recipe.slug, work.source) ?? all),
    guessFacesS: (source) => estimateFacesS(source) * (ratioOf(FACES, source) ?? all),
  }
}

function times(costS: number, ratio: number | null): number | null {
  return ratio === null ? null : costS * ratio
}

/** The estimated processor seconds of an edit whose video was searched before. */
export function renderCostS({ recipe, costS, source }: Work): number {
  const searchS = recipe.usesMoments ? estimateSearchS(source) : 0
  const facesS = isReviewed(recipe.slug) ? estimateFacesS(source) : 0
  return Math.max(1, costS - searchS - facesS)
}

function pictureSizeOf({ width, height }: Pick<SourceProbe, 'width' | 'height'>): PictureSize {
  const shortSide = Math.min(width, height)
  if (shortSide <= 576) return 'sd'
  if (shortSide <= 800) return 'hd'
  return shortSide <= 1200 ? 'full-hd' : 'uhd'
}

function medianOf(numbers: readonly number[]): number | null {
  const sorted = numbers.toSorted((a, b) => a - b)
  const middle = sorted[Math.floor((sorted.length - 1) / 2)]
  const next = sorted[Math.ceil((sorted.length - 1) / 2)]
  return middle === undefined || next === undefined ? null : (middle + next) / 2
}
