import { useState } from 'react'
import { useNavigate } from 'react-router'
import { dollars, tokens } from '#src/components/tokens/token-words.ts'
import { tokenCheckoutPath } from '#src/config/paths.ts'
import { Button } from '#src/ui/Button.tsx'
import { Dialog } from '#src/ui/Dialog.tsx'
import { TextField } from '#src/ui/TextField.tsx'
import {
  QUICK_AMOUNTS,
  readTypedAmount,
  startingAmount,
  type TypedAmount,
} from './custom-amount.ts'
import { useShortfall } from './use-shortfall.ts'

/** Asks how many tokens to buy, and leads to the payment. */
export function CustomAmountDialog({
  walletId,
  onClose,
}: {
  readonly walletId: string
  readonly onClose: () => void
}) {
  const navigate = useNavigate()
  const shortfall = useShortfall(walletId)
  const [typed, setTyped] = useState<string | null>(null)
  const text = typed ?? String(startingAmount(shortfall))
  const amount = readTypedAmount(text)
  const isValid = amount.kind === 'valid'
  const buy = () => {
    if (amount.kind === 'valid')
      void navigate(tokenCheckoutPath({ walletId, coinAmount: amount.coinAmount }))
  }
  return (
    <Dialog
      title="Custom Amount"
      isOpen
      onClose={onClose}
      footer={
        <>
          <Button variant="secondary" slot="close">
            Cancel
          </Button>
          <Button
            type="submit"
            form="custom-amount"
            isDisabled={!isValid}
            describedBy="amount-cost"
          >
            Continue to Payment
          </Button>
        </>
      }
    >
      <form
        id="custom-amount"
        className="flex flex-col gap-5"
        onSubmit={(event) => {
          event.preventDefault()
          buy()
        }}
      >
        <AmountField
          text={text}
          amount={amount}
          shortfall={typed === null ? shortfall : null}
          onType={setTyped}
        />
      </form>
    </Dialog>
  )
}

function AmountField({
  text,
  amount,
  shortfall,
  onType,
}: {
  readonly text: string
  readonly amount: TypedAmount
  /** Named below the box while the box holds what covers it; null for nothing to name. */
  readonly shortfall: number | null
  readonly onType: (text: string) => void
}) {
  return (
    <>
      <TextField
        label="Tokens"
        value={text}
        onChange={onType}
        inputMode="numeric"
        autoFocus
        error={amount.kind === 'invalid' ? amount.message : null}
        {...(shortfall === null ? {} : { hint: `Your order lacks ${tokens(shortfall)}.` })}
      />
      {/* What was understood, before it is paid. It keeps its place where nothing was. */}
      <p
        id="amount-cost"
        role="status"
        className="-mt-2 min-h-6 font-semibold text-ink tabular-nums"
      >
        {amount.kind === 'valid'
          ? `${tokens(amount.coinAmount)}, ${dollars(amount.coinAmount)}`
          : null}
      </p>
      <div
        role="group"
        aria-label="Quick options"
        className="grid grid-cols-[repeat(auto-fit,minmax(min(8rem,100%),1fr))] gap-2 sm:grid-cols-3"
      >
        {QUICK_AMOUNTS.map((coinAmount) => (
          <Button key={coinAmount} variant="secondary" onPress={() => onType(String(coinAmount))}>
            {coinAmount.toLocaleString('en-US')}
          </Button>
        ))}
      </div>
    </>
  )
}
