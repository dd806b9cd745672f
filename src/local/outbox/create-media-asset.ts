import type { RowOf, StepDeps, StepOutcome } from './steps.ts'
import { send } from '#src/api/send.ts'
import { IDEMPOTENCY_HEADER } from '#src/config/paths.ts'
import type { AccountDb } from '#src/local/db/account-db.ts'
import { dismissReceipt } from '#src/local/db/dismiss-receipt.ts'
import { awaitingAsset } from '#src/local/db/form-drafts.ts'
import { putUnlessNewer } from '#src/local/db/put.ts'
import type { CreateMediaAssetIntent } from '#src/local/db/rows.ts'
import { mediaAssets } from '#src/local/nouns/media-assets.ts'

/**
 * True once nothing is to be waited for: the upload is done, or given up, and no discard of it can
 * still be taken back.
 */
export async function isAssetDue(db: AccountDb, intent: CreateMediaAssetIntent): Promise<boolean> {
  const upload = await db.uploads.get(intent.uploadId)
  if (upload === undefined || upload.state.kind === 'discarded') return true
  return upload.state.kind === 'done' && !(await isDiscarding(db, upload.uploadRequestId))
}

/**
 * Makes an asset of an upload that is done. One that was given up takes its name with it; one that
 * failed keeps it until the person starts it over or discards it.
 */
export async function stepCreateMediaAsset(
  deps: StepDeps,
  row: RowOf<CreateMediaAssetIntent>,
  signal?: AbortSignal,
): Promise<StepOutcome> {
  const { db } = deps
  const { uploadId, name, draftKey } = row.intent
  if (!(await isAssetDue(db, row.intent))) return { kind: 'wait', notBeforeEpochMs: Infinity }
  const upload = await db.uploads.get(uploadId)
  const uploadRequestId = upload?.state.kind === 'done' ? upload.uploadRequestId : null
  if (uploadRequestId === null) {
    await db.outbox.delete(row.id)
    return { kind: 'done' }
  }
  const askedAtEpochMs = deps.clock.now()
  const answer = await send(
    deps.api.POST('/v1/media-assets', {
      params: { header: { [IDEMPOTENCY_HEADER]: row.idempotencyKey } },
      body: { mediaAsset: { uploadRequestId, name } },
      ...(signal === undefined ? {} : { signal }),
    }),
  )
  if (!answer.ok) return { kind: 'failed', failure: answer.error }
  const { mediaAsset } = answer.value
  await db.transaction('rw', db.outbox, db.mediaAssets, db.uploads, db.drafts, async () => {
    await putUnlessNewer(db.mediaAssets, [mediaAssets.toRow(mediaAsset, askedAtEpochMs)])
    await db.outbox.delete(row.id)
    await dismissReceipt(db, uploadId, deps.clock.now())
    const waiting = draftKey === null ? undefined : await db.drafts.get(draftKey)
    if (waiting !== undefined)
      await db.drafts.put(awaitingAsset(waiting, { mediaAssetId: mediaAsset._id }))
  })
  return { kind: 'done' }
}

async function isDiscarding(db: AccountDb, uploadRequestId: string | null): Promise<boolean> {
  const found = await db.outbox
    .filter(
      ({ intent }) => intent.kind === 'abort-upload' && intent.uploadRequestId === uploadRequestId,
    )
    .first()
  return found !== undefined
}
