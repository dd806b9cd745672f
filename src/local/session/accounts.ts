import { rememberLeftUploads } from './left-uploads.ts'
import type { Session } from './session.ts'
import { cleanUpEndedSession } from './sign-out.ts'
import { openAccountDb, type AccountDb } from '#src/local/db/account-db.ts'
import { readLastUserId, writeLastUserId, type DeviceDb } from '#src/local/db/device-db.ts'
import { wipeAccount, type WipeDeps } from '#src/local/db/wipe.ts'
import type { Log } from '#src/lib/log.ts'

/** An account's database and what runs over it. */
export interface OpenAccount {
  readonly userId: string
  readonly db: AccountDb
  /**
   * Ends what runs over the database and waits for it; the database itself is closed by who opened
   * it.
   */
  stop(): Promise<void>
}

export interface AccountsDeps<A extends OpenAccount> {
  readonly wipe: WipeDeps
  readonly deviceDb: DeviceDb
  readonly log: Log
  /** SHA-256. */
  readonly digest: (bytes: ArrayBuffer) => Promise<ArrayBuffer>
  readonly open: (userId: string) => Promise<A>
  /** Further users of the account's data (workers); each may be called more than once. */
  readonly stops: ReadonlySet<() => Promise<void>>
}

/**
 * Which account is open. Changes are made one after another, so that a fast sign-out and sign-in
 * cannot mix.
 */
export interface Accounts<A extends OpenAccount> {
  /** The open account, the same object until it changes. */
  current(): A | null
  subscribe(listener: () => void): () => void
  stopCurrent(): Promise<void>
  /** Makes the open account agree with the session; removes what a session that ended left. */
  follow(session: Session): Promise<void>
  /** Another tab wipes this account: end work and close. */
  letGo(userId: string): Promise<void>
  /** Runs a sign-out, then shows no account. */
  leave<T>(task: (db: AccountDb | null) => Promise<T>): Promise<T>
}

/** The accounts of this page; none is open until `follow` was called. */
export function createAccounts<A extends OpenAccount>(deps: AccountsDeps<A>): Accounts<A> {
  const listeners = new Set<() => void>()
  let account: A | null = null
  let work: Promise<unknown> = Promise.resolve()

  const become = (next: A | null): void => {
    if (account === next) return
    account = next
    for (const listener of listeners) listener()
  }
  const inTurn = <T>(task: () => Promise<T>): Promise<T> => {
    const done = work.then(task)
    work = done.catch((thrown: unknown) =>
      deps.log.error('changing the account failed', {
        name: thrown instanceof Error ? thrown.name : 'unknown',
      }),
    )
    return done
  }
  const stopAll = async (): Promise<void> => {
    await Promise.allSettled([...deps.stops].map((stop) => stop()))
    await account?.stop()
  }
  const close = async (): Promise<void> => {
    await stopAll()
    const closing = account
    become(null)
    closing?.db.close({ disableAutoOpen: true })
  }

  const wipeLast = async (lastUserId: string): Promise<void> => {
    const db = await openAccountDb(lastUserId, deps.wipe.dbOptions)
    await rememberLeftUploads(
      { deviceDb: deps.deviceDb, clock: deps.wipe.clock, digest: deps.digest },
      lastUserId,
      db,
    )
    await wipeAccount(deps.wipe, lastUserId, db)
  }
  const enter = async (userId: string): Promise<void> => {
    if (account?.userId === userId && account.db.isOpen()) return
    if (account !== null) await close()
    const lastUserId = await readLastUserId(deps.deviceDb)
    // Another person's data never stays beside ours.
    if (lastUserId !== null && lastUserId !== userId) await wipeLast(lastUserId)
    await writeLastUserId(deps.deviceDb, userId)
    become(await deps.open(userId))
  }
  const endOf = async (userId: string): Promise<void> => {
    const db =
      account?.userId === userId && account.db.isOpen() ? account.db : await openAccountDb(userId)
    const left = await cleanUpEndedSession(deps, userId, db, stopAll)
    if (left === 'wiped') await close()
    else if (account === null) db.close({ disableAutoOpen: true })
  }

  return {
    current: () => account,
    subscribe: (listener) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    stopCurrent: async () => account?.stop(),
    follow: (session) =>
      inTurn(async () => {
        const state = session.current()
        if (state.kind === 'signed-in') return enter(state.user._id)
        const userId = state.kind === 'ended' ? state.user._id : await readLastUserId(deps.deviceDb)
        if (userId !== null) await endOf(userId)
        else await close()
      }),
    letGo: (userId) => inTurn(async () => (account?.userId === userId ? close() : undefined)),
    leave: (task) =>
      inTurn(async () => {
        const outcome = await task(account?.db ?? null)
        become(null)
        return outcome
      }),
  }
}
