import type { ReactNode } from 'react'
import { Page } from '#src/ui/Page.tsx'
import type { FlowStep } from './flow-state.ts'
import { StepList } from './StepList.tsx'

const TITLES: Readonly<Record<FlowStep, string>> = { upload: 'Upload your video', formats: 'Choose your edits', order: 'Order & pay', work: 'Your edits are on their way' }

/** The frame of the four steps: title, steps, and the step itself. */
export function FlowFrame({ step, title, children }: { readonly step: FlowStep; /** Instead of the step's own. */ readonly title?: string; readonly children: ReactNode }) {
  return (
    <Page title={title ?? TITLES[step]}>
      <StepList step={step} />
      {children}
    </Page>
  )
}
