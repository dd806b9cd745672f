import { endWork } from './end-work.ts'
import { abortLeftUploads, rememberLeftUploads, type LeftUploadsDeps } from './left-uploads.ts'
import type { Session } from './session.ts'
import { hasUnfinishedWork, wipeForgottenAccounts } from './waiting-accounts.ts'
import type { ApiClient } from '#src/api/client.ts'
import { statusOf, type ApiFailure } from '#src/api/errors.ts'
import { send } from '#src/api/send.ts'
import { SESSION_COOKIE } from '#src/config/paths.ts'
import type { AccountDb } from '#src/local/db/account-db.ts'
import {
  forgetPendingLogout,
  hasPendingLogout,
  readPendingWipes,
  writeLastUserId,
  writePendingLogout,
  type DeviceDb,
} from '#src/local/db/device-db.ts'
import {
  clearAllButWork,
  clearKeptFiles,
  removeOwnerlessFiles,
  wipeAccount,
  type WipeDeps,
  type WipeFailure,
} from '#src/local/db/wipe.ts'
import { dropSharedFilesOf } from '#src/local/db/shared-files.ts'
import type { Channel } from '#src/local/channel/channel.ts'
import type { Log } from '#src/lib/log.ts'
import type { Result } from '#src/lib/result.ts'

/** Signing out must not hang on a bad network; it is reported later. */
const LOGOUT_WITHIN_MS = 5000
/** The same of unfinished uploads, for which no session is there afterwards. */
const ABORT_WITHIN_MS = 3000
/** The same where no person waits for it: a slow line needs longer. */
const ABORT_LATER_WITHIN_MS = 30_000

export interface SignOutDeps {
  readonly api: ApiClient
  readonly session: Session
  readonly channel: Channel
  readonly deviceDb: DeviceDb
  readonly wipe: WipeDeps
  readonly log: Log
  /** SHA-256. */
  readonly digest: (bytes: ArrayBuffer) => Promise<ArrayBuffer>
  /** Writes one `document.cookie` assignment. */
  readonly writeCookie: (assignment: string) => void
  /**
   * Ends workers and other users of the account's data, in any order; all are awaited before
   * anything is deleted.
   */
  readonly stops: () => readonly (() => Promise<void>)[]
  /** Ends the server's messages to this device, also offline; never rejects. */
  readonly endPushes: () => Promise<void>
}

type ReportDeps = Pick<SignOutDeps, 'api' | 'session' | 'deviceDb' | 'wipe' | 'digest'>

/**
 * Signs out here and at the server, then removes everything of the account from the device. Order:
 * messages to the device and workers end, other tabs let go, kept files go, the server gives up
 * what was uploaded in part and is told (or, without network, will be later), the readable cookie
 * goes, the data is deleted. Works offline; idempotent. `wipe/blocked`: only an empty shell stayed,
 * removed at the next start.
 */
export async function signOut(
  deps: SignOutDeps,
  userId: string,
  db: AccountDb | null,
): Promise<Result<void, WipeFailure>> {
  const pushesEnd = deps.endPushes()
  await endWork({ clock: deps.wipe.clock, log: deps.log }, deps.stops())
  await writePendingLogout(deps.deviceDb, deps.session.mark())
  const leftCount = db?.isOpen() === true ? await remember(deps, userId, db) : 0
  deps.channel.send({ v: 1, type: 'account-wiping', userId })
  // A server that does not answer must not hold them here. What fails, the wipe does again.
  await clearKeptFiles(deps.wipe, userId, db).catch(() => undefined)
  // Before the session ends: without one the server refuses it.
  if (leftCount > 0)
    await abortLeftUploads(leftDeps(deps), userId, AbortSignal.timeout(ABORT_WITHIN_MS))
  const answer = await logOutAtServer(deps.api, LOGOUT_WITHIN_MS)
  if (isSettled(answer)) await forgetPendingLogout(deps.deviceDb)
  await pushesEnd
  deps.writeCookie(`${SESSION_COOKIE}=; Max-Age=0; Path=/; SameSite=Lax`)
  if (deps.wipe.files !== null) await dropSharedFilesOf(deps.deviceDb, deps.wipe.files, userId)
  const wiped = await wipeAccount(deps.wipe, userId, db)
  await writeLastUserId(deps.deviceDb, null)
  deps.session.markSignedOut()
  return wiped
}

