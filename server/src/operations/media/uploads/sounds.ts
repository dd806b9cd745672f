import { eq } from 'drizzle-orm'
import { inTransaction, type TxCtx, type UserCtx } from '#server/context.ts'
import type { UploadRow } from '#server/db/rows.ts'
import { uploadRequests } from '#server/db/schema.ts'
import type { SoundChoice } from '#server/media/sounds.ts'
import { readStoredMoments, readStoredProbe, readStoredSounds } from '#server/media/stored-probe.ts'
import { Problem } from '#server/problems.ts'
import { findUpload, lockUpload } from './find.ts'
import { refuseDead } from './refuse-dead.ts'

/** The sounds of a video between which its owner chooses; numbers count from 0. */
export interface UploadSounds {
  readonly uploadId: string
  readonly isChecked: boolean
  /** Null while nothing is chosen. */
  readonly chosen: number | null
  /** Empty where there is no choice, and before the check. */
  readonly sounds: readonly SoundChoice[]
  /** The one that edits use; null before the check. */
  readonly taken: number | null
}

/**
 * Refuses: `uploads/not-found`, `uploads/other-purpose`, `uploads/aborted`, `uploads/failed`,
 * `uploads/held`.
 */
export async function readUploadSounds(
  ctx: UserCtx,
  { id }: { readonly id: string },
): Promise<UploadSounds> {
  return soundsOf(refuseUnfit(await findUpload(ctx, { id })))
}

/** What follows in the same transaction when a checked video got another length by its sound. */
type AfterChange = (ctx: TxCtx, upload: { readonly uploadRequestId: string }) => Promise<void>

/**
 * Stores which sound the edits of a video use, those that are made from now on. Before the check of
 * the video it is a wish, which the check follows where it can. Repeating changes nothing: it is
 * the upload's own row. Refuses: as `readUploadSounds`, and `uploads/no-such-sound` for a sound
 * that is not in the list of a checked video.
 */
export async function chooseUploadSound(
  ctx: UserCtx,
  { id, sound }: { readonly id: string; readonly sound: number },
  afterChange: AfterChange,
): Promise<UploadSounds> {
  return await inTransaction(ctx, async (ctx) => {
    const upload = refuseUnfit(await findUpload(ctx, { id, lock: 'update' }))
    const change =
      upload.state === 'validated' ? changeTo(upload, sound) : ({ chosenSound: sound } as const)
    await ctx.db.update(uploadRequests).set(change).where(eq(uploadRequests.id, id))
    if (upload.state === 'validated') await afterChange(ctx, { uploadRequestId: id })
    return soundsOf({ ...upload, ...change })
  })
}

/**
 * Takes the sound that the owner of a video chose before its check, where the check has found it.
 * Belongs in the transaction that stores what the check found.
 */
export async function followWish(
  ctx: TxCtx,
  { uploadRequestId }: { readonly uploadRequestId: string },
): Promise<void> {
  const upload = await lockUpload(ctx, uploadRequestId)
  const wish = upload?.chosenSound ?? null
  if (upload === undefined || wish === null) return
  const isThere = readStoredSounds(upload.sounds).some(({ number }) => number === wish)
  await ctx.db
    .update(uploadRequests)
    .set(isThere ? changeTo(upload, wish) : { chosenSound: null })
    .where(eq(uploadRequests.id, uploadRequestId))
}

/** What of a row follows from its sound. */
type SoundChange = Pick<UploadRow, 'chosenSound' | 'probe' | 'findings' | 'moments'>

/** Throws `uploads/no-such-sound`. */
function changeTo(upload: UploadRow, sound: number): SoundChange {
  const choice = readStoredSounds(upload.sounds).find(({ number }) => number === sound)
  if (choice === undefined)
    throw new Problem(
      'uploads/no-such-sound',
      'This video has no such sound to choose. Please choose one that is listed.',
    )
  return {
    chosenSound: sound,
    probe: choice.probe,
    findings: choice.findings,
    moments: momentsWithin(upload, choice.probe.durationMs),
  }
}

/**
 * Moments are of pictures alone, so that they stay. Where a sound made the video longer than its
 * pictures, what was found behind the end of the new one goes.
 */
function momentsWithin({ moments }: UploadRow, durationMs: number): UploadRow['moments'] {
  const found = readStoredMoments(moments)
  return found === null
    ? moments
    : found.filter(({ atMs, lengthMs }) => atMs + lengthMs <= durationMs)
}

function refuseUnfit(upload: UploadRow): UploadRow {
  if (upload.purpose !== 'media-job')
    throw new Problem(
      'uploads/other-purpose',
      'This file was uploaded as a media asset. The sound can be chosen of a video only.',
    )
  refuseDead(upload)
  return upload
}

function soundsOf(upload: UploadRow): UploadSounds {
  const probe = upload.state === 'validated' ? readStoredProbe(upload.probe) : null
  return {
    uploadId: upload.id,
    isChecked: probe !== null,
    chosen: upload.chosenSound,
    sounds: readStoredSounds(upload.sounds),
    taken: probe === null ? null : (probe.tracks?.sound ?? 0),
  }
}
