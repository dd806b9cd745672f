/**
 * The composition root of a page: opens the device, follows the session, and opens and closes what
 * an account has. It is one file because the order of these is what keeps accounts apart.
 */
import { createCallLimits, type CallLimits } from '#src/api/call-limits.ts'
import { createApiClient, type ApiClient } from '#src/api/client.ts'
import { readLocked, unlock, type Unlocked } from './compose-lock.ts'
import { createChannel, openChannelPort, type Channel } from '#src/local/channel/channel.ts'
import { openAccountDb, type AccountDb } from '#src/local/db/account-db.ts'
import { readAppLock, type AppLock } from '#src/local/db/app-lock.ts'
import {
  openDeviceDb,
  readLastUserId,
  readLeftMark,
  type DeviceDb,
} from '#src/local/db/device-db.ts'
import { openHiddenScenes, type HiddenScenes } from '#src/local/db/hidden-scenes.ts'
import type { KeptLine, KeptLog } from '#src/local/db/kept-log.ts'
import { openPatiently } from '#src/local/db/open-patiently.ts'
import { browserFiles, type OpenFiles } from '#src/local/db/account-files.ts'
import { AccountLocked, type RowSeal } from '#src/local/db/sealed-rows.ts'
import { settleSharedFiles } from '#src/local/db/shared-files.ts'
import type { WipeDeps, WipeFailure } from '#src/local/db/wipe.ts'
import { keptFetchesOf, type BrowserGetter } from '#src/local/kept/by-browser.ts'
import { canWriteFiles } from '#src/local/kept/kept-bytes.ts'
import { openKeptFiles, type KeptFiles } from '#src/local/kept/kept-files.ts'
import { startOutboxLoop, type OutboxLoop } from '#src/local/outbox/loop.ts'
import { fetchInSession } from '#src/local/session/fetch-in-session.ts'
import { createSession, type Session } from '#src/local/session/session.ts'
import { createAccounts, type Accounts, type OpenAccount } from '#src/local/session/accounts.ts'
import {
  finishSignOuts,
  reportSignOuts,
  signOut,
  type SignOutDeps,
} from '#src/local/session/sign-out.ts'
import { answerXsrf, xsrfFromCookies } from '#src/local/session/xsrf.ts'
import { createIds, type Ids } from '#src/lib/ids.ts'
import { createLocks, type Locks } from '#src/lib/locks.ts'
import { createLog, type Log } from '#src/lib/log.ts'
import { describeBug } from '#src/lib/describe-bug.ts'
import { nextTask } from '#src/lib/next-task.ts'
import { ok, type Result } from '#src/lib/result.ts'
import { createSettable, type Settable, type Subscribable } from '#src/lib/subscribable.ts'
import type { Clock } from '#src/lib/time.ts'

/** What only a document has; built in `hooks/device/page-ports.ts`. */
export interface PagePorts {
  readonly origin: string
  readonly fetch: (request: Request) => Promise<Response>
  readonly clock: Clock
  readonly readCookies: () => string
  readonly writeCookie: (assignment: string) => void
  readonly isVisible: () => boolean
  /** Calls the listener whenever a person does something on the page, also a mere movement. */
  readonly onTouch: (listener: () => void) => void
  /**
   * Calls the listener at each change of visibility and when the browser reports the network to be
   * back. Returns the function that ends it.
   */
  readonly onAttention: (listener: () => void) => () => void
  /**
   * Calls the listener when a cookie that the page can read comes, changes or goes, where the
   * browser tells. Returns the function that ends it.
   */
  readonly onCookieChange: (listener: () => void) => () => void
  /**
   * Ends the server's messages to this device, for the account that leaves it: the number on the
   * icon, what is shown, the subscription. Also offline; never rejects.
   */
  readonly endPushes: () => Promise<void>
  /** The browser's own downloads; null where it has none. */
  readonly browserGetter: BrowserGetter | null
  /** Loads the page again. */
  readonly reload: () => void
}

/** The signed-in account's data on this device. */
export interface Account extends OpenAccount {
  readonly outbox: OutboxLoop
  /** Null where this browser lets pages write no files. */
  readonly kept: KeptFiles | null
  /** Null without an app lock ([Note: hidden scenes]). */
  readonly hidden: HiddenScenes | null
  /** What screens read: the database without what is hidden. */
  readonly shown: AccountDb
}

