import { useLive } from './use-live.ts'
import { usePulled, usePulls } from './use-pull.ts'
import type { AccountDb } from '#src/local/db/account-db.ts'
import { FACTS, readFact, type OpenUpload, type UploadSummary } from '#src/local/db/facts.ts'
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

/**
 * One transaction, so that a file which becomes an asset is seen as one of both. The list can be of
 * a time when it was still sent: its row goes once the asset is there.
 */
async function readElsewhere(db: AccountDb): Promise<readonly AssetElsewhere[]> {
  const [fact, rows, outbox, assets] = await db.transaction(
    'r',
    [db.facts, db.uploads, db.outbox, db.mediaAssets],
    () =>
      Promise.all([
        readFact(db, FACTS.assetUploads),
        db.uploads.toArray(),
        db.outbox.toArray(),
        db.mediaAssets.toArray(),
      ]),
  )
  const own = new Set<string | null>([
    ...rows.map(({ uploadRequestId }) => uploadRequestId),
    ...assets.map(({ value }) => value.uploadRequestId),
    ...outbox.flatMap(({ intent }) =>
      intent.kind === 'abort-upload' ? [intent.uploadRequestId] : [],
    ),
  ])
  return (fact?.value ?? []).flatMap(({ open, ...upload }) =>
    open === null || open === undefined || own.has(upload.uploadRequestId)
      ? []
      : [{ ...upload, open }],
  )
}
