import type { components } from '#openapi/schema.gen.ts'
import type { TrackFacts } from '#server/operations/core/music-tracks/list.ts'

/** A track as the contract shows it. */
export function viewMusicTrack({
  track,
  hasPreview,
}: TrackFacts): components['schemas']['MusicTrack'] {
  return {
    _id: track.id,
    name: track.name,
    previewUrl: hasPreview ? `/editors/api/v1/music-tracks/${track.id}/preview` : null,
    duration: track.durationMs,
    licence: track.licence,
    credit: track.credit,
    createdAt: track.createdAt.toISOString(),
  }
}
