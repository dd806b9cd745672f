import { copyFile, mkdir, rm } from 'node:fs/promises'
import { basename, join } from 'node:path'
import type { Ctx } from '#server/context.ts'
import { makeAssetPreview } from '#server/media/asset-preview.ts'
import { probeFile } from '#server/media/probe.ts'
import { readMusicTracks, type MusicTrack } from './list.ts'

/** In one minute; the rest comes next. */
const AT_ONCE = 5
/** Shorter tracks in MP4 are short pieces themselves. */
const SHORT_MS = 30_000
const LONGEST_MS = 60_000

/**
 * Stores the short pieces of tracks that have none. Harmless to repeat; a track of which none can
 * be made is logged each time and is listed without.
 */
export async function storeMusicPreviews(ctx: Ctx): Promise<void> {
  let made = 0
  for (const track of await readMusicTracks(ctx)) {
    if ((await ctx.store.head(track.previewKey)) !== null) continue
    if (made === AT_ONCE) return
    made += 1
    const scratchDir = join(ctx.settings.dataDir, 'scratch', `music-${ctx.newId()}`)
    await mkdir(scratchDir, { recursive: true })
    try {
      const path = await shorten(ctx, track, scratchDir)
      if (path !== null) await ctx.store.putFile(track.previewKey, path, 'audio/mp4')
    } finally {
      await rm(scratchDir, { recursive: true, force: true })
    }
  }
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
