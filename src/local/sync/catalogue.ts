import { definePull, keepList } from './pull.ts'
import { FACTS, writeFact } from '#src/local/db/facts.ts'
import { mediaAssetToRow, presetToRow } from '#src/local/db/to-rows.ts'

/** All presets, in the server's order; presets that are gone disappear. */
export const pullPresets = definePull({
  ask: (api, init) => api.GET('/v1/media-job-task-presets', init),
  keep: ({ db }, { mediaJobTaskPresets }, pulledAtEpochMs) => {
    const rows = mediaJobTaskPresets.map((preset, position) =>
      presetToRow(preset, position, pulledAtEpochMs),
    )
    return keepList(db, db.presets, rows, pulledAtEpochMs)
  },
})

/** All media assets of the user. */
export const pullMediaAssets = definePull({
  ask: (api, init) => api.GET('/v1/media-assets', init),
  keep: ({ db }, { mediaAssets }, pulledAtEpochMs) => {
    const rows = mediaAssets.map((asset) => mediaAssetToRow(asset, pulledAtEpochMs))
    return keepList(db, db.mediaAssets, rows, pulledAtEpochMs)
  },
})

/** Music tracks, newest first, as one fact. */
export const pullMusicTracks = definePull({
  ask: (api, init) => api.GET('/v1/music-tracks', init),
  keep: async ({ db }, { musicTracks }, pulledAtEpochMs) => {
    await writeFact(db, FACTS.musicTracks, musicTracks, pulledAtEpochMs)
    return null
  },
})
