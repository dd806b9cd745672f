import { serverProblemCopy } from '#src/components/problem/server-copy.ts'
import { tokens } from '#src/components/token-words.ts'
import type { PayFailure } from '#src/local/outbox/pay-order.ts'
import { Button } from '#src/ui/Button.tsx'
import { Notice } from '#src/ui/Notice.tsx'

export interface PaymentProblemProps {
  readonly failure: PayFailure
  readonly isBusy: boolean
  /** Learns what became of a payment that was not answered; pays nothing twice. */
  readonly onCheck: () => void
}

/** A payment that did not succeed: what happened, and always whether anything was charged. */
export function PaymentProblem({ failure, isBusy, onCheck }: PaymentProblemProps) {
  const check = (
    <Button onPress={onCheck} isBusy={isBusy}>
      Check payment
    </Button>
  )
  switch (failure.code) {
    case 'payment/unsettled':
      return (
        <Notice kind="warning" isLive title="An earlier payment was not answered" action={check}>
          {`It is not known yet whether ${tokens(failure.intent.coinAmount)} were charged. Checking is safe: nothing is paid twice.`}
        </Notice>
      )
    case 'api/offline':
    case 'api/timeout':
    case 'api/no-response':
    case 'api/aborted':
      return (
        <Notice kind="warning" isLive title={serverProblemCopy(failure).title} action={check}>
          It is not known yet whether anything was charged. Checking is safe: nothing is paid twice.
        </Notice>
      )
    case 'api/http':
    case 'api/unexpected': {
      const copy = serverProblemCopy(failure)
      return (
        <Notice kind="error" isLive title={copy.title}>
          {copy.body?.includes('charged') === true
            ? copy.body
            : ['Nothing was charged.', copy.body].filter((words) => words !== null).join(' ')}
        </Notice>
      )
    }
  }
}
