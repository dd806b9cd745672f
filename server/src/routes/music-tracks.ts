import type { Handlers } from '#server/http/handlers.ts'

/** Music for trailers. This server ships none, and no edit that it offers uses any. */
export function createMusicTrackRoutes() {
  return {
    listMusicTracks: async () => ({ status: 200, body: { musicTracks: [] } }),
  } satisfies Partial<Handlers>
}
