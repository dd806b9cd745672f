import { symlink } from 'node:fs/promises'
import { join } from 'node:path'
import type { FaceTrack } from '#recipes/face-cover/types.ts'
import { tracksOfHeads } from '#recipes/heads.ts'
import type { Recipe } from '#recipes/recipe.ts'
import type { Result } from '#recipes/result.ts'
import type { Stretch } from '#recipes/stretch.ts'
import type {
  AssetSource,
  Moment,
  MusicSource,
  PlanContext,
  RecipePlan,
  SourceProbe,
} from '#recipes/types.ts'
import type { Ctx } from '#server/context.ts'
import type { UploadRow } from '#server/db/rows.ts'
import type { Ffmpeg } from '#server/media/ffmpeg.ts'
import { renderPlan, type RenderPlaces } from '#server/media/render-plan.ts'
import type { FfmpegFailure } from '#server/media/run.ts'
import { readStoredMoments, readStoredProbe } from '#server/media/stored-probe.ts'
import { lendAll } from '#server/object-store/copies.ts'
import { beatsOf } from '#server/operations/core/music-tracks/learn.ts'
import { readMusicTracks } from '#server/operations/core/music-tracks/list.ts'
import { readAssetSources } from '#server/operations/media/media-assets/sources.ts'
import { planOf } from '#server/operations/media/uploads/find.ts'
import { lendSource } from '#server/operations/media/uploads/lend-source.ts'
import { readCover } from '#server/operations/processing/faces/review.ts'
import { readStoredFinding } from '#server/operations/processing/faces/search.ts'
import type { ClaimedTask } from '#server/operations/processing/tasks/claim.ts'

/** An edit or a segment of one that is made: by what, in which empty folder, and its end. */
export interface Making extends ClaimedTask {
  readonly ffmpeg: Ffmpeg
  readonly recipe: Recipe
  readonly folder: string
  readonly signal: AbortSignal
}

/** What an edit is made from. */
export interface Given {
  readonly material: { readonly source: SourceProbe; readonly assets: readonly AssetSource[] }
  readonly music: readonly MusicSource[]
  /** All but the video, which is lent when it is known what is read of it. */
  readonly places: Omit<RenderPlaces, 'source'>
}

/**
 * Calls `use` with the assets and the music of an edit, and returns what it returns; null where the
 * upload has no probe.
 */
export async function withGiven<T>(
  ctx: Ctx,
  { task, upload, recipe, folder, signal }: Making,
  use: (given: Given) => Promise<T>,
): Promise<T | null> {
  const source = readStoredProbe(upload.probe)
  if (source === null) return null
  const named = { ids: recipe.assetIds(task.payload), userId: upload.userId, folder, signal }
  return await withAssets(ctx, named, async ({ assets, assetPaths }) => {
    const music = await prepareMusic(ctx, recipe.musicTrackIds(task.payload), folder)
    const musicPaths = new Map(music.map(({ id, path }) => [id, path]))
    return await use({
      material: { source, assets },
      music,
      places: { folder, assetPaths, musicPaths },
    })
  })
}

/**
 * Runs the steps of a plan, of a file that has what it reads of the video, as `renderPlan` does.
 * @param reads the stretches of the video that it reads; null = all
 * @param beforeLast called when all steps but the last are done
 */
export async function renderGiven(
  ctx: Ctx,
  making: Making,
  { material, places }: Given,
  {
    plan,
    reads,
    beforeLast,
  }: {
    readonly plan: RecipePlan
    readonly reads: readonly Stretch[] | null
    readonly beforeLast?: () => Promise<void>
  },
  onProgress: (ratio: number) => void,
): Promise<Result<void, FfmpegFailure>> {
  const { upload, recipe, folder, signal } = making
  const ffmpeg: Ffmpeg = {
    ...making.ffmpeg,
    onUsed: (cpuSeconds) =>
      ctx.metrics.count('onecut_edit_processor_seconds_total', { preset: recipe.slug }, cpuSeconds),
  }
  return await lendSource(ctx, { upload, stretches: reads, folder, signal }, async (path) => {
    const video = { ...places, source: path }
    return await renderPlan(ffmpeg, plan, material, video, signal, onProgress, beforeLast)
  })
}

/** Everything that the plan of an edit depends on beside source and options. */
export async function contextOf(
  ctx: Ctx,
  { task, upload, recipe, ffmpeg }: Making,
  { material, music }: Given,
  moments: readonly Moment[],
): Promise<PlanContext> {
  return {
    moments,
    assets: material.assets,
    music,
    availableFilters: ffmpeg.filters,
    availableEncoders: ffmpeg.encoders,
    secret: upload.secret,
    found: recipe.keepsOffFaces ? await readFound(ctx, upload, material.source) : [],
    ...(task.reviewState === null ? {} : { faces: await readCover(ctx, { task, upload }) }),
  }
}

/**
 * The faces that were found for another edit of the video, which covers them; else the heads that
 * its search for moments saw. Edits that may be made in segments know nothing of these: a search
 * that ends meanwhile would give the segments that are left another plan.
 */
async function readFound(
  ctx: Ctx,
  { id, moments }: Pick<UploadRow, 'id' | 'moments'>,
  { durationMs }: SourceProbe,
): Promise<readonly FaceTrack[]> {
  const finding = await readStoredFinding(ctx, { uploadRequestId: id })
  if (finding !== null) return finding.tracks
  if (durationMs >= ctx.settings.divideFromMs) return []
  return tracksOfHeads(readStoredMoments(moments) ?? [])
}

interface NamedAssets {
  readonly ids: readonly string[]
  readonly userId: string
  /** Where each is linked, while it is used. */
  readonly folder: string
  readonly signal: AbortSignal
}

interface LentAssets {
  readonly assets: readonly AssetSource[]
  readonly assetPaths: ReadonlyMap<string, string>
}

/** Lends the assets that a payload names; returns what `use` returns. */
export async function withAssets<T>(
  ctx: Ctx,
  { ids, userId, folder, signal }: NamedAssets,
  use: (lent: LentAssets) => Promise<T>,
): Promise<T> {
  const stored = await readAssetSources(ctx, { ids, userId })
  const plans = stored.map(({ upload }) => planOf(upload))
  return await lendAll(ctx.copies, plans, signal, async (files) => {
    const assetPaths = new Map<string, string>()
    for (const [index, { asset, upload }] of stored.entries()) {
      // ffmpeg repeats a still picture only when the name tells its kind.
      const kind = asset.kind === 'image' ? `.${upload.contentType?.split('/')[1] ?? 'jpeg'}` : ''
      const path = join(folder, `asset-${asset.id}${kind}`)
      await symlink(files[index] ?? '', path)
      assetPaths.set(asset.id, path)
    }
    return await use({ assets: stored.map(({ asset }) => asset), assetPaths })
  })
}

/** The tracks that a payload names and that are still in the list, each linked into the folder. */
async function prepareMusic(
  ctx: Ctx,
  ids: readonly string[],
  folder: string,
): Promise<readonly (MusicSource & { readonly path: string })[]> {
  if (ids.length === 0) return []
  const tracks = (await readMusicTracks(ctx)).filter(({ id }) => ids.includes(id))
  return await Promise.all(
    tracks.map(async (track) => {
      const { id, durationMs } = track
      const path = join(folder, `music-${id}`)
      await symlink(track.path, path)
      return { id, durationMs, beats: await beatsOf(ctx, track), path }
    }),
  )
}
