import { useEffect, useEffectEvent, useState } from 'react'
import { useAccount } from '#src/hooks/device/local-context.ts'
import { subscribeLive } from '#src/local/db/live.ts'
import type { AccountDb } from '#src/local/db/account-db.ts'

/**
 * What this device knows: not read yet, read (an empty answer is an answer), or the database
 * failed.
 */
export type Live<T> =
  | { readonly kind: 'loading' }
  | { readonly kind: 'ready'; readonly value: T }
  | { readonly kind: 'failed' }

interface Seen<T> {
  readonly db: AccountDb
  readonly question: string
  readonly live: Live<T>
}
const LOADING = { kind: 'loading' } as const

/**
 * Follows a query over the open account's database, also across tabs.
 * @param key everything that `query` closes over, as one string; a new key starts a new query and
 * shows `loading`, never another key's rows
 * @param question what stays the same while only more of it is read: until then the rows of the key
 * before are shown, so that nothing that a person opened closes. The key itself unless given
 */
export function useLive<T>(
  key: string,
  query: (db: AccountDb) => Promise<T>,
  question = key,
): Live<T> {
  const db = useAccount()?.db ?? null
  const [seen, setSeen] = useState<Seen<T> | null>(null)

  // `query` is a new function at each render; `key` says when it means something else.
  const run = useEffectEvent((of: AccountDb) => query(of))

  useEffect(() => {
    if (db === null) return undefined
    return subscribeLive(() => run(db), {
      next: (value) => setSeen({ db, question, live: { kind: 'ready', value } }),
      error: () => setSeen({ db, question, live: { kind: 'failed' } }),
    })
  }, [db, key, question])

  return seen !== null && seen.db === db && seen.question === question ? seen.live : LOADING
}
