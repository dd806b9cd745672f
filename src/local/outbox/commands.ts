import type { AccountDb } from '#src/local/db/account-db.ts'
import { assetNameKey, awaitingAsset } from '#src/local/db/form-drafts.ts'
import type {
  ChooseSoundIntent,
  OutboxIntent,
  OutboxRow,
  RenameVideoIntent,
  SaveFaceReviewIntent,
  SubmitEditsIntent,
} from '#src/local/db/rows.ts'
import type { Ids } from '#src/lib/ids.ts'
import type { Clock } from '#src/lib/time.ts'

export interface CommandDeps {
  readonly db: AccountDb
  readonly ids: Ids
  readonly clock: Pick<Clock, 'now'>
}

/** What to submit: a device's upload, an upload request, or both when both are known. */
export interface Submission {
  readonly uploadId: string | null
  readonly uploadRequestId: string | null
  readonly requests: SubmitEditsIntent['requests']
  /**
   * Of the text that was confirmed with it (`features/upload/order/Attestation.tsx`); null for a
   * video that is attested already.
   */
  readonly attestedVersion: string | null
  /** The delivered edit that is made again; null for all other orders. */
  readonly redoOfTaskId: string | null
  /** Key of the selection to empty with it; null to leave all. */
  readonly selectionKey: string | null
}

const NOTHING_MEASURED = {
  isReceived: false,
  needsAnalysis: false,
  isAnalysed: false,
  polls: 0,
  polledForMs: 0,
} as const

/**
 * Saves "Submit for Editing" on this device and empties the selection, in one transaction; the
 * outbox sends it as soon as it can. Submitting again for the same upload, or the same redo, while
 * the first still waits for its job, replaces the first one's edits. Local write. @returns the
 * outbox row's id
 */
export async function enqueueSubmission(
  deps: CommandDeps,
  submission: Submission,
): Promise<string> {
  const { db } = deps
  return db.transaction('rw', db.outbox, db.selections, async () => {
    await dropReplaced(db, submission)
    const row = newRow(deps, {
      kind: 'submit-edits',
      uploadId: submission.uploadId,
      uploadRequestId: submission.uploadRequestId,
      requests: submission.requests,
      attestedVersion: submission.attestedVersion,
      redoOfTaskId: submission.redoOfTaskId,
      mediaJobId: null,
      stage: submission.uploadRequestId === null ? 'waiting-for-upload' : 'creating-job',
      ...NOTHING_MEASURED,
    })
    await db.outbox.add(row)
    if (submission.selectionKey !== null) await db.selections.delete(submission.selectionKey)
    return row.id
  })
}

/** A job as its order needs it. */
export interface JobToOrder {
  readonly _id: string
  readonly uploadRequestId: string
  readonly mediaJobTaskRequests: SubmitEditsIntent['requests']
}

/**
 * Saves on this device that a job needs its order. The server makes one order of a job, so this is
 * harmless where there is one, also a paid one. Local write. @returns the outbox row's id
 */
export async function enqueueOrder(deps: CommandDeps, job: JobToOrder): Promise<string> {
  const { db } = deps
  return db.transaction('rw', db.outbox, async () => {
    const isOfJob = ({ intent }: OutboxRow): boolean =>
      intent.kind === 'submit-edits' && intent.mediaJobId === job._id
    const present = await db.outbox.filter(isOfJob).first()
    if (present !== undefined) return present.id
    const row = newRow(deps, {
      kind: 'submit-edits',
      uploadId: null,
      uploadRequestId: job.uploadRequestId,
      requests: job.mediaJobTaskRequests,
      mediaJobId: job._id,
      stage: 'creating-order',
      ...NOTHING_MEASURED,
    })
    await db.outbox.add(row)
    return row.id
  })
}

/** How long a discard can be taken back: as long as that of an upload of this device. */
const UNDO_ABORT_MS = 10_000

/**
 * Saves that the server has to forget an upload that this device does not hold, after 10 s in which
 * `discardIntention` takes it back. Local write. @returns the outbox row's id
 */
