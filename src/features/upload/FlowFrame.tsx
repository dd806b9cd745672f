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
  children,
}: {
  readonly step: FlowStep
  /** Instead of the step's own. */ readonly title?: string
  readonly children: ReactNode
}) {
  const heading = useRef<HTMLHeadingElement>(null)
  const isArrival = useNavigationType() !== 'POP'
  const shownStep = useRef(isArrival ? null : step)
  // The button that led to a step goes with the one before: without this, the place on the page and
  // in the order of Tab were arbitrary.
  useEffect(() => {
    if (shownStep.current === step) return
    shownStep.current = step
    if (document.activeElement !== document.body) return
    window.scrollTo({ top: 0 })
    heading.current?.focus({ preventScroll: true })
  }, [step])
  return (
    <Page title={title ?? TITLES[step]} headingRef={heading}>
      <StepList step={step} />
      {children}
    </Page>
  )
}
