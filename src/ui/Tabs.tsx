import type { ReactNode } from 'react'
import { Tab, TabList, TabPanel, Tabs as AriaTabs } from 'react-aria-components/Tabs'

interface TabItem {
  readonly id: string
  readonly label: string
  /** A count beside the label; nothing is shown for 0 or undefined. */
  readonly badge?: number
  /** What the count counts, for screen readers: 'chosen'. */
  readonly badgeLabel?: string
  readonly content: ReactNode
}

export interface TabsProps {
  readonly label: string
  readonly items: readonly TabItem[]
  readonly selectedId: string
  readonly onSelect: (id: string) => void
}

/**
 * Tabs with counting badges; arrows move between them. Panels that are not shown are not mounted.
 */
export function Tabs({ label, items, selectedId, onSelect }: TabsProps) {
  return (
    <AriaTabs selectedKey={selectedId} onSelectionChange={(key) => onSelect(String(key))}>
      <TabList
        aria-label={label}
        className="flex flex-wrap gap-1 rounded-2xl bg-surface-sunken p-1 forced-colors:border"
      >
        {items.map((item) => (
          <Tab
            key={item.id}
            id={item.id}
            className="flex min-h-11 flex-1 cursor-pointer items-center justify-center gap-2 rounded-xl px-3 text-center text-[0.9375rem] leading-tight font-semibold text-ink-muted transition outline-0 hover:text-ink data-focus-visible:outline-2 data-focus-visible:outline-accent data-selected:bg-surface data-selected:text-ink data-selected:shadow-1 forced-colors:data-selected:forced-color-adjust-none forced-colors:data-selected:bg-[Highlight] forced-colors:data-selected:text-[HighlightText]"
          >
            {item.label}
            {item.badge === undefined || item.badge === 0 ? null : (
              <span className="grid min-w-6 place-items-center rounded-full bg-accent-from px-1.5 text-xs leading-[2] font-bold text-on-accent">
                {item.badge}
                <span className="sr-only"> {item.badgeLabel ?? 'chosen'}</span>
              </span>
            )}
          </Tab>
        ))}
      </TabList>
      {items.map((item) => (
        <TabPanel
          key={item.id}
          id={item.id}
          className="mt-3 rounded-control outline-0 sm:mt-5 data-focus-visible:outline-2 data-focus-visible:outline-offset-4 data-focus-visible:outline-accent"
        >
          {item.content}
        </TabPanel>
      ))}
    </AriaTabs>
  )
}
