import { createHash, timingSafeEqual } from 'node:crypto'
import type { Deps } from '#server/deps.ts'

/** Where the local mailbox is read. */
export const MAILBOX_PATH = '/dev/mail'

/**
 * The address that opens the local mailbox, or null where there is none. Only who started the
 * server sees it: its token is what a proxy, another site or another user of this machine lacks.
 * It stays the same over restarts, so that a browser needs it once.
 */
export function mailboxUrl(deps: Pick<Deps, 'settings' | 'secrets'>): string | null {
  if (!deps.settings.hasLocalMailbox) return null
  const url = new URL(MAILBOX_PATH, deps.settings.publicOrigin)
  url.searchParams.set('token', tokenOf(deps))
  return url.href
}

/** Whether a token of a request, from its address or its cookie, opens the local mailbox. */
export function opensMailbox(
  deps: Pick<Deps, 'settings' | 'secrets'>,
  given: string | undefined,
): boolean {
  if (!deps.settings.hasLocalMailbox || given === undefined) return false
  return timingSafeEqual(hash(given), hash(tokenOf(deps)))
}

function tokenOf({ secrets }: Pick<Deps, 'secrets'>): string {
  return Buffer.from(secrets.localMailbox.signing).toString('base64url')
}

/** Of one length, as the comparison wants it. */
function hash(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}
