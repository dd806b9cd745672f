import type { ReactNode } from 'react'
import type { ApiFailure } from '#src/api/errors.ts'
import { SendButton } from '#src/components/help/SendButton.tsx'
import { HelpLink } from '#src/components/help/HelpLink.tsx'
import { helpOfFailure } from '#src/components/problem/help-of.ts'
import { serverProblemCopy } from '#src/components/problem/server-copy.ts'
import { tokens } from '#src/components/tokens/token-words.ts'
import { isRefusal, type PayFailure } from '#src/local/calls/pay-order.ts'
import { Notice } from '#src/ui/Notice.tsx'

export interface PaymentProblemProps {
  readonly failure: PayFailure
  readonly isBusy: boolean
  /** Sends a payment without an answer again: pays what is not paid yet, and never twice. */
  readonly onFinish: () => void
}

const FINISHING =
  'Finishing the payment charges you only if that has not happened: you will not pay twice.'

/** A payment that did not succeed: what happened, and whether anything was charged. */
export function PaymentProblem({ failure, isBusy, onFinish }: PaymentProblemProps) {
  const finish = (
    <SendButton
      sends="POST /v1/payments/orders/{orderId}/wallet-coin-transactions"
      onPress={onFinish}
      isBusy={isBusy}
    >
      Finish payment
    </SendButton>
  )
  if (failure.code === 'payment/unsettled')
    return (
      <Notice kind="warning" isLive title="An earlier payment was not confirmed" action={finish}>
        {`We do not know yet whether you were charged ${tokens(failure.intent.coinAmount)}. ${FINISHING}`}
      </Notice>
    )
  return isRefusal(failure) ? (
    <Refused failure={failure} />
  ) : (
    <Unknown failure={failure} action={finish} />
  )
}

function Unknown({
  failure,
  action,
}: {
  readonly failure: ApiFailure
  readonly action: ReactNode
}) {
  return (
    <Notice kind="warning" isLive title={serverProblemCopy(failure).title} action={action}>
      We do not know yet whether you were charged. {FINISHING}
    </Notice>
  )
}

function Refused({ failure }: { readonly failure: ApiFailure }) {
  const { title, body } = serverProblemCopy(failure)
  const isSaid = body?.includes('charged') === true
  return (
    <Notice kind="error" isLive title={title}>
      {isSaid ? body : ['Nothing was charged.', body].filter((words) => words !== null).join(' ')}{' '}
      <HelpLink slug={helpOfFailure(failure)} />
    </Notice>
  )
}
