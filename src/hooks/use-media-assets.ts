import type { components } from '#openapi/schema.gen.ts'
import { foundList, type Shown } from './shown.ts'
import { usePulled, usePulls } from './use-pull.ts'
import type { MediaKind } from '#src/config/enums.ts'
import { FACTS, readFact, type FactValues } from '#src/local/db/facts.ts'

export type MediaAsset = components['schemas']['MediaAsset']

/** The user's assets, newest first; `kind` null for all. */
export function useMediaAssets(kind: MediaKind | null = null): Shown<readonly MediaAsset[]> {
  return usePulled(usePulls().mediaAssets(), {
    key: `media-assets:${kind ?? 'all'}`,
    find: async (db) => {
      const rows = await db.mediaAssets.orderBy('createdAt').reverse().toArray()
      return foundList(
        rows,
        rows
          .map((row) => row.value)
          .filter((asset) => kind === null || asset.format?.slug === kind),
      )
    },
    emptyData: [],
  })
}

/** Music on offer, newest first. */
export function useMusicTracks(): Shown<FactValues['music-tracks']> {
  return usePulled(usePulls().musicTracks(), {
    key: 'fact:music-tracks',
    find: async (db) => {
      const fact = await readFact(db, FACTS.musicTracks)
      return fact === null ? null : { data: fact.value, asOfEpochMs: fact.pulledAtEpochMs }
    },
  })
}
