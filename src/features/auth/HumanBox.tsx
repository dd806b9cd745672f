import { CircleAlert, CircleCheck, ShieldQuestion } from 'lucide-react'
import type { HumanCheck, HumanState } from './human-check.ts'
import { Button } from '#src/ui/Button.tsx'
import { Spinner } from '#src/ui/Spinner.tsx'

const words: Readonly<Record<HumanState['kind'], string>> = {
  idle: 'Human verification',
  working: 'Checking that you are human',
  solved: 'Verified: you are human',
  expired: 'The verification has expired',
  failed: 'The verification failed',
}

/**
 * Shows where the built-in verification stands. It starts by itself; a press starts it too, or
 * again.
 */
export function HumanBox({
  check,
  state,
}: {
  readonly check: HumanCheck
  readonly state: HumanState
}) {
  const isStill = state.kind === 'idle' || state.kind === 'expired' || state.kind === 'failed'
  return (
    <div
      data-state={state.kind}
      className="flex min-h-14 items-center gap-3 rounded-control border border-line bg-surface-sunken px-4 py-2"
    >
      <span
        aria-hidden
        className="text-accent data-[tone=bad]:text-bad data-[tone=good]:text-good"
        data-tone={
          state.kind === 'solved'
            ? 'good'
            : state.kind === 'failed' || state.kind === 'expired'
              ? 'bad'
              : 'neutral'
        }
      >
        {state.kind === 'working' ? (
          <Spinner className="size-5.5" />
        ) : state.kind === 'solved' ? (
          <CircleCheck className="size-5.5" />
        ) : state.kind === 'idle' ? (
          <ShieldQuestion className="size-5.5" />
        ) : (
          <CircleAlert className="size-5.5" />
        )}
      </span>
      <span role="status" className="min-w-0 flex-1 text-[0.9375rem]">
        {words[state.kind]}
      </span>
      {isStill ? (
        <Button variant="secondary" size="small" onPress={check.start}>
          {state.kind === 'idle' ? 'Verify' : 'Try again'}
        </Button>
      ) : null}
    </div>
  )
}
