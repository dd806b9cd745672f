import { useAccount, useLocal } from '#src/hooks/device/local-context.ts'
import { useLive, type Live } from './use-live.ts'
import {
  discardIntention,
  enqueueAbort,
  enqueueAssetDeletion,
  enqueueAssetName,
  enqueueOrder,
  enqueueRename,
  enqueueSubmission,
  retryIntention,
  type AssetToName,
  type JobToOrder,
  type Renaming,
  type Submission,
} from '#src/local/outbox/commands.ts'
import type { AccountDb } from '#src/local/db/account-db.ts'
import type { OutboxRow, SubmitEditsIntent } from '#src/local/db/rows.ts'

export type SubmissionRow = OutboxRow & { readonly intent: SubmitEditsIntent }

/**
 * The submission with this id, or the newest one of an upload (local id or upload request id), of a
 * job, or that makes this edit again; an upload's is never a redo. Null value when there is none,
 * also once it was accepted: then job and order are in the database (`useUploadJob`,
 * `useJobOrder`).
 */
export function useSubmission(id: string): Live<SubmissionRow | null> {
  return useLive(`submission:${id}`, (db) => findSubmission(db, id))
}

/** What `useSubmission` follows. Local read. */
export async function findSubmission(db: AccountDb, id: string): Promise<SubmissionRow | null> {
  const rows = await db.outbox.orderBy('createdAtEpochMs').reverse().toArray()
  for (const row of rows) {
    const { intent } = row
    if (
      intent.kind === 'submit-edits' &&
      [row.id, intent.mediaJobId, ...subjectsOf(intent)].includes(id)
    )
      return { ...row, intent }
  }
  return null
}

/** What the edits are chosen for. */
function subjectsOf({ uploadId, uploadRequestId, redoOfTaskId = null }: SubmitEditsIntent) {
  return redoOfTaskId === null ? [uploadId, uploadRequestId] : [redoOfTaskId]
}

export interface OutboxActions {
  /** Saves "Submit for Editing" on this device; resolves with the outbox row's id. */
  submit(submission: Submission): Promise<string>
  /** Asks for the order of a job that has none. An order that is there stays the only one. */
  order(job: JobToOrder): Promise<string>
  /** "Try again", "Refresh Status", "Retry now". */
  retry(id: string): Promise<void>
  discard(id: string): Promise<void>
  /**
   * Discards an upload that this device does not hold; `discard` takes that back for 10 s. Resolves
   * with the outbox row's id.
   */
  abortUpload(uploadRequestId: string): Promise<string>
  /** Names the asset of an upload that is on its way, or names it again. */
  nameAsset(asset: AssetToName): Promise<void>
  /** Deletes an asset; `discard` takes that back for 5 s. Resolves with the outbox row's id. */
  deleteAsset(mediaAssetId: string): Promise<string>
  /** Gives a video another name; resolves with the outbox row's id. */
  rename(renaming: Renaming): Promise<string>
}

/** A new name that the server does not have yet. */
export interface WaitingName {
  readonly outboxId: string
  readonly name: string
  /** The server refused it; only the person can go on. */
  readonly isRefused: boolean
}

/** New names of videos that the server does not have yet, by upload request. */
export function useWaitingNames(): ReadonlyMap<string, WaitingName> {
  const live = useLive('waiting-names', async (db) => {
    const rows = await db.outbox.toArray()
    return new Map(
      rows.flatMap(({ id, intent, state }) =>
        intent.kind === 'rename-video'
          ? [
              [
                intent.uploadRequestId,
                { outboxId: id, name: intent.name, isRefused: state.kind === 'refused' },
              ] as const,
            ]
          : [],
      ),
    )
  })
  return live.kind === 'ready' ? live.value : NO_NAMES
}
const NO_NAMES: ReadonlyMap<string, WaitingName> = new Map()

/** Commands of the outbox; null without an account. */
export function useOutboxActions(): OutboxActions | null {
  const { clock, ids } = useLocal()
  const account = useAccount()
  if (account === null) return null
  const { db } = account
  return {
    submit: (submission) => enqueueSubmission({ db, clock, ids }, submission),
    order: (job) => enqueueOrder({ db, clock, ids }, job),
    retry: (id) => retryIntention(db, id),
    discard: (id) => discardIntention(db, id),
    rename: (renaming) => enqueueRename({ db, clock, ids }, renaming),
    abortUpload: (uploadRequestId) => enqueueAbort({ db, clock, ids }, uploadRequestId),
    nameAsset: (asset) => enqueueAssetName({ db, clock, ids }, asset),
    deleteAsset: (mediaAssetId) => enqueueAssetDeletion({ db, clock, ids }, mediaAssetId),
  }
}