/** This device as a page uses it. One per page, made in `main.tsx`. */
export interface PageLocal {
  readonly api: ApiClient
  /** Of the calls of this page, for the person and the account that it is open for. */
  readonly limits: CallLimits
  readonly session: Session
  readonly channel: Channel
  readonly deviceDb: DeviceDb
  readonly clock: Clock
  readonly ids: Ids
  readonly locks: Locks
  readonly log: Log
  readonly ports: PagePorts
  readonly random: () => number
  /** Null where the browser has no file system of its own. */
  readonly files: OpenFiles | null
  readonly fetch: (request: Request) => Promise<Response>
  /**
   * The open account, the same object until it changes; null while signed out, or while it is being
   * opened or wiped.
   */
  account(): Account | null
  subscribeAccount(listener: () => void): () => void
  /** How often the account's data on this device was deleted while this page was open. */
  readonly deletions: Subscribable<number>
  /**
   * Registers the end of something that uses the account's data (a worker); all are awaited before
   * anything is wiped.
   */
  onSignOut(stop: () => Promise<void>): () => void
  /** See `signOut` in local/session. Resolves when the device is clean; navigate to /login then. */
  signOut(): Promise<Result<void, WipeFailure>>
  readonly lock: LockCommands
  /** The last log lines of this device, oldest first. See [Note: kept log]. */
  keptLines(): Promise<readonly KeptLine[]>
}

/**
 * Wires this device for a page: finishes old sign-outs, opens the signed-in user's database,
 * removes what a session that ended left, and follows sign-ins and sign-outs from then on, also of
 * other tabs.
 * @param askToUnlock called before anything of a locked account is read
 */
export async function composePage(
  ports: PagePorts,
  keptLog: KeptLog,
  askToUnlock: AskToUnlock = refuseLocked,
): Promise<PageLocal> {
  const base = await openBase(ports, createLog('local', keptLog.keep))
  const { deviceDb, session, log } = base
  const stops = new Set<() => Promise<void>>()
  const deletions = createSettable(0)
  const accounts = createAccounts({
    wipe: base.wipe,
    deviceDb,
    log,
    endPushes: ports.endPushes,
    sealOf: base.sealOf,
    open: (userId) =>
      openWatched(base, userId, () => {
        // The cookies may have been deleted with it.
        session.refresh()
        // A failure is logged; the next change of the session tries again.
        void accounts.follow(session).catch(() => undefined)
      }),
    onDeleted: () => deletions.become(deletions.current() + 1),
    stops,
  })
  const signOutDeps: SignOutDeps = {
    ...base,
    digest,
    writeCookie: ports.writeCookie,
    endPushes: ports.endPushes,
    stops: () => [...stops, accounts.stopCurrent],
  }
  const readLock = () => readLockedDevice(base, signOutDeps)
  await unlockFirst(base, readLock, askToUnlock)
  await finishSignOuts(signOutDeps)
  // What a sign-out did not end in time; no person waits for it.
  if (session.current().kind === 'signed-out') void ports.endPushes()
  const lastUserId = await readLastUserId(deviceDb)
  await accounts.follow(session)
  announceOther(base, lastUserId)
  const reports = followEvents(base, accounts, signOutDeps)
  return {
    ...base,
    ids: createIds(),
    locks: createLocks(navigator.locks),
    random: Math.random,
    account: accounts.current,
    subscribeAccount: accounts.subscribe,
    deletions,
    onSignOut: addTo(stops),
    signOut: async () => {
      const state = session.current()
      const userId = state.kind === 'signed-out' ? await readLastUserId(deviceDb) : state.user._id
      if (userId === null) return ok(undefined)
      return reports.pausedDuring(() => accounts.leave((db) => signOut(signOutDeps, userId, db)))
    },
    lock: createLockCommands(base, accounts, readLock),
    keptLines: keptLog.read,
  }
}

async function openWatched(base: Base, userId: string, whenLost: () => void): Promise<Account> {
  // Opening takes a phone 85 ms, right after as long for what is read before it.
  await nextTask()
  const opened = await openAccount(base, userId)
  opened.db.whenLost(whenLost)
  return opened
}

/**
 * Tells the other tabs that another person has logged in where no page saw it: the link of a mail
 * opens a page of the server.
 */
function announceOther({ session, channel }: Base, lastUserId: string | null): void {
  const state = session.current()
  const userId = state.kind === 'signed-in' ? state.user._id : null
  if (userId !== null && lastUserId !== null && userId !== lastUserId)
    channel.send({ v: 1, type: 'session-changed', userId })
}

