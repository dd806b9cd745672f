import type { ReactNode } from 'react'
import { Header, MenuSection } from 'react-aria-components/Menu'

/** Menu items under a heading that is read, not chosen. */
export function MenuGroup({
  heading,
  children,
}: {
  readonly heading: ReactNode
  readonly children: ReactNode
}) {
  return (
    <MenuSection className="[&+section]:mt-1.5 [&+section]:border-t [&+section]:border-line [&+section]:pt-1.5">
      <Header className="px-3 pt-2 pb-2 text-sm text-ink-muted">{heading}</Header>
      {children}
    </MenuSection>
  )
}
