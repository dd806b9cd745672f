import { useLocal } from '#src/hooks/device/local-context.ts'
import { useLive } from '#src/hooks/sync/use-live.ts'
import { useNow } from '#src/hooks/clock/use-now.ts'
import { useNounList } from '#src/hooks/sync/use-noun.ts'
import { useMe } from '#src/hooks/account/use-profile.ts'
import { readMakeRight, type MakeRight } from '#src/local/made/rights.ts'
import { walletSubscriptions } from '#src/local/nouns/wallet-subscriptions.ts'
import { HOUR_MS } from '#src/lib/time.ts'

/**
 * Whether this device may make edits; null while it is being read and where the person is not
 * known. `ask` asks the server for the plan.
 */
export function useMakeRight(): { readonly right: MakeRight | null; readonly ask: () => void } {
  const me = useMe()
  const { clock } = useLocal()
  const hour = Math.floor(useNow(HOUR_MS) / HOUR_MS)
  const live = useLive(`make-right:${hour}`, (db) => readMakeRight(db, clock.now()), 'make-right')
  return { right: live.kind === 'ready' ? live.value : null, ask: me.refresh }
}

/** Keeps until when the plan is paid on this device; mounted where there is one. */
export function usePlanKept(): void {
  useNounList(walletSubscriptions)
}
