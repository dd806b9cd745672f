import { useEffect, useRef } from 'react'
import type { ReactNode } from 'react'
import { useNavigationType } from 'react-router'
import { Page } from '#src/ui/Page.tsx'
import type { FlowStep } from './flow-state.ts'
import { StepList } from './StepList.tsx'

const TITLES: Readonly<Record<FlowStep, string>> = {
  upload: 'Upload your video',
  formats: 'Choose your edits',
  order: 'Order & pay',
  work: 'Your edits are on their way',
}

/** The frame of the four steps: title, steps, and the step itself. */
export function FlowFrame({
  step,
  title,
  isUploaded = false,
  children,
}: {
  readonly step: FlowStep
  /** Takes the place of the step's own title. */
  readonly title?: string
  /** The whole file of the video is known to have arrived. */
  readonly isUploaded?: boolean
  readonly children: ReactNode
}) {
  const heading = useRef<HTMLHeadingElement>(null)
  const isArrival = useNavigationType() !== 'POP'
  const shownStep = useRef(isArrival ? null : step)
  // The button that led to this step is gone with the step before. Without this effect, the scroll
  // position and the tab order would start at an arbitrary place.
  useEffect(() => {
    if (shownStep.current === step) return
    shownStep.current = step
    if (document.activeElement !== document.body) return
    window.scrollTo({ top: 0 })
    heading.current?.focus({ preventScroll: true })
  }, [step])
  return (
    <Page title={title ?? TITLES[step]} headingRef={heading}>
      <StepList step={step} isUploaded={isUploaded} />
      {children}
    </Page>
  )
}
