import { redirect } from 'react-router'
import type { LoaderFunctionArgs } from 'react-router'
import { accountReady } from './account-ready.ts'
import { mayOpen } from './permission-rule.ts'
import { keepTarget, takeTarget } from './target.ts'
import { apiFailureMessage } from '#src/api/errors.ts'
import { paths } from '#src/config/paths.ts'
import type { Account, PageLocal } from '#src/local/compose.ts'
import { readFact, FACTS } from '#src/local/db/facts.ts'
import { pullMe } from '#src/local/sync/account.ts'
import { pullWallets } from '#src/local/sync/wallets.ts'
import type { PullDeps } from '#src/local/sync/pull.ts'

export interface GuardDeps {
  readonly local: PageLocal
  readonly storage: Storage
  readonly origin: string
}

/** What a screen behind a guard can say when it may not open for want of data. */
export class GuardFailure extends Error {
  override readonly name = 'GuardFailure'
}

/**
 * The checks of routes. All of them answer from the device, so that the app opens without network;
 * the pulls they start correct what the device believes.
 */
export function createGuards(deps: GuardDeps) {
  const { local } = deps

  const requireUser = async ({ request }: LoaderFunctionArgs): Promise<null> => {
    const account = await accountReady(local, request.signal)
    if (account === null) {
      const url = new URL(request.url)
      keepTarget(deps.storage, url.pathname + url.search + url.hash, deps.origin)
      throw redirect(paths.landing)
    }
    // Fetched at each entry as specified, but not waited for: what the device knows is shown first.
    void pullMe(pullDeps(local, account), request.signal)
    void pullWallets(pullDeps(local, account), request.signal)
    return null
  }

  const requireProfession = async ({ request }: LoaderFunctionArgs): Promise<null> => {
    const account = await accountReady(local, request.signal)
    if (account !== null && (await professionOf(account, request.signal)) === null)
      throw redirect(paths.createProfile)
    return null
  }

  /** Where somebody belongs who is signed in and asked for nothing in particular. */
  const homeOf = async (account: Account, signal: AbortSignal): Promise<string> =>
    (await professionOf(account, signal)) === null
      ? paths.createProfile
      : (takeTarget(deps.storage, deps.origin) ?? paths.newUpload)

  const professionOf = async (account: Account, signal: AbortSignal): Promise<string | null> => {
    const kept = await readFact(account.db, FACTS.profile)
    if (kept !== null && kept.value.profession !== null) return kept.value.profession
    const pulled = await pullMe(pullDeps(local, account), signal)
    if (!pulled.ok && kept === null) throw new GuardFailure(apiFailureMessage(pulled.error))
    return (await readFact(account.db, FACTS.profile))?.value.profession ?? null
  }

  return {
    requireUser,
    requireProfession,
    /** The front page is for visitors; signed-in people go on. */
    redirectHome: async ({ request }: LoaderFunctionArgs): Promise<null> => {
      const account = await accountReady(local, request.signal)
      if (account !== null) throw redirect(await homeOf(account, request.signal))
      return null
    },
    /** Sign-up and log-in are for visitors; signed-in people go to their edits. */
    requireVisitor: async ({ request }: LoaderFunctionArgs): Promise<null> => {
      const account = await accountReady(local, request.signal)
      if (account !== null) throw redirect(paths.edits)
      return null
    },
    /** The profile is chosen once; the mail's link leads here every time. */
    requireNoProfession: async ({ request }: LoaderFunctionArgs): Promise<null> => {
      const account = await accountReady(local, request.signal)
      if (account !== null && (await professionOf(account, request.signal)) !== null)
        throw redirect(await homeOf(account, request.signal))
      return null
    },
    /** For routes that need permissions. */
    requirePermission: ({ request }: LoaderFunctionArgs): null => {
      const session = local.session.current()
      if (
        session.kind === 'signed-in' &&
        !mayOpen(new URL(request.url).pathname, session.user.permissions)
      )
        throw redirect(paths.notAuthorized)
      return null
    },
    /** Where to go once the profession is chosen. */
    afterProfile: (): string => takeTarget(deps.storage, deps.origin) ?? paths.newUpload,
  }
}

export type Guards = ReturnType<typeof createGuards>

function pullDeps(local: PageLocal, account: Account): PullDeps {
  return {
    api: local.api,
    db: account.db,
    clock: local.clock,
    random: local.random,
    fetch: local.fetch,
    origin: local.ports.origin,
    log: local.log,
  }
}
