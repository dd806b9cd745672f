import { abortLeftUploads, rememberLeftUploads, type LeftUploadsDeps } from './left-uploads.ts'
import type { Session } from './session.ts'
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
  clearPulledRows,
  wipeAccount,
  type WipeDeps,
  type WipeFailure,
} from '#src/local/db/wipe.ts'
import { isGoneAtServer } from '#src/local/db/upload-states.ts'
import type { Channel } from '#src/local/channel/channel.ts'
import type { Log } from '#src/lib/log.ts'
import type { Result } from '#src/lib/result.ts'

/** Signing out must not hang on a bad network; the server is told later. */
const LOGOUT_WITHIN_MS = 5000
/** The same of unfinished uploads, for which no session is there afterwards. */
const ABORT_WITHIN_MS = 3000

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
}

type TellDeps = Pick<SignOutDeps, 'api' | 'session' | 'deviceDb' | 'wipe' | 'digest'>

/**
 * Signs out here and at the server, then removes everything of the account from the device. Order:
 * workers end, the server gives up what was uploaded in part and is told (or, without network, will
 * be later), the readable cookie goes, other tabs let go, the data is deleted. Works offline;
 * idempotent. `wipe/blocked`: only an empty shell stayed, removed at the next start.
 */
export async function signOut(
  deps: SignOutDeps,
  userId: string,
  db: AccountDb | null,
): Promise<Result<void, WipeFailure>> {
  await endWork(deps)
  await writePendingLogout(deps.deviceDb, deps.session.mark())
  const leftCount = db?.isOpen() === true ? await remember(deps, userId, db) : 0
  deps.channel.send({ v: 1, type: 'account-wiping', userId })
  // Before the session ends: without one the server takes no such word.
  if (leftCount > 0)
    await abortLeftUploads(leftDeps(deps), userId, AbortSignal.timeout(ABORT_WITHIN_MS))
  const told = await tellServer(deps.api, LOGOUT_WITHIN_MS)
  if (isToldForGood(told)) await forgetPendingLogout(deps.deviceDb)
  deps.writeCookie(`${SESSION_COOKIE}=; Max-Age=0; Path=/; SameSite=Lax`)
  const wiped = await wipeAccount(deps.wipe, userId, db)
  await writeLastUserId(deps.deviceDb, null)
  deps.session.markSignedOut()
  return wiped
}

/**
 * What a session that ended by itself leaves behind (4.47): everything of the account is wiped,
 * except that unfinished uploads and intentions are kept, unseen, for the same account to sign in
 * again ("nothing is lost by that").
 */
export async function cleanUpEndedSession(
  deps: Pick<SignOutDeps, 'wipe' | 'deviceDb'>,
  userId: string,
  db: AccountDb,
  stopWork: () => Promise<void>,
): Promise<'wiped' | 'work-kept'> {
  if (await hasUnfinishedWork(db)) {
    await clearPulledRows(db)
    return 'work-kept'
  }
  await stopWork()
  await wipeAccount(deps.wipe, userId, db)
  await writeLastUserId(deps.deviceDb, null)
  return 'wiped'
}

/**
 * Finishes at a start what a sign-out could not: tells the server, removes databases that were
 * held. Call before the account's database is opened.
 */
export async function finishSignOuts(deps: TellDeps): Promise<void> {
  for (const userId of await readPendingWipes(deps.deviceDb))
    await wipeAccount(deps.wipe, userId, null)
  await tellLogout(deps)
}

/**
 * Tells the server what it could not be told: a sign-out, and uploads to give up. Call whenever the
 * network may be back or somebody signed in; idempotent.
 */
export async function reportSignOuts(deps: TellDeps): Promise<void> {
  await tellLogout(deps)
  const state = deps.session.current()
  if (state.kind === 'signed-in') await abortLeftUploads(leftDeps(deps), state.user._id)
}

/** A sign-in since then replaced the session's cookie; then there is no sign-out to tell. */
async function tellLogout(deps: TellDeps): Promise<void> {
  if (!(await hasPendingLogout(deps.deviceDb))) return
  const isSignedInAnew = (): boolean => deps.session.current().kind === 'signed-in'
  if (!isSignedInAnew())
    await abortLeftUploads(leftDeps(deps), null, AbortSignal.timeout(ABORT_WITHIN_MS))
  if (isSignedInAnew() || isToldForGood(await tellServer(deps.api, LOGOUT_WITHIN_MS)))
    await forgetPendingLogout(deps.deviceDb)
}

function leftDeps(deps: Omit<TellDeps, 'session'>): LeftUploadsDeps {
  return { api: deps.api, deviceDb: deps.deviceDb, clock: deps.wipe.clock, digest: deps.digest }
}

async function remember(deps: SignOutDeps, userId: string, db: AccountDb): Promise<number> {
  try {
    return await rememberLeftUploads(leftDeps(deps), userId, db)
  } catch {
    // A broken database must not keep anybody signed in; the server removes the parts by itself
    // after a week.
    deps.log.warn('unfinished uploads could not be remembered')
    return 0
  }
}

async function endWork(deps: SignOutDeps): Promise<void> {
  const outcomes = await Promise.allSettled(deps.stops().map((stop) => stop()))
  // A worker that could not be ended must not keep the data here; its database connection is cut by
  // the deletion.
  for (const outcome of outcomes)
    if (outcome.status === 'rejected') deps.log.error('ending work before sign-out failed')
}

async function tellServer(api: ApiClient, withinMs: number): Promise<Result<unknown, ApiFailure>> {
  return send(api.DELETE('/v1/auth/logout', { signal: AbortSignal.timeout(withinMs) }))
}

function isToldForGood(told: Result<unknown, ApiFailure>): boolean {
  return told.ok || statusOf(told.error) === 401
}

async function hasUnfinishedWork(db: AccountDb): Promise<boolean> {
  const openUploads = await db.uploads
    .filter((upload) => !isGoneAtServer(upload.state.kind))
    .count()
  return openUploads + (await db.outbox.count()) + (await db.paymentIntents.count()) > 0
}
