import type { ReactElement } from 'react'
import { Tooltip as AriaTooltip, TooltipTrigger } from 'react-aria-components'

/**
 * A hint on hover and focus for the control inside. Never the only place of something that the
 * person needs.
 */
export function Tooltip({
  text,
  children,
}: {
  readonly text: string
  readonly children: ReactElement
}) {
  return (
    <TooltipTrigger delay={400}>
      {children}
      <AriaTooltip
        offset={8}
        className="max-w-64 animate-fade rounded-lg bg-ink px-3 py-1.5 text-sm text-canvas shadow-2"
      >
        {text}
      </AriaTooltip>
    </TooltipTrigger>
  )
}
