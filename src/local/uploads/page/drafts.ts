import type { UploadLocks } from '#src/local/uploads/ports.ts'
import type { AccountDb } from '#src/local/db/account-db.ts'
import type { UploadRow } from '#src/local/db/rows.ts'

/**
 * [Note: left draft] A draft belongs to the card in which its file was chosen: the page holds the
 * lock `upload-draft:<id>` from before the draft is written. A draft whose lock is free was left by
 * a reload or a closed tab. If its handle is stored, the page can open the file again and offers
 * the draft; otherwise the draft has nothing to continue with.
 */
function draftLock(uploadId: string): string {
  return `upload-draft:${uploadId}`
}

/** Resolves when this page owns the draft; it does until `until` aborts or the page closes. */
export function ownDraft(locks: UploadLocks, uploadId: string, until: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const untilOver = (): Promise<void> =>
      new Promise((over) => {
        resolve()
        if (until.aborted) over()
        until.addEventListener('abort', () => over(), { once: true })
      })
    // The abort is the only reason to reject.
    void locks.withLock(draftLock(uploadId), until, untilOver).catch(() => resolve())
  })
}

/** Left drafts that can be continued, newest first. Local read. */
export async function findLeftDrafts(
  db: AccountDb,
  locks: Pick<UploadLocks, 'isHeld'>,
): Promise<readonly UploadRow[]> {
  return (await leftDrafts(db, locks))
    .filter(({ canContinue }) => canContinue)
    .map(({ row }) => row)
}

/** Forgets the left drafts that nothing can continue. Writes locally; idempotent. */
export async function clearLeftDrafts(
  db: AccountDb,
  locks: Pick<UploadLocks, 'isHeld'>,
): Promise<void> {
  for (const { row, canContinue } of await leftDrafts(db, locks))
    if (!canContinue) await forgetDraft(db, row.id)
}

/** Forgets a draft; does nothing to an upload that has begun. Writes locally; idempotent. */
export async function forgetDraft(db: AccountDb, uploadId: string): Promise<void> {
  await db.transaction('rw', [db.uploads, db.handles, db.excerpts, db.foundMoments], async () => {
    if ((await db.uploads.get(uploadId))?.state.kind !== 'draft') return
    await db.uploads.delete(uploadId)
    await db.handles.delete(uploadId)
    await db.excerpts.delete(uploadId)
    await db.foundMoments.delete(uploadId)
  })
}

async function leftDrafts(
  db: AccountDb,
  locks: Pick<UploadLocks, 'isHeld'>,
): Promise<readonly { readonly row: UploadRow; readonly canContinue: boolean }[]> {
  // Read all tables before the first call to the locks: a live query does not track reads after it.
  const [rows, handles] = await Promise.all([
    db.uploads
      .orderBy('createdAtEpochMs')
      .reverse()
      .filter(({ state }) => state.kind === 'draft')
      .toArray(),
    db.handles.toCollection().primaryKeys(),
  ])
  const held = await Promise.all(rows.map((row) => locks.isHeld(draftLock(row.id))))
  return rows
    .filter((_, index) => held[index] !== true)
    .map((row) => ({ row, canContinue: handles.includes(row.id) }))
}