/**
 * What a session that ended without a sign-out leaves: everything of the account is wiped, except
 * that unfinished uploads and intentions are kept, unseen, for the same account to sign in again
 * (docs/product-decisions.md#leaving-the-device).
 */
export async function cleanUpEndedSession(
  deps: Pick<SignOutDeps, 'wipe' | 'deviceDb'>,
  userId: string,
  db: AccountDb,
  stopWork: () => Promise<void>,
): Promise<'wiped' | 'work-kept'> {
  if (await hasUnfinishedWork(db)) {
    await clearAllButWork(deps.wipe, userId, db)
    return 'work-kept'
  }
  await stopWork()
  await wipeAccount(deps.wipe, userId, db)
  await writeLastUserId(deps.deviceDb, null)
  return 'wiped'
}

/**
 * Finishes at a start what a sign-out could not: reports it to the server, removes databases that
 * were held, files without an account, and work that has waited too long for its account. Call
 * before the account's database is opened.
 */
export async function finishSignOuts(deps: ReportDeps): Promise<void> {
  for (const userId of await readPendingWipes(deps.deviceDb))
    await wipeAccount(deps.wipe, userId, null)
  const state = deps.session.current()
  await wipeForgottenAccounts(deps.wipe, state.kind === 'signed-out' ? null : state.user._id)
  // No person waits for it; it is tried again at each start.
  void removeOwnerlessFiles(deps.wipe).catch(() => undefined)
  await reportLogout(deps, ABORT_WITHIN_MS)
}

/**
 * Reports to the server what could not be reported before: a sign-out, and uploads to delete. Call
 * whenever the network may be back or a user signed in; idempotent.
 */
export async function reportSignOuts(deps: ReportDeps): Promise<void> {
  await reportLogout(deps, ABORT_LATER_WITHIN_MS)
  const state = deps.session.current()
  if (state.kind === 'signed-in') await abortLeftUploads(leftDeps(deps), state.user._id)
}

/** A sign-in since then replaced the session's cookie; then there is no sign-out to report. */
async function reportLogout(deps: ReportDeps, abortWithinMs: number): Promise<void> {
  if (!(await hasPendingLogout(deps.deviceDb))) return
  const isSignedInAgain = (): boolean => deps.session.current().kind === 'signed-in'
  if (!isSignedInAgain())
    await abortLeftUploads(leftDeps(deps), null, AbortSignal.timeout(abortWithinMs))
  if (isSignedInAgain() || isSettled(await logOutAtServer(deps.api, LOGOUT_WITHIN_MS)))
    await forgetPendingLogout(deps.deviceDb)
}

function leftDeps(deps: Omit<ReportDeps, 'session'>): LeftUploadsDeps {
  return { api: deps.api, deviceDb: deps.deviceDb, clock: deps.wipe.clock, digest: deps.digest }
}

async function remember(deps: SignOutDeps, userId: string, db: AccountDb): Promise<number> {
  try {
    return await rememberLeftUploads(leftDeps(deps), userId, db)
  } catch {
    // A broken database must not prevent the sign-out; the server deletes the parts after a week.
    deps.log.warn('unfinished uploads could not be remembered')
    return 0
  }
}

async function logOutAtServer(
  api: ApiClient,
  withinMs: number,
): Promise<Result<unknown, ApiFailure>> {
  return send(api.DELETE('/v1/auth/logout', { signal: AbortSignal.timeout(withinMs) }))
}

function isSettled(answer: Result<unknown, ApiFailure>): boolean {
  return answer.ok || statusOf(answer.error) === 401
}
