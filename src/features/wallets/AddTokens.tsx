import { useState } from 'react'
import { tokens } from '#src/components/tokens/token-words.ts'
import { paths, tokenCheckoutPath } from '#src/config/paths.ts'
import type { Wallet } from '#src/hooks/pay/use-wallets.ts'
import { Button } from '#src/ui/Button.tsx'
import { Card } from '#src/ui/Card.tsx'
import { LinkButton } from '#src/ui/LinkButton.tsx'
import {
  PLAN_PRICE_DOLLARS_PER_MONTH,
  SUBSCRIPTION_TOKENS_PER_MONTH,
  TOKEN_PRICE_DOLLARS,
} from '#spec/numbers.ts'
import { CustomAmountDialog } from './CustomAmountDialog.tsx'

const QUICK_BUYS = [
  { label: 'Add $20', coinAmount: 2000 },
  { label: 'Add $50', coinAmount: 5000 },
] as const

/** The ways to tokens: by card for holders of the permission, else by a subscription. */
export function AddTokens({
  wallet,
  maySpend,
}: {
  readonly wallet: Wallet
  readonly maySpend: boolean
}) {
  return (
    <Card as="section" labelledBy="add-tokens">
      <h2 id="add-tokens" className="text-lg font-semibold">
        Add tokens
      </h2>
      {maySpend ? <Buy wallet={wallet} /> : <Subscribe />}
    </Card>
  )
}

function Buy({ wallet }: { readonly wallet: Wallet }) {
  const [isCustom, setCustom] = useState(false)
  return (
    <>
      <p className="mt-1 text-[0.9375rem] text-ink-muted">
        1 token = ${TOKEN_PRICE_DOLLARS}. Purchased tokens never expire.
      </p>
      <div className="mt-4 grid gap-3 sm:grid-cols-2">
        {QUICK_BUYS.map(({ label, coinAmount }) => (
          <div key={label} className="flex flex-col gap-1 text-center">
            <LinkButton
              to={tokenCheckoutPath({ walletId: wallet._id, coinAmount })}
              variant="secondary"
            >
              {label}
            </LinkButton>
            <span className="text-sm text-ink-muted tabular-nums">{tokens(coinAmount)}</span>
          </div>
        ))}
      </div>
      <Button onPress={() => setCustom(true)} className="mt-4 w-full">
        Custom Amount
      </Button>
      {isCustom ? (
        <CustomAmountDialog walletId={wallet._id} onClose={() => setCustom(false)} />
      ) : null}
    </>
  )
}

function Subscribe() {
  return (
    <>
      <p className="mt-1 text-[0.9375rem] text-ink-muted">
        {`${tokens(SUBSCRIPTION_TOKENS_PER_MONTH)} each month for $${PLAN_PRICE_DOLLARS_PER_MONTH.toFixed(2)}.`}
      </p>
      <LinkButton to={paths.subscriptionCheckout} className="mt-4 w-full">
        Subscribe for Monthly Tokens
      </LinkButton>
    </>
  )
}
