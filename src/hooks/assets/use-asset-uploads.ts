import { useAccount, useLocal } from '#src/hooks/device/local-context.ts'
import { useLive, type Live } from '#src/hooks/sync/use-live.ts'
import { useUploadsContext } from '#src/hooks/uploads/uploads-context.ts'
import type { AccountDb } from '#src/local/db/account-db.ts'
import { assetNameKey } from '#src/local/db/form-drafts.ts'
import type { CreateMediaAssetIntent, OutboxRow, UploadRow } from '#src/local/db/rows.ts'
import { findLeftDrafts } from '#src/local/uploads/page/drafts.ts'

/** The file of an asset on its way: its upload, and its name once the person has given it one. */
export interface AssetUpload {
  readonly row: UploadRow
  readonly naming: AssetNaming | null
}

/** A name that waits for its file, or that the server has not taken. */
type AssetNaming = Pick<OutboxRow, 'id' | 'state'> & Pick<CreateMediaAssetIntent, 'name'>

/**
 * The files of assets that this device is uploading or that have no name yet, newest first; null
 * while they are being read.
 */
export function useAssetUploads(): readonly AssetUpload[] | null {
  const { bridge } = useUploadsContext()
  const live = useLive('asset-uploads', async (db) => {
    const [rows, namings, discarded, drafts] = await Promise.all([
      db.uploads.orderBy('createdAtEpochMs').reverse().toArray(),
      readNamings(db),
      readDiscarded(db),
      findLeftDrafts(db, bridge.locks),
    ])
    const left = new Set(drafts.map(({ id }) => id))
    return rows
      .filter(
        ({ purpose, uploadRequestId }) =>
          purpose === 'media-asset' && !discarded.has(uploadRequestId ?? ''),
      )
      .filter(({ id, state: { kind } }) => (kind === 'draft' ? left.has(id) : kind !== 'discarded'))
      .map((row) => ({ row, naming: namings.get(row.id) ?? null }))
  })
  return live.kind === 'ready' ? live.value : null
}

/** The name that waits for the file of an upload; null value while it has none. */
export function useAssetName(uploadId: string): Live<string | null> {
  return useLive(
    `asset-name:${uploadId}`,
    async (db) => (await readNamings(db)).get(uploadId)?.name ?? null,
  )
}

async function readNamings(db: AccountDb): Promise<ReadonlyMap<string, AssetNaming>> {
  const rows = await db.outbox.toArray()
  return new Map(
    rows.flatMap(({ id, state, intent }) =>
      intent.kind === 'create-media-asset'
        ? [[intent.uploadId, { id, state, name: intent.name }] as const]
        : [],
    ),
  )
}

/** Upload requests that the server has yet to forget. */
async function readDiscarded(db: AccountDb): Promise<ReadonlySet<string>> {
  const rows = await db.outbox.toArray()
  return new Set(
    rows.flatMap(({ intent }) => (intent.kind === 'abort-upload' ? [intent.uploadRequestId] : [])),
  )
}

/** The name being typed for an asset, as this device keeps it. */
export interface TypedName {
  /** Null value: nothing was typed yet. */
  readonly kept: Live<string | null>
  readonly keep: (name: string) => Promise<void>
}

export function useTypedName(uploadId: string): TypedName {
  const account = useAccount()
  const { clock } = useLocal()
  const key = assetNameKey(uploadId)
  const kept = useLive(key, async (db) => {
    const value = (await db.drafts.get(key))?.value
    return typeof value === 'string' ? value : null
  })
  return {
    kept,
    keep: async (value) => {
      await account?.db.drafts.put({ key, value, updatedAtEpochMs: clock.now() })
    },
  }
}
