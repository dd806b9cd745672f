import { FORGOTTEN_AFTER_MS } from './left-uploads.ts'
import type { AccountDb } from '#src/local/db/account-db.ts'
import { readWaitingAccounts, writeWaitingAccount } from '#src/local/db/device-db.ts'
import { isGoneAtServer } from '#src/local/db/upload-states.ts'
import { wipeAccount, wipeAllButWork, type WipeDeps } from '#src/local/db/wipe.ts'

/**
 * [Note: waiting account] Another account that signs in on this device destroys nothing of the one
 * before: its unfinished uploads with their handles and copies, its intentions, its payments
 * without an answer and the edits that only this device has stay in its own database and folder,
 * which only its own sign-in opens again. Everything else of it is wiped. Nothing of it is shown or
 * sent meanwhile, and the server is asked for nothing.
 */

/**
 * Makes an account wait that is not signed in any more, or wipes it where it has no work. Local
 * only, idempotent. End the workers first.
 * @param db its open database; closed afterwards
 */
export async function leaveBehind(deps: WipeDeps, userId: string, db: AccountDb): Promise<void> {
  if (!(await hasUnfinishedWork(db))) return void (await wipeAccount(deps, userId, db))
  await writeWaitingAccount(deps.deviceDb, userId, deps.clock.now())
  await wipeAllButWork(deps, userId, db)
}

/**
 * Wipes the accounts that have waited for more than 8 days: copies of a person's videos must not
 * stay on a shared device for ever. Local only, idempotent.
 * @param exceptUserId whose session this is; its account waits no more
 */
export async function wipeForgottenAccounts(
  deps: WipeDeps,
  exceptUserId: string | null,
): Promise<void> {
  for (const { userId, sinceEpochMs } of await readWaitingAccounts(deps.deviceDb)) {
    if (userId === exceptUserId || deps.clock.now() - sinceEpochMs <= FORGOTTEN_AFTER_MS) continue
    await wipeAccount(deps, userId, null)
    await writeWaitingAccount(deps.deviceDb, userId, null)
  }
}

/** True while this device has something of the account that the server does not have yet. */
export async function hasUnfinishedWork(db: AccountDb): Promise<boolean> {
  const openUploads = await db.uploads
    .filter((upload) => !isGoneAtServer(upload.state.kind))
    .count()
  const chosenEdits = await db.selections.filter(({ requests }) => requests.length > 0).count()
  const intentions = (await db.outbox.count()) + (await db.paymentIntents.count())
  const madeHere = await db.madeFiles.filter(({ state }) => state.kind === 'ready').count()
  return openUploads + chosenEdits + intentions + madeHere > 0
}
