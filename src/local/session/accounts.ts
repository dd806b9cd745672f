import { endWork } from './end-work.ts'
import type { Session } from './session.ts'
import { cleanUpEndedSession } from './sign-out.ts'
import { leaveBehind } from './waiting-accounts.ts'
import { openAccountDb, type AccountDb } from '#src/local/db/account-db.ts'
import {
  readLastUserId,
  reopenDeviceDb,
  writeLastUserId,
  writeWaitingAccount,
  type DeviceDb,
} from '#src/local/db/device-db.ts'
import { openPatiently } from '#src/local/db/open-patiently.ts'
import type { RowSeal } from '#src/local/db/sealed-rows.ts'
import type { WipeDeps } from '#src/local/db/wipe.ts'
import { describeBug } from '#src/lib/describe-bug.ts'
import type { Log } from '#src/lib/log.ts'
import { createSerial } from '#src/lib/serial.ts'
import { createSettable, type Settable, type Subscribable } from '#src/lib/subscribable.ts'
import { SECOND_MS } from '#src/lib/time.ts'

const REOPEN_TRIES = 10
const REOPEN_AFTER_MS = 500
/** Long for empty databases, which take some 30 ms, and short for a person who waits. */
const REOPEN_WITHIN_MS = 2 * SECOND_MS

/** An account's database and what runs over it. */
export interface OpenAccount {
  readonly userId: string
  readonly db: AccountDb
  /**
   * Ends what runs over the database and waits for it; closing the database stays with the code
   * that opened it.
   */
  stop(): Promise<void>
}

export interface AccountsDeps<A extends OpenAccount> {
  readonly wipe: WipeDeps
  readonly deviceDb: DeviceDb
  readonly log: Log
  readonly open: (userId: string) => Promise<A>
  /** How an account's rows are sealed; null without an app lock. Rejects where it is locked. */
  readonly sealOf: (userId: string) => Promise<RowSeal | null>
  /** Ends the server's messages to this device, also offline; never rejects. */
  readonly endPushes: () => Promise<void>
  /** Called when the account's data was deleted under this page; what is left is open by then. */
  readonly onDeleted: () => void
  /** Further users of the account's data (workers); each may be called more than once. */
  readonly stops: ReadonlySet<() => Promise<void>>
}

/**
 * Which account is open: the same object until it changes, null for none. Changes are made one
 * after another, so that a fast sign-out and sign-in cannot mix.
 */
export interface Accounts<A extends OpenAccount> extends Subscribable<A | null> {
  stopCurrent(): Promise<void>
  /** Makes the open account agree with the session; removes what an ended session left. */
  follow(session: Session): Promise<void>
  /** Another tab wipes this account: end work and close. */
  letGo(userId: string): Promise<void>
  /** Runs a sign-out, then shows no account. */
  leave<T>(task: (db: AccountDb | null) => Promise<T>): Promise<T>
}

/** The accounts of this page; none is open until `follow` was called. */
export function createAccounts<A extends OpenAccount>(deps: AccountsDeps<A>): Accounts<A> {
  const account = createSettable<A | null>(null)
  const serially = createSerial((thrown) =>
    deps.log.error('changing the account failed', describeBug(thrown)),
  )
  const follow = async (session: Session): Promise<void> => {
    const state = session.current()
    if (state.kind === 'signed-in') return enter(deps, account, state.user._id)
    const userId = state.kind === 'ended' ? state.user._id : await readLastUserId(deps.deviceDb)
    if (userId === null) return close(deps, account)
    return cleanUp(deps, account, userId)
  }
  return {
    current: account.current,
    subscribe: account.subscribe,
    stopCurrent: async () => account.current()?.stop(),
    follow: (session) => serially(() => follow(session)),
    letGo: (userId) =>
      serially(async () => {
        if (account.current()?.userId === userId) await close(deps, account)
      }),
    leave: (task) =>
      serially(async () => {
        const outcome = await task(account.current()?.db ?? null)
        account.become(null)
        return outcome
      }),
  }
}

/** Opens this user's account; another one that was used here waits. See [Note: waiting account]. */
async function enter<A extends OpenAccount>(
  deps: AccountsDeps<A>,
  account: Settable<A | null>,
  userId: string,
): Promise<void> {
  const present = account.current()
  if (present?.userId === userId) return present.db.isOpen() ? undefined : reopen(deps, account)
  if (present !== null) await close(deps, account)
  // Each page that had the other account open clears it again, so that the last write of the last
  // page is cleared too.
  const others = new Set([present?.userId ?? null, await readLastUserId(deps.deviceDb)])
  for (const otherId of others)
    if (otherId !== null && otherId !== userId) {
      await deps.endPushes()
      await leaveBehind(deps.wipe, otherId, await openDb(deps, otherId))
    }
  await writeWaitingAccount(deps.deviceDb, userId, null)
  await writeLastUserId(deps.deviceDb, userId)
  account.become(
    await openPatiently({ ...deps, clock: deps.wipe.clock }, () => deps.open(userId), endLate),
  )
}

