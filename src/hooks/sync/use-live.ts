import { useEffect, useEffectEvent, useState, useSyncExternalStore } from 'react'
import { useAccount } from '#src/hooks/device/local-context.ts'
import { subscribeLive } from '#src/local/db/live.ts'
import type { AccountDb } from '#src/local/db/account-db.ts'
import type { HiddenNow } from '#src/local/db/hidden-scenes.ts'

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
 * Follows a query over the open account's database, also across tabs, without what is hidden in it
 * ([Note: hidden scenes]).
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
  const hidden = useHiddenNow()
  return useLiveOf(useAccount()?.shown ?? null, hidden, { key, query, question })
}

/**
 * As `useLive`, over hidden scenes too: for what warns of a loss or keeps work going, and says
 * nothing of a scene.
 */
export function useWholeLive<T>(key: string, query: (db: AccountDb) => Promise<T>): Live<T> {
  return useLiveOf(useAccount()?.db ?? null, null, { key, query, question: key })
}

/** @param hidden each change of it asks again */
function useLiveOf<T>(
  db: AccountDb | null,
  hidden: HiddenNow | null,
  {
    key,
    query,
    question,
  }: {
    readonly key: string
    readonly query: (db: AccountDb) => Promise<T>
    readonly question: string
  },
): Live<T> {
  const [seen, setSeen] = useState<Seen<T> | null>(null)

  // `query` is a new function at each render; `key` says when it means something else.
  const run = useEffectEvent((of: AccountDb) => query(of))

  useEffect(() => {
    if (db === null) return undefined
    return subscribeLive(() => run(db), {
      next: (value) => setSeen({ db, question, live: { kind: 'ready', value } }),
      error: () => setSeen({ db, question, live: { kind: 'failed' } }),
    })
  }, [db, key, question, hidden])

  return seen !== null && seen.db === db && seen.question === question ? seen.live : LOADING
}

/** What is hidden in this page now; null without an app lock. */
export function useHiddenNow(): HiddenNow | null {
  const hidden = useAccount()?.hidden ?? null
  return useSyncExternalStore(
    hidden?.subscribe ?? subscribeNothing,
    hidden?.current ?? nothingHidden,
  )
}
const subscribeNothing = () => () => undefined
const nothingHidden = () => null
