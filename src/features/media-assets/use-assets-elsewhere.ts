import { useLive } from '#src/hooks/sync/use-live.ts'
import { usePulled, usePulls } from '#src/hooks/sync/use-pull.ts'
import type { AccountDb } from '#src/local/db/account-db.ts'
import { FACTS, readFact, type OpenUpload, type UploadSummary } from '#src/local/db/facts.ts'
import { isOwnUpload, readOwnUploads } from '#src/local/db/own-uploads.ts'
import { SECOND_MS } from '#src/lib/time.ts'

/** The unfinished file of an asset that this device does not hold. */
export interface AssetElsewhere extends Pick<
  UploadSummary,
  'uploadRequestId' | 'name' | 'sizeBytes' | 'createdAt'
> {
  readonly open: OpenUpload
}

/** While another device may be sending one. */
const WHILE_OTHERS_WORK_MS = 10 * SECOND_MS

/** The unfinished files of assets that were begun elsewhere, newest first; empty until known. */
export function useAssetsElsewhere(): readonly AssetElsewhere[] {
  const known = useLive('assets-elsewhere:count', async (db) => (await readElsewhere(db)).length)
  const shown = usePulled(usePulls().assetUploads(), {
    key: 'assets-elsewhere',
    find: async (db) => {
      const fact = await readFact(db, FACTS.assetUploads)
      return fact === null
        ? null
        : { data: await readElsewhere(db), asOfEpochMs: fact.pulledAtEpochMs }
    },
    refetchInterval: () =>
      known.kind === 'ready' && known.value > 0 ? WHILE_OTHERS_WORK_MS : false,
  })
  return shown.data ?? []
}

async function readElsewhere(db: AccountDb): Promise<readonly AssetElsewhere[]> {
  // After the list: what is let go of in between is of both, and never of none.
  const fact = await readFact(db, FACTS.assetUploads)
  const own = await readOwnUploads(db, 'media-asset')
  return (fact?.value ?? []).flatMap(({ open, ...upload }) =>
    open === null || open === undefined || isOwnUpload(upload, own, fact?.pulledAtEpochMs ?? 0)
      ? []
      : [{ ...upload, open }],
  )
}
