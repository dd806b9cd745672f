import type { Deps } from '#server/deps.ts'
import type { Handlers } from '#server/http/handlers.ts'
import { listMusicTracks } from '#server/operations/core/music-tracks/list.ts'
import { viewMusicTrack } from '#server/views/music-track.ts'

/** Music for trailers; no edit that the server offers uses any yet. */
export function createMusicTrackRoutes(deps: Deps) {
  return {
    listMusicTracks: async () => ({
      status: 200,
      body: { musicTracks: (await listMusicTracks(deps)).map(viewMusicTrack) },
    }),
  } satisfies Partial<Handlers>
}
