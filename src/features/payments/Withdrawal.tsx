import { useState } from 'react'
import { mayHaveHappened, type ApiFailure } from '#src/api/errors.ts'
import { useNotYet } from '#src/components/help/use-not-yet.ts'
import { serverProblemCopy } from '#src/components/problem/server-copy.ts'
import { longDateWords } from '#src/lib/time-words.ts'
import { moneyWords, tokens } from '#src/components/tokens/token-words.ts'
import { useNow } from '#src/hooks/clock/use-now.ts'
import { useWithdrawPayment } from './use-withdraw-payment.ts'
import type { Payment } from '#src/local/nouns/payments.ts'
import { MINUTE_MS } from '#src/lib/time.ts'
import { Button } from '#src/ui/Button.tsx'
import { Notice } from '#src/ui/Notice.tsx'
import { QuestionDialog } from '#src/ui/QuestionDialog.tsx'
import { useToasts } from '#src/ui/toasts-context.ts'

/** Gives the unused tokens of a payment back after a question; nothing where that cannot be. */
export function Withdrawal({ payment }: { readonly payment: Payment }) {
  const toasts = useToasts()
  const withdraw = useWithdrawPayment()
  const nowEpochMs = useNow(MINUTE_MS)
  // The payment as it was asked about: what a pull brings meanwhile does not change the question.
  const [asked, setAsked] = useState<Payment | null>(null)
  const [failure, setFailure] = useState<ApiFailure | null>(null)
  const close = () => {
    setAsked(null)
    setFailure(null)
  }
  const start = async () => {
    setFailure(null)
    // Awaited instead of callbacks: a withdrawn payment no longer offers this.
    const result = await withdraw.mutateAsync(payment._id)
    if (!result.ok) {
      setFailure(result.error)
      return
    }
    close()
    const { withdrawnCents, currency } = result.value
    toasts.show(
      'success',
      `The tokens were taken back. ${moneyWords(withdrawnCents, currency)} is refunded.`,
    )
  }
  return (
    <>
      {Date.parse(payment.withdrawableUntil ?? '') > nowEpochMs ? (
        <Button variant="secondary" size="small" onPress={() => setAsked(payment)}>
          Give Tokens Back
        </Button>
      ) : null}
      {asked === null ? null : (
        <Question
          payment={asked}
          isPending={withdraw.isPending}
          failure={failure}
          onWithdraw={() => void start()}
          onClose={close}
        />
      )}
    </>
  )
}

interface QuestionProps {
  readonly payment: Payment
  readonly isPending: boolean
  /** Why it did not work; null until then. */
  readonly failure: ApiFailure | null
  readonly onWithdraw: () => void
  readonly onClose: () => void
}

function Question({ payment, isPending, failure, onWithdraw, onClose }: QuestionProps) {
  const notYet = useNotYet('POST /v1/payments/{id}/withdraw')
  const { withdrawableUntil, withdrawableCoinAmount, withdrawableCents, currency } = payment
  return (
    <QuestionDialog
      title="Give unused tokens back?"
      width="medium"
      isOpen
      isPending={isPending}
      notYet={notYet}
      keepWords="Keep Tokens"
      actWords="Give Tokens Back"
      isDanger
      onAct={onWithdraw}
      onClose={onClose}
    >
      <div className="flex flex-col gap-4">
        <p>
          {`${tokens(withdrawableCoinAmount)} of this payment ${withdrawableCoinAmount === 1 ? 'is' : 'are'} not used. They leave your wallet now, and ${moneyWords(withdrawableCents, currency)} goes back to where the payment came from, usually within a few days.`}
        </p>
        {payment.kind === 'subscription' ? (
          <p>
            Your subscription ends now, and with it what it lets you do. You can subscribe again at
            any time.
          </p>
        ) : null}
        {withdrawableUntil === null ? null : (
          <p>{`You can do this until ${longDateWords(Date.parse(withdrawableUntil))}.`}</p>
        )}
        {failure === null ? null : <Problem failure={failure} />}
      </div>
    </QuestionDialog>
  )
}

function Problem({ failure }: { readonly failure: ApiFailure }) {
  const { title, body } = serverProblemCopy(failure)
  return mayHaveHappened(failure) ? (
    <Notice kind="warning" isLive title={title}>
      We do not know yet whether the tokens were given back. It is safe to try again.
    </Notice>
  ) : (
    <Notice kind="error" isLive title={title}>
      {body}
    </Notice>
  )
}
