import { ChevronDown } from 'lucide-react'
import type { ReactNode } from 'react'
import {
  Button,
  Disclosure as AriaDisclosure,
  DisclosurePanel,
} from 'react-aria-components/Disclosure'

export interface DisclosureProps {
  readonly title: ReactNode
  readonly children: ReactNode
  readonly isExpanded?: boolean
  readonly onExpandedChange?: (isExpanded: boolean) => void
  readonly isDefaultExpanded?: boolean
  readonly className?: string
}

/**
 * A heading that shows and hides its content. Controlled with `isExpanded`, otherwise keeps its own
 * state.
 */
export function Disclosure({
  title,
  children,
  isExpanded,
  onExpandedChange,
  isDefaultExpanded = false,
  className,
}: DisclosureProps) {
  return (
    <AriaDisclosure
      defaultExpanded={isDefaultExpanded}
      {...(isExpanded === undefined ? {} : { isExpanded })}
      {...(onExpandedChange === undefined ? {} : { onExpandedChange })}
      {...(className === undefined ? {} : { className })}
    >
      <Button
        slot="trigger"
        className="group/trigger flex min-h-11 w-full cursor-pointer items-center justify-between gap-3 rounded-control text-left font-semibold text-ink hover:text-accent"
      >
        <span className="min-w-0">{title}</span>
        <ChevronDown
          aria-hidden
          className="size-5 shrink-0 transition group-aria-expanded/trigger:rotate-180"
        />
      </Button>
      <DisclosurePanel className="text-ink-muted">{children}</DisclosurePanel>
    </AriaDisclosure>
  )
}
