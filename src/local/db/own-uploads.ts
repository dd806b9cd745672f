import type { AccountDb } from './account-db.ts'
import { FACTS, readFact, writeFact, type UploadSummary } from './facts.ts'
import type { UploadRow } from './rows.ts'
import { isOnServer } from './upload-states.ts'
import { DAY_MS } from '#src/lib/time.ts'

/**
 * [Note: own uploads] A list of the server is of the time at which it was asked for. An upload that
 * this device began, finished or discarded since can stand in it as unfinished, without a row on
 * this device that says whose it is. So the device notes what it lets go of, and compares the name
 * and size of what it has begun and the server has not named to it yet.
 */
export interface OwnUploads {
  /** Held here, being discarded, or the file of an asset. */
  readonly ids: ReadonlySet<string>
  /** Being discarded. */
  readonly discardedIds: readonly string[]
  /** Begun here: the server's id is on its way. */
  readonly unnamed: readonly Pick<UploadSummary, 'name' | 'sizeBytes'>[]
  /** When this device let go of an upload; a list that was asked for later says the truth of it. */
  readonly letGoAtEpochMs: ReadonlyMap<string, number>
}

/** The list is old after this time in any case. */
const KEPT_MS = DAY_MS

/** As one state: an upload that changes from one kind to another is always of one of them. */
export async function readOwnUploads(
  db: AccountDb,
  purpose: UploadRow['purpose'],
): Promise<OwnUploads> {
  const tables = [db.facts, db.uploads, db.outbox, db.mediaAssets]
  return await db.transaction('r', tables, async () => {
    const [letGo, rows, outbox, assets] = await Promise.all([
      readFact(db, FACTS.uploadsLetGo),
      db.uploads.toArray(),
      db.outbox.toArray(),
      db.mediaAssets.toArray(),
    ])
    const discardedIds = outbox.flatMap(({ intent }) =>
      intent.kind === 'abort-upload' ? [intent.uploadRequestId] : [],
    )
    const ids = [
      ...rows.map(({ uploadRequestId }) => uploadRequestId),
      ...assets.map(({ value }) => value.uploadRequestId),
      ...discardedIds,
    ]
    return {
      ids: new Set(ids.filter((id) => id !== null)),
      discardedIds,
      unnamed: rows
        .filter((row) => row.uploadRequestId === null && row.purpose === purpose)
        .filter(({ state }) => isOnServer(state.kind))
        .map(({ file }) => file),
      letGoAtEpochMs: new Map(
        letGo?.value.map(({ uploadRequestId, atEpochMs }) => [uploadRequestId, atEpochMs]),
      ),
    }
  })
}

/**
 * Whether an unfinished upload of a list is one of this device ([Note: own uploads]).
 * @param listedAtEpochMs when the list was asked for, by this device's clock
 */
export function isOwnUpload(
  {
    uploadRequestId,
    name,
    sizeBytes,
  }: Pick<UploadSummary, 'name' | 'sizeBytes'> & { readonly uploadRequestId: string },
  { ids, unnamed, letGoAtEpochMs }: OwnUploads,
  listedAtEpochMs: number,
): boolean {
  return (
    ids.has(uploadRequestId) ||
    (letGoAtEpochMs.get(uploadRequestId) ?? -Infinity) >= listedAtEpochMs ||
    unnamed.some((begun) => begun.name === name && begun.sizeBytes === sizeBytes)
  )
}

/** Notes that this device lets go of an upload. In the transaction that does, over `db.facts`. */
export async function noteLetGo(
  db: AccountDb,
  uploadRequestId: string,
  atEpochMs: number,
): Promise<void> {
  const noted = (await readFact(db, FACTS.uploadsLetGo))?.value ?? []
  const kept = noted.filter((each) => atEpochMs - each.atEpochMs < KEPT_MS)
  await writeFact(db, FACTS.uploadsLetGo, [...kept, { uploadRequestId, atEpochMs }], atEpochMs)
}
