import type { UseMutationResult } from '@tanstack/react-query'
import { useLocal } from '#src/hooks/device/local-context.ts'
import { foundList, type Shown } from '#src/hooks/sync/shown.ts'
import { useCall } from '#src/hooks/server/use-call.ts'
import { useLive, type Live } from '#src/hooks/sync/use-live.ts'
import { usePulled, usePulls } from '#src/hooks/sync/use-pull.ts'
import type { ApiFailure } from '#src/api/errors.ts'
import { renameMediaAsset } from '#src/local/calls/media-assets.ts'
import { assetThumbnailKey } from '#src/local/db/asset-pictures.ts'
import { readKnownRoom } from '#src/local/db/asset-room.ts'
import { FACTS, readFact, type FactValues } from '#src/local/db/facts.ts'
import { pictureOf } from '#src/local/db/images.ts'
import { readListedAt, readNounRows } from '#src/local/db/nouns.ts'
import { mediaAssets, type MediaAsset } from '#src/local/nouns/media-assets.ts'
import { assetsPollMs } from '#src/local/sync/intervals.ts'
import type { Result } from '#src/lib/result.ts'

export type { MediaAsset } from '#src/local/nouns/media-assets.ts'

/** `message` is the server's sentence. */
interface RefusedDeletion {
  readonly id: string
  readonly code: string
  readonly message: string
}

/** An asset as lists show it. */
export interface ListedAsset {
  readonly asset: MediaAsset
  /** Its deletion is in the outbox, and the server refused it. */
  readonly deletion: RefusedDeletion | null
}

/**
 * The media assets, newest first, without those whose deletion is on its way. The server is asked
 * again every few seconds as `assetsPollMs` says.
 * @param isWanted false asks nothing: for people without the right to read them
 */
export function useMediaAssets(isWanted = true): Shown<readonly ListedAsset[]> {
  const { clock } = useLocal()
  const known = useLive('assets-to-ask-for', async (db) => {
    const rows = await db.mediaAssets.toArray()
    const listedAtEpochMs = (await readFact(db, FACTS.mediaAssetRoom))?.pulledAtEpochMs ?? Infinity
    return {
      assets: rows.map(({ value }) => value),
      hasNewer:
        rows.some((row) => row.pulledAtEpochMs > listedAtEpochMs) ||
        (await readKnownRoom(db))?.isOutdated === true,
    }
  })
  const pull = usePulls().mediaAssets()
  return usePulled(isWanted ? pull : { ...pull, enabled: false }, {
    key: 'list:mediaAssets:shown',
    find: async (db) => {
      const [rows, outbox] = await Promise.all([readNounRows(db, mediaAssets), db.outbox.toArray()])
      const deletions = new Map(
        outbox.flatMap((row) =>
          row.intent.kind === 'delete-media-asset' ? [[row.intent.mediaAssetId, row]] : [],
        ),
      )
      return foundList(
        rows,
        rows.flatMap(({ value: asset }): ListedAsset[] => {
          const deletion = deletions.get(asset._id)
          if (deletion === undefined) return [{ asset, deletion: null }]
          const { id, state } = deletion
          return state.kind === 'refused' ? [{ asset, deletion: { id, ...state } }] : []
        }),
        await readListedAt(db, mediaAssets),
      )
    },
    emptyData: [],
    refetchInterval: () =>
      known.kind === 'ready'
        ? assetsPollMs(known.value.assets, known.value.hasNewer, clock.now())
        : false,
  })
}

/** Room for assets at the server. */
export type AssetRoom = FactValues['mediaAssetRoom']

/** The room for assets with what this device has added and deleted; null while it is not known. */
export function useAssetRoom(): AssetRoom | null {
  const live = useLive('asset-room', async (db) => (await readKnownRoom(db))?.room ?? null)
  return live.kind === 'ready' ? live.value : null
}

/** The picture of an asset as kept on this device; null value when there is none (yet). */
export function useAssetThumbnail(mediaAssetId: string): Live<Blob | null> {
  return useLive(`asset-thumbnail:${mediaAssetId}`, async (db) => {
    const picture = await db.images.get(assetThumbnailKey(mediaAssetId))
    return picture === undefined ? null : pictureOf(picture)
  })
}

/** Gives an asset another name; needs the network. Resolves with a `Result`. */
export function useRenameAsset(): UseMutationResult<
  Result<null, ApiFailure>,
  Error,
  { readonly mediaAssetId: string; readonly name: string }
> {
  return useCall(renameMediaAsset)
}
