import { definePull, keepList } from './pull.ts'
import { FACTS, writeFact } from '#src/local/db/facts.ts'
import { writeListedAt } from '#src/local/db/nouns.ts'
import { mediaAssets } from '#src/local/nouns/media-assets.ts'

/** Pulls all media assets, and how much room there is for more; what is gone disappears. */
export const pullMediaAssets = definePull({
  ask: (api, init) => api.GET('/v1/media-assets', init),
  keep: async ({ db }, answer, pulledAtEpochMs) => {
    const rows = answer.mediaAssets.map((asset) => mediaAssets.toRow(asset, pulledAtEpochMs))
    return db.transaction('rw', db.mediaAssets, db.facts, async () => {
      await writeFact(db, FACTS.mediaAssetRoom, answer.mediaAssetRoom, pulledAtEpochMs)
      await writeListedAt(db, mediaAssets, pulledAtEpochMs)
      return keepList(db, db.mediaAssets, rows, pulledAtEpochMs)
    })
  },
})
