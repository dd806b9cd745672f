import type { AccountDb } from './account-db.ts'

/**
 * Dismisses the receipt of a finished upload, as the person's 'Dismiss' does: raises the epoch, so
 * that its driver removes it. Call inside a transaction over the uploads; harmless when there is
 * none.
 */
export async function dismissReceipt(
  db: AccountDb,
  uploadId: string,
  nowEpochMs: number,
): Promise<void> {
  const row = await db.uploads.get(uploadId)
  if (row?.state.kind !== 'done') return
  await db.uploads.put({
    ...row,
    state: { kind: 'discarded' },
    epoch: row.epoch + 1,
    updatedAtEpochMs: nowEpochMs,
  })
}