export async function enqueueAbort(deps: CommandDeps, uploadRequestId: string): Promise<string> {
  const row = newRow(deps, { kind: 'abort-upload', uploadRequestId })
  await deps.db.outbox.add({ ...row, notBeforeEpochMs: deps.clock.now() + UNDO_ABORT_MS })
  return row.id
}

/** An asset as a person names it. */
export interface AssetToName {
  readonly uploadId: string
  readonly name: string
  readonly draftKey: string | null
}

/**
 * Saves the name of an asset whose file is on its way, and forgets what its form held. Naming it
 * again changes the name. Local write.
 */
export async function enqueueAssetName(deps: CommandDeps, asset: AssetToName): Promise<void> {
  const { db } = deps
  const intent = { kind: 'create-media-asset', ...asset } as const
  await db.transaction('rw', db.outbox, db.drafts, async () => {
    await db.outbox.filter((row) => isNameOf(row, asset.uploadId)).delete()
    await db.outbox.add(newRow(deps, intent))
    await db.drafts.delete(assetNameKey(asset.uploadId))
    const waiting = asset.draftKey === null ? undefined : await db.drafts.get(asset.draftKey)
    if (waiting !== undefined)
      await db.drafts.put(awaitingAsset(waiting, { uploadId: asset.uploadId }))
  })
}

/** How long the deletion of an asset can be taken back. */
const UNDO_DELETE_ASSET_MS = 5000

/**
 * Saves that an asset is to be deleted, after 5 s in which `discardIntention` takes it back. Local
 * write. @returns the outbox row's id
 */
export async function enqueueAssetDeletion(
  deps: CommandDeps,
  mediaAssetId: string,
): Promise<string> {
  const row = newRow(deps, { kind: 'delete-media-asset', mediaAssetId })
  await deps.db.outbox.add({
    ...row,
    notBeforeEpochMs: deps.clock.now() + UNDO_DELETE_ASSET_MS,
  })
  return row.id
}

function isNameOf({ intent }: OutboxRow, uploadId: string): boolean {
  return intent.kind === 'create-media-asset' && intent.uploadId === uploadId
}

/** A video by one of its jobs, and what it is to be called. */
export type Renaming = Omit<RenameVideoIntent, 'kind'>

/**
 * Saves another name of a video on this device; the outbox sends it as soon as it can. Takes the
 * place of an older one that was not sent. Local write. @returns the outbox row's id
 */
export async function enqueueRename(deps: CommandDeps, renaming: Renaming): Promise<string> {
  const { db } = deps
  return db.transaction('rw', db.outbox, async () => {
    await db.outbox
      .filter(
        ({ intent }) =>
          intent.kind === 'rename-video' && intent.uploadRequestId === renaming.uploadRequestId,
      )
      .delete()
    const row = newRow(deps, { kind: 'rename-video', ...renaming })
    await db.outbox.add(row)
    return row.id
  })
}

/** A video, and which of its sounds its edits use. */
export type SoundChosen = Omit<ChooseSoundIntent, 'kind'>

/**
 * Saves on this device which sound the edits of a video use; the outbox sends it as soon as it can.
 * Takes the place of an older choice that was not sent. Local write.
 */
export async function enqueueSoundChoice(deps: CommandDeps, chosen: SoundChosen): Promise<void> {
  const { db } = deps
  await db.transaction('rw', db.outbox, async () => {
    await db.outbox.filter((row) => isSoundOf(row, chosen.uploadRequestId)).delete()
    await db.outbox.add(newRow(deps, { kind: 'choose-sound', ...chosen }))
  })
}

/** The choice of a video's sound that the server does not have yet. Local read. */
export async function findSoundChoice(
  db: AccountDb,
  uploadRequestId: string,
): Promise<(OutboxRow & { readonly intent: ChooseSoundIntent }) | null> {
  for (const row of await db.outbox.toArray())
    if (row.intent.kind === 'choose-sound' && row.intent.uploadRequestId === uploadRequestId)
      return { ...row, intent: row.intent }
  return null
}

