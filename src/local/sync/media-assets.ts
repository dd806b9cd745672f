import { definePull, keepList, type Pull } from './pull.ts'
import { readCountedUploads } from '#src/local/db/asset-room.ts'
import { FACTS, writeFact } from '#src/local/db/facts.ts'
import { writeListedAt } from '#src/local/db/nouns.ts'
import { mediaAssets } from '#src/local/nouns/media-assets.ts'

interface Asking {
  /** Files on their way from this device that the server knew before it was asked. */
  readonly uploadCount: number
}

/** Pulls all media assets, and how much room there is for more; what is gone disappears. */
export const pullMediaAssets: Pull = async (deps) =>
  askForAssets(deps, { uploadCount: (await readCountedUploads(deps.db)).length })

const askForAssets = definePull({
  ask: (api, init) => api.GET('/v1/media-assets', init),
  keep: async ({ db }, answer, pulledAtEpochMs, { uploadCount }: Asking) => {
    const rows = answer.mediaAssets.map((asset) => mediaAssets.toRow(asset, pulledAtEpochMs))
    const room = { ...answer.mediaAssetRoom, knownHere: rows.length + uploadCount }
    return db.transaction('rw', db.mediaAssets, db.facts, async () => {
      await writeFact(db, FACTS.mediaAssetRoom, room, pulledAtEpochMs)
      await writeListedAt(db, mediaAssets, pulledAtEpochMs)
      return keepList(db, db.mediaAssets, rows, pulledAtEpochMs)
    })
  },
})
