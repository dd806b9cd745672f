import { copyFile, mkdir, rm, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { text } from 'node:stream/consumers'
import * as v from 'valibot'
import type { Ctx } from '#server/context.ts'
import { makeAssetPreview } from '#server/media/asset-preview.ts'
import { measureBeats } from '#server/media/beats/measure-beats.ts'
import { probeFile } from '#server/media/probe.ts'
import { readMusicTracks, type MusicTrack } from './list.ts'

/** In one minute; the rest comes next. */
const AT_ONCE = 5
/** Shorter tracks in MP4 are short pieces themselves. */
const SHORT_MS = 30_000
const LONGEST_MS = 60_000

/**
 * Stores what is made of tracks once: the short piece that is listened to, and the beats of those
 * whose list does not tell them. Harmless to repeat; a track of which no piece can be made is
 * logged each time and is listed without.
 */
export async function learnMusicTracks(ctx: Ctx): Promise<void> {
  let begun = 0
  for (const track of await readMusicTracks(ctx)) {
    const isShown = (await ctx.store.head(track.previewKey)) !== null
    const hasBeats = track.beats !== null || (await ctx.store.head(track.beatsKey)) !== null
    if (isShown && hasBeats) continue
    if (begun === AT_ONCE) return
    begun += 1
    const scratchDir = join(ctx.settings.scratchDir, `music-${ctx.newId()}`)
    await mkdir(scratchDir, { recursive: true })
    try {
      const piece = isShown ? null : await shorten(ctx, track, scratchDir)
      if (piece !== null) await ctx.store.putFile(track.previewKey, piece, 'audio/mp4')
      if (!hasBeats) await listenForBeats(ctx, track, scratchDir)
    } finally {
      await rm(scratchDir, { recursive: true, force: true })
    }
  }
}

/** Where the beats of a track lie by its list, or else as they were heard; null where none are. */
export async function beatsOf({ store }: Pick<Ctx, 'store'>, track: MusicTrack) {
  if (track.beats !== null || (await store.head(track.beatsKey)) === null) return track.beats
  return v.parse(heardSchema, JSON.parse(await text(await store.read(track.beatsKey)))).beats
}

const heardSchema = v.object({
  beats: v.nullable(v.object({ perMinute: v.number(), firstMs: v.number() })),
})

async function listenForBeats(ctx: Ctx, track: MusicTrack, scratchDir: string): Promise<void> {
  const { path, beatsKey } = track
  if (ctx.ffmpeg === null) return
  const signal = AbortSignal.timeout(LONGEST_MS)
  const probed = await probeFile(ctx.ffmpeg, path, basename(path), scratchDir, signal)
  if (!probed.ok) return
  const beats = await measureBeats(ctx.ffmpeg, { path, scratchDir, signal }, probed.value.source)
  const heard = join(scratchDir, 'beats.json')
  await writeFile(heard, JSON.stringify({ beats } satisfies v.InferOutput<typeof heardSchema>))
  await ctx.store.putFile(beatsKey, heard, 'application/json')
}

async function shorten(ctx: Ctx, track: MusicTrack, scratchDir: string): Promise<string | null> {
  const { path, durationMs } = track
  if (path.endsWith('.m4a') && durationMs !== null && durationMs <= SHORT_MS) {
    const copy = join(scratchDir, 'preview.mp4')
    await copyFile(path, copy)
    return copy
  }
  if (ctx.ffmpeg === null) return null
  const signal = AbortSignal.timeout(LONGEST_MS)
  const probed = await probeFile(ctx.ffmpeg, path, basename(path), scratchDir, signal)
  const made = probed.ok
    ? await makeAssetPreview(ctx.ffmpeg, {
        path,
        kind: 'audio',
        probe: probed.value.source,
        scratchDir,
        signal,
      })
    : probed
  if (made.ok) return made.value
  ctx.log.warn('music/not-previewed', { path, error: made.error })
  return null
}