/** Adds to a set; what it returns takes it away. */
function addTo<T>(set: Set<T>): (item: T) => () => void {
  return (item) => {
    set.add(item)
    return () => void set.delete(item)
  }
}

/** What the page has before any account is open. */
interface Base {
  readonly api: ApiClient
  readonly limits: CallLimits
  readonly session: Session
  readonly channel: Channel
  readonly deviceDb: DeviceDb
  readonly wipe: WipeDeps
  readonly files: OpenFiles | null
  readonly clock: Clock
  readonly log: Log
  readonly ports: PagePorts
  readonly fetch: (request: Request) => Promise<Response>
  /** What a person has unlocked in this page; null for nothing. */
  readonly unlocked: Settable<Unlocked | null>
  /** See `AccountsDeps`. */
  readonly sealOf: (userId: string) => Promise<RowSeal | null>
}

async function openBase(ports: PagePorts, log: Log): Promise<Base> {
  const { clock } = ports
  const channel = createChannel({ port: openChannelPort(), log })
  const deviceDb = await openPatiently({ clock, log }, openDeviceDb, (late) => late.close())
  const session = createSession({
    readCookies: ports.readCookies,
    channel,
    leftMark: await readLeftMark(deviceDb),
  })
  const fetchAndFollow = fetchInSession(session, ports.fetch)
  const xsrfToken = xsrfFromCookies(ports.readCookies)
  answerXsrf(channel, xsrfToken)
  const limits = createCallLimits(clock)
  session.subscribe(limits.forgetAll)
  const api = createApiClient({
    origin: ports.origin,
    fetch: fetchAndFollow,
    xsrfToken,
    userId: () => {
      const state = session.current()
      return state.kind === 'signed-in' ? state.user._id : null
    },
    onSessionEnded: session.markEnded,
    limits,
  })
  const files = browserFiles()
  const unlocked = createSettable<Unlocked | null>(null)
  const wipe: WipeDeps = {
    deviceDb,
    clock,
    caches: typeof caches === 'undefined' ? null : caches,
    files,
    endDownloads: async (userId) => await ports.browserGetter?.end(keptFetchesOf(userId)),
  }
  return {
    api,
    limits,
    session,
    channel,
    deviceDb,
    wipe,
    files,
    clock,
    log,
    ports,
    fetch: fetchAndFollow,
    unlocked,
    sealOf: (userId) => sealOf({ deviceDb, ports, unlocked }, userId),
  }
}

/** The account that this device is of while it is locked, as a lock screen uses it. */
export interface LockedDevice {
  readonly lock: AppLock
  /** Opens it by what its passkey answered. Null: an earlier page has taken the lock off. */
  open(
    answer: Uint8Array<ArrayBuffer>,
  ): Promise<Result<Unlocked | null, { readonly code: 'lock/other-answer' }>>
  /** Signs out and removes everything of the account without opening it. */
  leave(): Promise<void>
}

/** Resolves once a person has unlocked the device. */
type AskToUnlock = (locked: LockedDevice) => Promise<Unlocked | null>

const refuseLocked: AskToUnlock = () => Promise.reject(new AccountLocked())

async function unlockFirst(
  { unlocked }: Base,
  read: LockCommands['read'],
  ask: AskToUnlock,
): Promise<void> {
  const locked = await read()
  if (locked !== null) unlocked.become(await ask(locked))
}

/** What a page does with the app lock. */
interface LockCommands {
  /** Null where none is on. */
  read(): Promise<LockedDevice | null>
  /** Ends all work for the account and closes it, until the page is loaded again. */
  closeAccount(): Promise<void>
  /** Locks all pages of the app. */
  now(): void
  /** Calls the listener when this or another page locks the app. */
  onLocked(listener: () => void): void
}

function createLockCommands(
  { channel }: Base,
  accounts: Accounts<Account>,
  read: LockCommands['read'],
): LockCommands {
  const listeners = new Set<() => void>()
  const lock = (): void => {
    for (const listener of listeners) listener()
  }
  channel.on('app-locked', lock)
  return {
    read,
    closeAccount: async () => {
      const userId = accounts.current()?.userId
      if (userId !== undefined) await accounts.letGo(userId)
    },
    now: () => {
      channel.send({ v: 1, type: 'app-locked' })
      lock()
    },
    onLocked: (listener) => void listeners.add(listener),
  }
}

