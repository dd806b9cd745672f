import type { ReactNode } from 'react'
import type { ApiFailure } from '#src/api/errors.ts'
import { HelpLink } from '#src/components/HelpLink.tsx'
import { helpOfFailure } from '#src/components/problem/help-of.ts'
import { serverProblemCopy } from '#src/components/problem/server-copy.ts'
import { tokens } from '#src/components/token-words.ts'
import { isRefusal, type PayFailure } from '#src/local/calls/pay-order.ts'
import { Button } from '#src/ui/Button.tsx'
import { Notice } from '#src/ui/Notice.tsx'

export interface PaymentProblemProps {
  readonly failure: PayFailure
  readonly isBusy: boolean
  /** Finds out what became of a payment without an answer. Never pays twice. */
  readonly onCheck: () => void
}

/** A payment that did not succeed: what happened, and whether anything was charged. */
export function PaymentProblem({ failure, isBusy, onCheck }: PaymentProblemProps) {
  const check = (
    <Button onPress={onCheck} isBusy={isBusy}>
      Check payment
    </Button>
  )
  if (failure.code === 'payment/unsettled')
    return (
      <Notice kind="warning" isLive title="An earlier payment was not confirmed" action={check}>
        {`We do not know yet whether you were charged ${tokens(failure.intent.coinAmount)}. Checking is safe: you will not pay twice.`}
      </Notice>
    )
  return isRefusal(failure) ? (
    <Refused failure={failure} />
  ) : (
    <Unknown failure={failure} action={check} />
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
      We do not know yet whether you were charged. Checking is safe: you will not pay twice.
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
