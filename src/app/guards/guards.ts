import { redirect, replace } from 'react-router'
import type { LoaderFunctionArgs } from 'react-router'
import { accountReady } from './account-ready.ts'
import { mayOpen } from './permission-rule.ts'
import { keepTarget, takeTarget } from './target.ts'
import { apiFailureMessage } from '#src/api/errors.ts'
import { takeArrival } from '#src/components/drive/arrival.ts'
import { paths } from '#src/config/paths.ts'
import { describeBug } from '#src/lib/describe-bug.ts'
import type { Account, PageLocal } from '#src/local/compose.ts'
import { readFact, FACTS } from '#src/local/db/facts.ts'
import { isShareId } from '#src/local/db/shared-files.ts'
import { wallets } from '#src/local/nouns/wallets.ts'
import { pullMe } from '#src/local/sync/account.ts'
import { pullList } from '#src/local/sync/nouns.ts'
import { pullDepsOf } from '#src/local/sync/pull.ts'

export interface GuardDeps {
  readonly local: PageLocal
  readonly storage: Storage
  readonly origin: string
}

/** A screen behind a guard may not open, because data it needs is missing. The message is shown. */
export class GuardFailure extends Error {
  override readonly name = 'GuardFailure'
}

type Guard = (args: LoaderFunctionArgs) => Promise<null>

/**
 * The checks of routes. All of them answer from the device, so that the app opens without network;
 * the pulls they start correct what the device knows.
 */
export function createGuards(deps: GuardDeps) {
  const { local } = deps
  const afterProfile = (): string => takeTarget(deps.storage, deps.origin) ?? paths.newUpload
  /** Leads a signed-in user elsewhere, or lets everyone pass where `pathOf` gives null. */
  const lead =
    (pathOf: (account: Account, signal: AbortSignal) => Promise<string | null>): Guard =>
    async ({ request }) => {
      const account = await accountReady(local, request.signal)
      const path = account === null ? null : await pathOf(account, request.signal)
      if (path !== null) throw redirect(path)
      return null
    }
  const hasProfession = (account: Account, signal: AbortSignal): Promise<boolean> =>
    knowsProfession(local, account, signal)
  return {
    /** Every private route. Keeps where a visitor wanted to go, and freshens user and wallets. */
    requireUser: async ({ request }: LoaderFunctionArgs): Promise<null> => {
      // First, so that what a drive brought is in no address that is drawn or kept.
      const clean = takeArrival(new URL(request.url), deps.storage)
      if (clean !== null) throw replace(clean)
      const account = await accountReady(local, request.signal)
      if (account === null) {
        const url = new URL(request.url)
        keepTarget(deps.storage, url.pathname + url.search + url.hash, deps.origin)
        throw redirect(visitorsPath(url))
      }
      // Fetched at each entry as specified, but not waited for: the device's copy is shown first.
      void freshen(local, account, request.signal)
      return null
    },
    requireProfession: lead(async (account, signal) =>
      (await hasProfession(account, signal)) ? null : paths.createProfile,
    ),
    /** The front page is for visitors; signed-in users go on. */
    redirectHome: lead(async (account, signal) =>
      (await hasProfession(account, signal)) ? afterProfile() : paths.createProfile,
    ),
    /** Sign-up and log-in are for visitors; signed-in users go to their edits. */
    requireVisitor: lead(async () => paths.edits),
    /** The profile is chosen once; the mail's link leads here every time. */
    requireNoProfession: lead(async (account, signal) =>
      (await hasProfession(account, signal)) ? afterProfile() : null,
    ),
    /** Every screen of a feature; `permission-rule.ts` has those that need permissions. */
    requirePermission: ({ request }: LoaderFunctionArgs): null => {
      const session = local.session.current()
      if (
        session.kind === 'signed-in' &&
        !mayOpen(new URL(request.url).pathname, session.user.permissions)
      )
        throw redirect(paths.notAuthorized)
      return null
    },
    /** Where to go once the profession is chosen; forgets the kept target. */
    afterProfile,
  }
}

/**
 * Where a visitor is led from a private address. Whose session ended learns of it by sharing, and
 * the front page says nothing of the video. What is no id of a share is the word for why it was not
 * taken.
 */
function visitorsPath({ searchParams }: URL): string {
  return isShareId(searchParams.get('shared') ?? '')
    ? `${paths.logIn}?message=shared-waits`
    : paths.landing
}

export type Guards = ReturnType<typeof createGuards>

/**
 * Pulls user and wallets. Never rejects: a session that ends meanwhile closes the database, and the
 * screens say what is not fresh.
 */
async function freshen(local: PageLocal, account: Account, signal: AbortSignal): Promise<void> {
  const pullDeps = pullDepsOf(local, account, signal)
  const pulls = await Promise.allSettled([pullMe(pullDeps), pullList(pullDeps, wallets)])
  for (const pull of pulls)
    if (pull.status === 'rejected')
      local.log.debug('user or wallets could not be kept', describeBug(pull.reason))
}

/**
 * Whether a profession is chosen: as the device knows, else as the server answers. Throws
 * `GuardFailure` where neither is known.
 */
async function knowsProfession(
  local: PageLocal,
  account: Account,
  signal: AbortSignal,
): Promise<boolean> {
  const kept = await readFact(account.db, FACTS.profile)
  if (kept !== null && kept.value.profession !== null) return true
  const pulled = await pullMe(pullDepsOf(local, account, signal))
  if (!pulled.ok && kept === null) throw new GuardFailure(apiFailureMessage(pulled.error))
  return (await readFact(account.db, FACTS.profile))?.value.profession != null
}
