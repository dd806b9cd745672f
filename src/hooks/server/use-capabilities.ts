import { useQuery } from '@tanstack/react-query'
import { useAccount, useLocal } from '#src/hooks/device/local-context.ts'
import { valueOrThrow } from '#src/hooks/sync/query-client.ts'
import { toShown, type Shown } from '#src/hooks/sync/shown.ts'
import { useLive } from '#src/hooks/sync/use-live.ts'
import { send } from '#src/api/send.ts'
import { FACTS, readFact, writeFact, type FactValues } from '#src/local/db/facts.ts'
import { STALE_AFTER_MS } from '#src/local/sync/intervals.ts'

type Capabilities = FactValues['capabilities']

/**
 * What this server offers, also for signed-out visitors; with an account the last answer is kept
 * for offline.
 */
export function useCapabilities(): Shown<Capabilities> {
  const { api, clock } = useLocal()
  const account = useAccount()
  const live = useLive('fact:capabilities', async (db) => {
    const fact = await readFact(db, FACTS.capabilities)
    return fact === null ? null : { data: fact.value, asOfEpochMs: fact.pulledAtEpochMs }
  })
  const query = useQuery<Capabilities>({
    // An answer from before the sign-in was not kept for the account.
    queryKey: ['capabilities', account?.userId ?? null],
    // Opening the local mailbox in another tab shows its link here.
    staleTime: ({ state: { data } }) =>
      data?.mail.mode === 'local-mailbox' && data.mail.localMailboxUrl === null
        ? 0
        : STALE_AFTER_MS.capabilities,
    queryFn: async ({ signal }) => {
      const askedAtEpochMs = clock.now()
      const { capabilities } = valueOrThrow(await send(api.GET('/v1/capabilities', { signal })))
      if (account !== null)
        await writeFact(account.db, FACTS.capabilities, capabilities, askedAtEpochMs)
      return capabilities
    },
  })
  // Not an entity of the account: the answer itself is shown where no database is open.
  if (query.data === undefined) return toShown(live, query)
  return toShown(
    { kind: 'ready', value: { data: query.data, asOfEpochMs: query.dataUpdatedAt } },
    query,
  )
}
