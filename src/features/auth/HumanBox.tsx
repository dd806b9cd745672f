import { CircleAlert, CircleCheck, ShieldQuestion } from 'lucide-react'
import type { ReactNode } from 'react'
import type { HumanCheck, HumanState } from './human-check.ts'
import { Button } from '#src/ui/Button.tsx'
import { Spinner } from '#src/ui/Spinner.tsx'

interface Look {
  readonly text: string
  readonly tone: 'good' | 'bad' | 'neutral'
  readonly icon: ReactNode
  /** What the button says; null where there is nothing to press. */
  readonly action: string | null
}

const LOOKS: Readonly<Record<HumanState['kind'], Look>> = {
  idle: {
    text: 'Human verification',
    tone: 'neutral',
    icon: <ShieldQuestion className="size-5.5" />,
    action: 'Verify',
  },
  working: {
    text: 'Checking that you are human',
    tone: 'neutral',
    icon: <Spinner className="size-5.5" />,
    action: null,
  },
  solved: {
    text: 'Verified: you are human',
    tone: 'good',
    icon: <CircleCheck className="size-5.5" />,
    action: null,
  },
  expired: {
    text: 'The verification has expired',
    tone: 'bad',
    icon: <CircleAlert className="size-5.5" />,
    action: 'Try again',
  },
  failed: {
    text: 'The verification failed',
    tone: 'bad',
    icon: <CircleAlert className="size-5.5" />,
    action: 'Try again',
  },
}

/** Shows where the built-in verification stands. It starts on its own; a press starts it too. */
export function HumanBox({
  check,
  state,
}: {
  /** Null before the app has started: then there is nothing to press. */
  readonly check: HumanCheck | null
  readonly state: HumanState
}) {
  const look = LOOKS[state.kind]
  return (
    <div
      data-state={state.kind}
      className="flex min-h-14 flex-wrap items-center gap-3 rounded-control border border-line bg-surface-sunken px-4 py-2"
    >
      <span
        aria-hidden
        className="text-accent data-[tone=bad]:text-bad data-[tone=good]:text-good"
        data-tone={look.tone}
      >
        {look.icon}
      </span>
      <span role="status" className="min-w-0 flex-1 basis-24 text-[0.9375rem]">
        {look.text}
      </span>
      {look.action === null ? null : (
        <Button
          variant="secondary"
          size="small"
          isDisabled={check === null}
          {...(check === null ? {} : { onPress: check.start })}
        >
          {look.action}
        </Button>
      )}
    </div>
  )
}
