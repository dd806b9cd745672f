import { useQuery, type QueryKey, type UseQueryOptions } from '@tanstack/react-query'
import { pullsOf } from './pulls.ts'
import { useAccount, useLocal } from '#src/hooks/device/local-context.ts'
import { toShown, type Found, type Shown } from './shown.ts'
import { useLive } from './use-live.ts'
import type { AccountDb } from '#src/local/db/account-db.ts'

export type Pulls = ReturnType<typeof pullsOf>
interface Asked<T> {
  /** As in `useLive`. */
  readonly key: string
  readonly find: (db: AccountDb) => Promise<Found<T> | null>
  readonly emptyData?: T
  /** Milliseconds between pulls while mounted, false for none; also while hidden. */
  readonly refetchInterval?: () => number | false
}

/** The pulls of the open account. */
export function usePulls(): Pulls {
  return pullsOf(useLocal(), useAccount())
}

/** Shows what the device has and pulls what is older than the collection allows. */
export function usePulled<T, K extends QueryKey>(
  pull: UseQueryOptions<null, Error, null, K>,
  asked: Asked<T>,
): Shown<T> {
  const query = useQuery({
    ...pull,
    refetchInterval: asked.refetchInterval ?? false,
    refetchIntervalInBackground: true,
  })
  const isAnswered = query.isSuccess
  // Read again after the answer: a query that ran before it gets the answer's rows only later, and
  // until then would seem to say that there are none.
  const read = useLive(
    `${asked.key}:${isAnswered}`,
    async (db) => ({ found: await asked.find(db), isAnswered }),
    asked.key,
  )
  const live = read.kind === 'ready' ? { ...read, value: read.value.found } : read
  const isReadSince = read.kind === 'ready' && read.value.isAnswered
  return toShown(live, query, isReadSince ? (asked.emptyData ?? null) : null)
}