function isSoundOf({ intent }: OutboxRow, uploadRequestId: string): boolean {
  return intent.kind === 'choose-sound' && intent.uploadRequestId === uploadRequestId
}

/** Decisions about the faces of an edit, and the server's revision that they are based on. */
export type FaceDecided = Pick<SaveFaceReviewIntent, 'taskId' | 'basedOn' | 'decisions'>

/**
 * Saves decisions on this device; the outbox sends them as soon as it can. They take the place of
 * those of the same edit that are not sent yet, and stay based on what those were based on. Local
 * write.
 */
export async function enqueueFaceDecisions(deps: CommandDeps, decided: FaceDecided): Promise<void> {
  const { db } = deps
  await db.transaction('rw', db.outbox, db.faceReviews, async () => {
    const present = await findFaceDecisions(db, decided.taskId)
    // The answer to the last ones may have come since the screen was drawn.
    const known = await db.faceReviews.get(decided.taskId)
    const basedOn = known?.value.revision ?? decided.basedOn
    if (present === null)
      await db.outbox.add(
        newRow(deps, { kind: 'save-face-review', sent: null, ...decided, basedOn }),
      )
    else
      await db.outbox.put({
        ...present,
        intent: { ...present.intent, decisions: decided.decisions },
      })
  })
}

/** Saves decisions over those of another device, which were shown. Local write. */
export async function insistOnFaceDecisions(db: AccountDb, decided: FaceDecided): Promise<void> {
  await db.transaction('rw', db.outbox, async () => {
    const present = await findFaceDecisions(db, decided.taskId)
    if (present === null) return
    await db.outbox.put({
      ...present,
      intent: { ...present.intent, ...decided, sent: null },
      state: { kind: 'waiting' },
      attempt: 0,
      notBeforeEpochMs: 0,
    })
  })
}

/** The decisions about an edit that the server does not have yet. Local read. */
export async function findFaceDecisions(
  db: AccountDb,
  taskId: string,
): Promise<(OutboxRow & { readonly intent: SaveFaceReviewIntent }) | null> {
  for (const row of await db.outbox.toArray())
    if (row.intent.kind === 'save-face-review' && row.intent.taskId === taskId)
      return { ...row, intent: row.intent }
  return null
}

/**
 * Takes an intention back. What the server accepted of it already stays there. Local write;
 * harmless when it is gone.
 */
export async function discardIntention(db: AccountDb, id: string): Promise<void> {
  await db.outbox.delete(id)
}

/**
 * Tries an intention again, also a refused one, with the same keys: "Try again" and "Refresh
 * Status". Local write.
 */
export async function retryIntention(db: AccountDb, id: string): Promise<void> {
  await db.transaction('rw', db.outbox, async () => {
    const row = await db.outbox.get(id)
    if (row === undefined) return
    const intent: OutboxIntent =
      row.intent.kind === 'submit-edits' ? { ...row.intent, polls: 0, polledForMs: 0 } : row.intent
    await db.outbox.put({
      ...row,
      intent,
      state: { kind: 'waiting' },
      attempt: 0,
      notBeforeEpochMs: 0,
    })
  })
}

async function dropReplaced(db: AccountDb, submission: Submission): Promise<void> {
  const isSame = (row: OutboxRow): boolean =>
    row.intent.kind === 'submit-edits' &&
    (row.intent.redoOfTaskId ?? null) === submission.redoOfTaskId &&
    ((submission.uploadId !== null && row.intent.uploadId === submission.uploadId) ||
      (submission.uploadRequestId !== null &&
        row.intent.uploadRequestId === submission.uploadRequestId))
  await db.outbox.filter(isSame).delete()
}

function newRow(deps: CommandDeps, intent: OutboxIntent): OutboxRow {
  return {
    id: deps.ids.uuid(),
    intent,
    idempotencyKey: deps.ids.uuid(),
    state: { kind: 'waiting' },
    attempt: 0,
    notBeforeEpochMs: 0,
    createdAtEpochMs: deps.clock.now(),
  }
}
