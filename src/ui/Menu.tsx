import type { ReactNode } from 'react'
import { Button } from 'react-aria-components/Button'
import { Menu as AriaMenu, MenuTrigger, Popover } from 'react-aria-components/Menu'
import { buttonLook } from './button-look.ts'

export interface MenuProps {
  /** Accessible name of the menu. */
  readonly label: string
  /** What the trigger shows. */
  readonly trigger: ReactNode
  /** Name of the trigger when it shows an icon only. */
  readonly triggerLabel?: string
  readonly triggerClassName?: string
  /** `MenuItem` and `MenuGroup`. */
  readonly children: ReactNode
}

/** A button that opens a menu; arrows move, typing finds, Escape returns the focus. */
export function Menu({ label, trigger, triggerLabel, triggerClassName, children }: MenuProps) {
  return (
    <MenuTrigger>
      <Button
        {...(triggerLabel === undefined ? {} : { 'aria-label': triggerLabel })}
        className={triggerClassName ?? buttonLook('quiet')}
      >
        {trigger}
      </Button>
      <Popover
        placement="bottom end"
        offset={8}
        className="max-w-[calc(100vw-24px)] min-w-[min(15rem,calc(100vw-24px))] animate-rise overflow-y-auto overscroll-contain rounded-card border border-line bg-surface-raised p-1.5 shadow-3"
      >
        <AriaMenu aria-label={label} className="outline-none">
          {children}
        </AriaMenu>
      </Popover>
    </MenuTrigger>
  )
}
