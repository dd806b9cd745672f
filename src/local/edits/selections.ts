import type { AccountDb } from '#src/local/db/account-db.ts'
import { redoneTaskId } from './redo.ts'
import type { TaskRequest } from './task-requests.ts'

/**
 * The edits chosen for an upload on this device; null when nothing was ever chosen. Local read.
 * @param key its upload request id
 */
export async function readSelection(
  db: AccountDb,
  key: string,
): Promise<readonly TaskRequest[] | null> {
  return (await db.selections.get(key))?.requests ?? null
}

/**
 * The edits to begin the form of an upload with: what was chosen, else the newest job's as long as
 * nothing was paid for them, so that they can be changed. What was paid for is not offered once
 * more: a second order begins empty. Local read.
 */
export async function readEditsToBeginWith(
  db: AccountDb,
  uploadRequestId: string,
): Promise<readonly TaskRequest[]> {
  const chosen = await readSelection(db, uploadRequestId)
  if (chosen !== null) return chosen
  const job = (
    await db.mediaJobs.where('uploadRequestId').equals(uploadRequestId).sortBy('createdAt')
  ).findLast(({ value }) => redoneTaskId(value) === null)?.value
  if (job === undefined || job.isMediaWorkflowStarted) return []
  const orders = (await db.orders.where('mediaJobId').equals(job._id).toArray()).filter(
    ({ value }) => value.status !== 'canceled',
  )
  // An order that this device does not know is not taken for unpaid.
  const isUnpaid =
    orders.every(({ value }) => !value.isFullyPaid && !value.hasPaidWalletCoinTransactions) &&
    (orders.length > 0 || !job.orderIsPlaced)
  return isUnpaid ? job.mediaJobTaskRequests : []
}

/** Keeps the chosen edits, so that a reload or a crash loses none. Local write, idempotent. */
export async function saveSelection(
  db: AccountDb,
  key: string,
  requests: readonly TaskRequest[],
  nowEpochMs: number,
): Promise<void> {
  await db.selections.put({ key, requests, updatedAtEpochMs: nowEpochMs })
}
