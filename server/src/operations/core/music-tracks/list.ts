import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { v5 } from 'uuid'
import * as v from 'valibot'
import type { Beats } from '#recipes/types.ts'
import type { ReadCtx } from '#server/context.ts'
import { projectRoot } from '#server/project-root.ts'
import { notFound } from '#server/problems.ts'

/** Music that edits may use, in a folder of this machine. */
export interface MusicTrack {
  readonly id: string
  readonly path: string
  readonly name: string
  /** Under which it may be used. */
  readonly licence: string
  /** Who must be named where it is used; null for no one. */
  readonly credit: string | null
  /** Null where its list does not say it. */
  readonly durationMs: number | null
  /** Null where its list does not say it: `beatsOf` then knows what was heard. */
  readonly beats: Beats | null
  readonly createdAt: Date
  /** Where its short piece is stored; another one when the file changes. */
  readonly previewKey: string
  /** Where the beats that were heard in it are stored. */
  readonly beatsKey: string
}

/** A track as it is shown: `hasPreview` once its short piece is stored. */
export interface TrackFacts {
  readonly track: MusicTrack
  readonly hasPreview: boolean
}

/** Makes ids of the names of files, so that a track keeps its id; any fixed UUID will do. */
const TRACK_IDS = '6f2c1d0e-95a4-4b1c-8d53-2f0b7a9e4c61'
const text = (longest: number) => v.pipe(v.string(), v.trim(), v.minLength(1), v.maxLength(longest))
const listSchema = v.pipe(
  v.array(
    v.object({
      // A name in the folder, never a path.
      file: v.pipe(
        v.string(),
        v.maxLength(100),
        v.regex(/^\w[\w .-]*\.(?:m4a|mp3|wav|flac|ogg)$/i),
      ),
      name: text(100),
      licence: text(200),
      credit: v.nullable(text(200)),
      addedOn: v.optional(v.pipe(v.string(), v.isoDate())),
      durationMs: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1))),
      beatsPerMinute: v.optional(v.pipe(v.number(), v.minValue(30), v.maxValue(300))),
      firstBeatMs: v.optional(v.pipe(v.number(), v.minValue(0), v.maxValue(60_000))),
    }),
  ),
  v.maxLength(200),
)

/** All tracks, newest first: those of this repository and those of the operator. */
export async function listMusicTracks(ctx: MusicCtx): Promise<readonly TrackFacts[]> {
  return await Promise.all(
    (await readMusicTracks(ctx)).map(async (track) => ({
      track,
      hasPreview: (await ctx.store.head(track.previewKey)) !== null,
    })),
  )
}

/** What reading tracks needs. */
export type MusicCtx = Pick<ReadCtx, 'settings' | 'log' | 'store'>

/**
 * Reads `tracks.json` of server/music and of `music` in the data folder. A list that is wrong, or
 * names a file that is not there, is logged, and its other tracks are shown.
 */
export async function readMusicTracks(
  ctx: Pick<MusicCtx, 'settings' | 'log'>,
): Promise<readonly MusicTrack[]> {
  const folders = [join(projectRoot, 'server/music'), join(ctx.settings.dataDir, 'music')]
  const tracks = (await Promise.all(folders.map((folder) => readFolder(ctx, folder)))).flat()
  return tracks.toSorted((a, b) => b.createdAt.getTime() - a.createdAt.getTime())
}

/** One track, or `music-tracks/not-found`, also while it has no short piece. */
export async function findMusicPreview(
  ctx: MusicCtx,
  { id }: { readonly id: string },
): Promise<MusicTrack> {
  const track = (await readMusicTracks(ctx)).find((each) => each.id === id)
  if (track === undefined) throw notFound('music-tracks/not-found')
  return track
}

async function readFolder(
  { log }: Pick<MusicCtx, 'log'>,
  folder: string,
): Promise<readonly MusicTrack[]> {
  const list = await readFile(join(folder, 'tracks.json'), 'utf8').catch(() => null)
  if (list === null) return []
  const parsed = v.safeParse(listSchema, parse(list))
  if (!parsed.success) {
    log.warn('music/not-listed', { folder, problem: v.summarize(parsed.issues) })
    return []
  }
  const tracks = await Promise.all(
    parsed.output.map(async (entry): Promise<MusicTrack | null> => {
      const path = join(folder, entry.file)
      const facts = await stat(path).catch(() => null)
      if (facts === null) {
        log.warn('music/not-listed', { folder, problem: `${entry.file} is not there` })
        return null
      }
      const { name, licence, credit, addedOn, beatsPerMinute, firstBeatMs = 0 } = entry
      const id = v5(entry.file, TRACK_IDS)
      return {
        id,
        path,
        name,
        licence,
        credit,
        durationMs: entry.durationMs ?? null,
        beats:
          beatsPerMinute === undefined ? null : { perMinute: beatsPerMinute, firstMs: firstBeatMs },
        createdAt: addedOn === undefined ? facts.mtime : new Date(addedOn),
        previewKey: `music/${id}-${facts.size}.mp4`,
        beatsKey: `music/${id}-${facts.size}.beats.json`,
      }
    }),
  )
  return tracks.filter((track) => track !== null)
}

function parse(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    return null
  }
}
