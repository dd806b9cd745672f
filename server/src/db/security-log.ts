/**
 * What happened to accounts, for the operator: rows with ids and no other personal data. Kept for
 * `SECURITY_EVENT_DAYS`, or until the account is erased.
 */
import { createHmac } from 'node:crypto'
import type { Db, Tx } from './client.ts'
import { securityEvents } from './schema.ts'

/** Every event by name, with what it says to the operator. */
export const SECURITY_EVENTS = {
  'signed-in': 'A person signed in; `by` says how.',
  'code-refused': 'Six digits were wrong or over.',
  'passkey-refused': 'A passkey did not pass its checks.',
  'locked-refused': 'A locked account tried to sign in.',
  'new-device': 'A browser signed in to the account for the first time.',
  'signed-out': 'A person signed out; `which` device, or all others.',
  'passkey-added': 'A passkey was added.',
  'passkey-removed': 'A passkey was removed.',
  'deletion-requested': 'A person asked to delete the account.',
  'xsrf-refused': 'A write came from elsewhere, or without the mark of its session.',
  'other-user': 'A page called for another account than the one that is signed in.',
  'foreign-id':
    'A call named the row of another account (`of`) and was refused like an unknown id.',
  'limit-reached': 'A call was refused because there were too many; `operation` says which.',
  'payment-stored': 'A payment arrived.',
  'payment-changed':
    'Money of a payment went back, or a bank disputes it; `state` says how it stands.',
  'operator-looked': 'The operator looked at an account.',
  'account-locked': 'The operator locked the account.',
  'account-unlocked': 'The operator unlocked the account.',
} as const

export type SecurityEventName = keyof typeof SECURITY_EVENTS

/** One event. `facts` are ids and names of this code, never what a person typed. */
interface SecurityEvent {
  readonly event: SecurityEventName
  readonly userId: string | null
  /** Where the call came from, as `RequestContext` names it; only a keyed hash is kept. */
  readonly client?: string
  readonly facts?: Readonly<Record<string, string>>
}

export interface SecurityLog {
  /**
   * Stores an event, in the caller's transaction where it has one. Of more than `PER_HOUR` equal
   * ones of one account or client in an hour the rest are left out, as strangers can cause them.
   */
  record(db: Db | Tx, event: SecurityEvent): Promise<void>
}

/** Rows are kept for this long. */
export const SECURITY_EVENT_DAYS = 90
const PER_HOUR = 100
/** Of one event and all clients without an account, in one process. */
const OF_STRANGERS_PER_HOUR = 2_000
const HOUR_MS = 60 * 60_000

export function createSecurityLog({
  clock,
  key,
}: {
  readonly clock: () => Date
  readonly key: Uint8Array
}): SecurityLog {
  const counts = { hour: 0, of: new Map<string, number>() }
  const isWithin = (name: string, limit: number): boolean => {
    const count = (counts.of.get(name) ?? 0) + 1
    if (count <= limit) counts.of.set(name, count)
    return count <= limit
  }
  return {
    async record(db, { event, userId, client, facts = {} }) {
      const at = clock()
      const hour = Math.floor(at.getTime() / HOUR_MS)
      if (hour !== counts.hour) Object.assign(counts, { hour, of: new Map() })
      const clientHash = client === undefined ? null : hashOf(key, client)
      const isKnown = userId !== null
      if (!isKnown && !isWithin(event, OF_STRANGERS_PER_HOUR)) return
      if (!isWithin(`${event} ${userId ?? clientHash ?? ''}`, PER_HOUR)) return
      await db.insert(securityEvents).values({ at, event, userId, clientHash, facts })
    },
  }
}

/** Enough to tell clients apart, and without the key of no use to find them. */
function hashOf(key: Uint8Array, client: string): string {
  return createHmac('sha256', key).update(`client:${client}`).digest('hex').slice(0, 16)
}
