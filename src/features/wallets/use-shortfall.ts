import { useLive } from '#src/hooks/sync/use-live.ts'

/**
 * What the newest unpaid order, as this device knows it, asks for beyond what the wallet can spend;
 * null when there is none or the wallet covers it. Whole tokens.
 */
export function useShortfall(walletId: string): number | null {
  const lacking = useLive(`shortfall:${walletId}`, async (db) => {
    const spendable = (await db.wallets.get(walletId))?.value.spendableCoinAmount
    const open = (await db.orders.toArray())
      .map(({ value }) => value)
      .filter(({ status }) => status === 'open')
      .toSorted((a, b) => b.createdAt.localeCompare(a.createdAt))[0]
    if (open === undefined || spendable === undefined) return null
    return open.remainingPayableCoinAmount - spendable
  })
  return lacking.kind === 'ready' && lacking.value !== null && lacking.value > 0
    ? lacking.value
    : null
}
