import { Clock } from 'lucide-react'
import { expiringDays } from '#src/components/tokens/expiring-days.ts'
import { dateWords } from '#src/lib/time-words.ts'
import { dollars, tokens } from '#src/components/tokens/token-words.ts'
import type { Wallet } from '#src/hooks/pay/use-wallets.ts'
import { Badge } from '#src/ui/Badge.tsx'
import { Card } from '#src/ui/Card.tsx'
import { walletBadge } from './wallet-words.ts'

/** What is in a wallet, what of it can be spent, and until when. */
export function Balance({ wallet }: { readonly wallet: Wallet }) {
  const { coinBalance, spendableCoinAmount, creditLimitCoinAmount, expiringLots } = wallet
  const badge = walletBadge(coinBalance)
  return (
    <Card as="section" labelledBy="balance">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <h2 id="balance" className="text-lg font-semibold">
          Balance
        </h2>
        <Badge tone={badge.tone}>{badge.label}</Badge>
      </div>
      <p className="mt-3 text-4xl font-bold tabular-nums">{tokens(coinBalance)}</p>
      <p className="text-ink-muted tabular-nums">{dollars(coinBalance)}</p>
      <dl className="mt-5 flex flex-col gap-2 border-t border-line pt-5 text-ink-muted">
        <Fact name="Available to spend">{tokens(spendableCoinAmount)}</Fact>
        {creditLimitCoinAmount > 0 ? (
          <Fact name="Credit limit">{tokens(creditLimitCoinAmount)}</Fact>
        ) : null}
        <Fact name="Created">{dateWords(Date.parse(wallet.createdAt))}</Fact>
      </dl>
      {expiringLots.length === 0 ? null : (
        <ul className="mt-5 flex flex-col gap-1.5 text-[0.9375rem]">
          {expiringDays(expiringLots).map(({ coinAmount, atEpochMs }) => (
            <li key={atEpochMs} className="flex items-center gap-2">
              <Clock aria-hidden className="size-4 shrink-0 text-ink-muted" />
              {`${tokens(coinAmount)} valid until ${dateWords(atEpochMs)}`}
            </li>
          ))}
        </ul>
      )}
    </Card>
  )
}

function Fact({ name, children }: { readonly name: string; readonly children: string }) {
  return (
    <div className="flex flex-wrap justify-between gap-x-4">
      <dt>{name}</dt>
      <dd className="text-ink tabular-nums">{children}</dd>
    </div>
  )
}
