import { Coins } from 'lucide-react'
import type { components } from '#openapi/schema.gen.ts'
import { WALLET_ENDING_CHARACTERS } from '#spec/numbers.ts'
import { Radio } from 'react-aria-components/RadioGroup'
import { expiringDays } from './expiring-days.ts'
import { dateWords } from '#src/lib/time-words.ts'
import { tokens } from './token-words.ts'

type ShownWallet = Pick<
  components['schemas']['Wallet'],
  '_id' | 'spendableCoinAmount' | 'expiringLots'
>

/** One wallet to pay from, inside a RadioGroup: what can be spent, and what of it expires first. */
export function WalletCard({ wallet }: { readonly wallet: ShownWallet }) {
  return (
    <Radio
      value={wallet._id}
      className="group flex min-h-16 cursor-pointer items-center gap-4 rounded-control border border-line bg-surface p-4 transition data-focus-visible:outline-2 data-focus-visible:outline-accent data-hovered:border-line-control data-selected:border-accent data-selected:bg-accent-soft"
    >
      <span
        aria-hidden
        className="grid size-10 shrink-0 place-items-center rounded-full bg-surface-sunken text-accent group-data-selected:bg-surface"
      >
        <Coins className="size-5" />
      </span>
      <span className="min-w-0 flex-1">
        <span className="block text-lg leading-snug font-semibold tabular-nums">
          {tokens(wallet.spendableCoinAmount)}
        </span>
        <span className="block text-[0.9375rem]">
          Wallet ending in {wallet._id.slice(-WALLET_ENDING_CHARACTERS)}
        </span>
        <span className="block text-sm text-ink-muted">{expiryWords(wallet)}</span>
      </span>
      <span
        aria-hidden
        className="size-5 shrink-0 rounded-full border-2 border-line-control group-data-selected:border-6 group-data-selected:border-accent-from"
      />
    </Radio>
  )
}

/**
 * What expires first, else that nothing does; null of a wallet without tokens. A wallet has tokens
 * of the trial, of months and bought ones, so that its kind says nothing of them.
 */
export function expiryWords({
  spendableCoinAmount,
  expiringLots,
}: Omit<ShownWallet, '_id'>): string | null {
  const [soonest] = expiringDays(expiringLots)
  if (soonest !== undefined)
    return `${tokens(soonest.coinAmount)} valid until ${dateWords(soonest.atEpochMs)}`
  return spendableCoinAmount > 0 ? 'They never expire' : null
}
