import { useRef } from 'react'
import { ProblemNotice } from '#src/components/help/ProblemNotice.tsx'
import { useFrameMessages } from './use-frame-messages.ts'
import { useFrameOrigins } from './use-frame-origins.ts'
import { Button } from '#src/ui/Button.tsx'
import { Notice } from '#src/ui/Notice.tsx'
import { Spinner } from '#src/ui/Spinner.tsx'
import type { FrameStage } from './use-frame-stage.ts'
import type { ProblemNoticeProps } from '#src/components/help/ProblemNotice.tsx'

export interface ChoiceFrameProps {
  readonly choice: FrameStage & Pick<ProblemNoticeProps, 'problem'> & { readonly isBusy: boolean }
  /** The cloud, as people call it. */
  readonly cloud: string
  readonly address: string
  readonly className: string
  /** What helps where the document does not load. */
  readonly advice: string
  readonly hear: (data: unknown) => void
}

/** A cloud's own window, in a frame; nothing of the cloud is loaded before it is shown. */
export function ChoiceFrame({
  choice: { stage, setStage, problem, isBusy },
  cloud,
  address,
  className,
  advice,
  hear,
}: ChoiceFrameProps) {
  const frame = useRef<HTMLIFrameElement>(null)
  const origins = useFrameOrigins()
  useFrameMessages(frame, origins, hear)
  return (
    <>
      {stage === 'unloaded' ? (
        <Notice
          kind="warning"
          isLive
          title={`${cloud} did not load`}
          action={<Button onPress={() => setStage('loading')}>Try again</Button>}
        >
          {advice}
        </Notice>
      ) : (
        <iframe
          ref={frame}
          src={origins === null ? undefined : address}
          title={cloud}
          className={className}
        />
      )}
      {stage === 'loading' || isBusy ? (
        <p role="status" className="flex items-center gap-3">
          <Spinner />
          {isBusy ? `Asking ${cloud} for your video` : `Loading ${cloud}`}
        </p>
      ) : null}
      <ProblemNotice problem={problem} />
    </>
  )
}
