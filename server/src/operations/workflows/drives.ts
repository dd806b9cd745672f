/** A connected drive, and the imports from it and saves to it that wait for it or end with it. */
import { inTransaction, type UserCtx } from '#server/context.ts'
import { markDisconnected, revoke } from '#server/operations/accounts/external-auths/disconnect.ts'
import { finishGoogleLogin } from '#server/operations/accounts/external-auths/finish.ts'
import type { DriveCtx } from '#server/operations/accounts/external-auths/login.ts'
import { cancelSavesTo } from '#server/operations/processing/drive-saves/cancel.ts'
import { resumeSavesTo } from '#server/operations/processing/drive-saves/enqueue.ts'
import {
  endImportsOfDrive,
  resumeImportsOfDrive,
} from '#server/operations/processing/imports/of-drive.ts'

/** Ends a login at Google as `finishGoogleLogin`, and goes on with what waited for the drive. */
export async function connectGoogleDrive(
  ctx: DriveCtx,
  answer: Parameters<typeof finishGoogleLogin>[1],
): Promise<string> {
  return await finishGoogleLogin(ctx, answer, async (ctx, { mayRead, maySave, ...drive }) => {
    if (mayRead) await resumeImportsOfDrive(ctx, drive)
    if (maySave) await resumeSavesTo(ctx, drive)
  })
}

/**
 * Disconnects a drive: from now on nothing is read from it and nothing saved to it, its imports and
 * saves end, its provider is asked to make the tokens worthless, and they are forgotten here.
 * Repeating is harmless. Refuses: `external-auths/not-found`.
 */
export async function disconnectDrive(
  ctx: UserCtx,
  { id }: { readonly id: string },
): Promise<void> {
  const found = await inTransaction(ctx, async (ctx) => {
    const row = await markDisconnected(ctx, { id })
    if (row !== null) await cancelSavesTo(ctx, { externalAuthId: id })
    return row
  })
  await endImportsOfDrive(ctx, { externalAuthId: id })
  // Only once it counts as disconnected: what Google answers changes nothing of that.
  if (found !== null) await revoke(ctx, found)
}
