import { expiringDays } from '#src/components/tokens/expiring-days.ts'
import { dateWords } from '#src/lib/time-words.ts'
import { tokens } from '#src/components/tokens/token-words.ts'
import { useSellsTokens } from '#src/hooks/pay/use-sells-tokens.ts'
import { useWallets, type Wallet } from '#src/hooks/pay/use-wallets.ts'

/**
 * What can be spent on edits, and what of it ends when, so that no person learns that only at the
 * payment. Keeps its place while it is not known.
 */
export function TokensToSpend() {
  const wallets = useWallets().data ?? []
  return useSellsTokens() ? (
    <p className="mt-3 min-h-12 text-center text-sm text-ink-muted tabular-nums">
      {wallets.length === 0 ? null : wordsOf(wallets)}
    </p>
  ) : null
}

function wordsOf(wallets: readonly Wallet[]): string {
  const total = wallets.reduce((sum, { spendableCoinAmount }) => sum + spendableCoinAmount, 0)
  const [soonest] = expiringDays(wallets.flatMap(({ expiringLots }) => expiringLots))
  const spend = `You have ${tokens(total)} to spend on edits.`
  return soonest === undefined
    ? spend
    : `${spend} ${tokens(soonest.coinAmount)} are valid until ${dateWords(soonest.atEpochMs)}.`
}