async function openDb(
  { wipe, log, sealOf }: Pick<AccountsDeps<OpenAccount>, 'wipe' | 'log' | 'sealOf'>,
  userId: string,
): Promise<AccountDb> {
  const seal = await sealOf(userId)
  return openPatiently(
    { clock: wipe.clock, log },
    () => openAccountDb(userId, wipe.dbOptions, seal),
    closeForGood,
  )
}

/** Ends an account that the browser opened when no page waited for it any more. */
async function endLate(late: OpenAccount): Promise<void> {
  await late.stop()
  closeForGood(late.db)
}

function closeForGood(db: AccountDb): void {
  db.close({ disableAutoOpen: true })
}

/** Opens the present account again, whose database was taken away from this page. */
async function reopen<A extends OpenAccount>(
  deps: AccountsDeps<A>,
  account: Settable<A | null>,
): Promise<void> {
  const lost = account.current()
  if (lost === null) return
  await stopAll(deps, account)
  const { opened, isDeleted } = await openAgain(deps, {
    open: async () => {
      await writeLastUserId(deps.deviceDb, lost.userId)
      const again = await deps.open(lost.userId)
      // A worker that was quicker has made the database already; what is pulled only pages write.
      const isEmpty = again.db.isNew || (await again.db.facts.count()) === 0
      return { opened: again, isDeleted: isEmpty }
    },
    end: ({ opened: late }) => endLate(late),
  })
  account.become(opened)
  if (isDeleted) deps.onDeleted()
}

/**
 * Opens what the browser took away. One that still deletes the data of the site refuses new
 * databases for a moment, and Chromium leaves some requests without any answer.
 */
async function openAgain<T>(
  { deviceDb, wipe, log }: AccountsDeps<OpenAccount>,
  { open, end }: { readonly open: () => Promise<T>; readonly end: (late: T) => Promise<void> },
): Promise<T> {
  for (let attempt = 1; attempt < REOPEN_TRIES; attempt += 1) {
    const opening = attempt === 1 ? open() : reopenDeviceDb(deviceDb).then(open)
    try {
      const first = await Promise.race([
        opening.then((opened) => ({ opened })),
        wipe.clock.sleep(REOPEN_WITHIN_MS),
      ])
      if (first !== undefined) return first.opened
      log.warn('the browser does not answer whether the account can be opened again')
      void opening.then(end).catch(() => undefined)
    } catch (thrown) {
      log.warn('the account could not be opened again', describeBug(thrown))
      await wipe.clock.sleep(REOPEN_AFTER_MS)
    }
  }
  return open()
}

/** Removes what an ended session left; the account stays open while unfinished work is kept. */
async function cleanUp<A extends OpenAccount>(
  deps: AccountsDeps<A>,
  account: Settable<A | null>,
  userId: string,
): Promise<void> {
  const present = account.current()
  const own = present?.userId === userId ? present.db : null
  const db =
    own?.isOpen() === true
      ? own
      : await openAgain(deps, {
          open: async () => openAccountDb(userId, deps.wipe.dbOptions, await deps.sealOf(userId)),
          end: (late) => Promise.resolve(closeForGood(late)),
        })
  // A database that this visit made stays 'new' for as long as it is open, with all that is in it.
  if (own !== null && db !== own && db.isNew) deps.onDeleted()
  // The server sends none to a session that ended.
  await deps.endPushes()
  const left = await cleanUpEndedSession(deps, userId, db, () => stopAll(deps, account))
  if (left === 'wiped') await close(deps, account)
  else if (account.current() === null) closeForGood(db)
}

async function close<A extends OpenAccount>(
  deps: AccountsDeps<A>,
  account: Settable<A | null>,
): Promise<void> {
  await stopAll(deps, account)
  const closing = account.current()
  account.become(null)
  if (closing !== null) closeForGood(closing.db)
}

async function stopAll<A extends OpenAccount>(
  { wipe, log, stops }: AccountsDeps<A>,
  account: Settable<A | null>,
): Promise<void> {
  const present = account.current()
  const own = present === null ? [] : [() => present.stop()]
  await endWork({ clock: wipe.clock, log }, [...stops, ...own])
}
