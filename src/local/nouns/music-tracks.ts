import type { components } from '#openapi/schema.gen.ts'
import { defineNoun, newestFirst } from './define-noun.ts'
import { MINUTE_MS } from '#src/lib/time.ts'

export type MusicTrack = components['schemas']['MusicTrack']

/** The music of the server that edits may use. */
export const musicTracks = defineNoun({
  table: 'musicTracks',
  since: 5,
  indexes: '',
  staleAfterMs: 60 * MINUTE_MS,
  columns: (_track: MusicTrack) => ({}),
  sort: newestFirst,
  list: {
    ask: (api, init) => api.GET('/v1/music-tracks', init),
    pick: (body) => body.musicTracks,
  },
})