async function readLockedDevice(
  { deviceDb, files, ports }: Base,
  signOutDeps: SignOutDeps,
): Promise<LockedDevice | null> {
  const locked = await readLocked(deviceDb)
  return locked === null
    ? null
    : {
        lock: locked.lock,
        open: (answer) => unlock({ deviceDb, files, getter: ports.browserGetter }, locked, answer),
        leave: async () => void (await signOut(signOutDeps, locked.userId, null)),
      }
}

/** The seal of an account. Where it is locked, the page asks to unlock it, from its start. */
async function sealOf(
  { deviceDb, ports, unlocked }: Pick<Base, 'deviceDb' | 'ports' | 'unlocked'>,
  userId: string,
): Promise<RowSeal | null> {
  const open = unlocked.current()
  if (open?.userId === userId) return { keys: open.keys, writes: 'sealed' }
  if ((await readAppLock(deviceDb, userId)) === null) return null
  ports.reload()
  throw new AccountLocked()
}

/** Makes accounts, outbox and reports follow the session, other tabs and the network. */
function followEvents(base: Base, accounts: Accounts<Account>, signOutDeps: SignOutDeps) {
  const { session, channel, ports, log } = base
  let isPaused = false
  let isLeftElsewhere = false
  // No screen waits for it; what cannot be reported now is reported at the next occasion.
  const report = (): void => {
    if (!isPaused)
      void reportSignOuts(signOutDeps).catch(() =>
        log.warn('an earlier sign-out could not be reported'),
      )
  }
  // What waited for a session need not wait any longer.
  const resume = (): void => {
    report()
    if (session.current().kind !== 'signed-in') return
    accounts.current()?.outbox.resume()
    accounts.current()?.kept?.poke()
  }
  resume()
  // No screen waits for it.
  void settleShares(base)
  session.subscribe(() => {
    isLeftElsewhere = false
    // A failure is logged; the next change of the session tries again.
    void accounts.follow(session).then(
      () => {
        resume()
        void settleShares(base)
      },
      () => undefined,
    )
  })
  channel.on('account-wiping', (message) => {
    isLeftElsewhere = accounts.current()?.userId === message.userId
    void accounts.letGo(message.userId)
  })
  // A sign-out removes the cookies before its end: until then the session has not ended.
  ports.onCookieChange(() => {
    if (!isPaused && !isLeftElsewhere) session.refresh()
  })
  channel.on('outbox-poke', () => accounts.current()?.outbox.poke())
  ports.onAttention(() => {
    session.refresh()
    report()
    accounts.current()?.outbox.poke()
    accounts.current()?.kept?.poke()
  })
  return {
    /**
     * Reports nothing while `work` runs: a sign-out under way still looks signed in and would be
     * taken back.
     */
    pausedDuring: async <T>(work: () => Promise<T>): Promise<T> => {
      isPaused = true
      return work().finally(() => {
        isPaused = false
      })
    },
  }
}

/** What other apps have shared into this one: whose it is now, and what is over. */
async function settleShares({ deviceDb, wipe, session, clock, log }: Base): Promise<void> {
  const state = session.current()
  const userId = state.kind === 'signed-out' ? null : state.user._id
  if (wipe.files === null) return
  await settleSharedFiles(deviceDb, wipe.files, userId, clock.now()).catch((thrown: unknown) =>
    log.warn('shared files could not be settled', describeBug(thrown)),
  )
}

async function openAccount(base: Base, userId: string): Promise<Account> {
  const { api, clock, log, ports } = base
  const db = await openAccountDb(userId, {}, await base.sealOf(userId))
  const hidden = db.keys === null ? null : await openHiddenScenes(db, db.keys)
  const shared = { db, clock, log, random: Math.random, locks: createLocks(navigator.locks) }
  const outbox = startOutboxLoop({ ...shared, api, isVisible: ports.isVisible })
  const { files } = base.wipe
  const kept =
    files === null || !canWriteFiles()
      ? null
      : openKeptFiles(files, {
          ...shared,
          userId,
          origin: ports.origin,
          fetch: base.fetch,
          estimate: () => navigator.storage.estimate(),
          getter: ports.browserGetter,
        })
  const stop = async (): Promise<void> => {
    await Promise.all([outbox.stop(), kept?.stop()])
  }
  return { userId, db, outbox, kept, hidden, shown: hidden?.shown ?? db, stop }
}

function digest(bytes: ArrayBuffer): Promise<ArrayBuffer> {
  return crypto.subtle.digest('SHA-256', bytes)
}
