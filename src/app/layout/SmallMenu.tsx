import { Coins } from 'lucide-react'
import type { KeyboardEvent } from 'react'
import { NavLink } from 'react-router'
import type { AccountAction, AccountLink, NavigationItem } from './navigation.ts'
import { useBalance } from './use-balance.ts'
import { classNames } from '#src/ui/class-names.ts'

export interface SmallMenuProps {
  readonly id: string
  readonly className: string
  readonly items: readonly NavigationItem[]
  /** Null for visitors. */
  readonly email: string | null
  readonly links: readonly AccountLink[]
  readonly actions: readonly AccountAction[]
  readonly onClose: () => void
  readonly onKeyDown: (event: KeyboardEvent) => void
}

const row =
  'flex min-h-12 w-full cursor-pointer items-center gap-3 rounded-control px-3 text-left font-semibold wrap-anywhere text-ink hover:bg-surface-sunken aria-[current=page]:text-accent'

/** The header's links as a list, on small screens. */
export function SmallMenu({
  id,
  className,
  items,
  email,
  links,
  actions,
  onClose,
  onKeyDown,
}: SmallMenuProps) {
  return (
    <nav
      id={id}
      aria-label="Main"
      className={classNames(
        'animate-fade border-t border-line bg-canvas px-3 py-3 shadow-2',
        className,
      )}
      onKeyDown={onKeyDown}
    >
      <ul className="grid gap-0.5">
        {items.map((item) => (
          <li key={item.path}>
            <NavLink to={item.path} onClick={onClose} className={row}>
              {item.label}
            </NavLink>
          </li>
        ))}
        {email === null ? null : <Account email={email} onClose={onClose} />}
        {links.map(({ label, path, Icon }) => (
          <li key={path}>
            <NavLink to={path} onClick={onClose} className={row}>
              <Icon aria-hidden className="size-5" />
              {label}
            </NavLink>
          </li>
        ))}
        {actions.map(({ label, Icon, run }) => (
          <li key={label}>
            <button type="button" onClick={run} className={row}>
              <Icon aria-hidden className="size-5" />
              {label}
            </button>
          </li>
        ))}
      </ul>
    </nav>
  )
}

function Account({ email, onClose }: { readonly email: string; readonly onClose: () => void }) {
  const balance = useBalance()
  return (
    <>
      <li className="mt-2 border-t wrap-anywhere border-line px-3 pt-4 pb-2 text-sm font-medium text-ink">
        {email}
      </li>
      <li>
        <NavLink to={balance.path} onClick={onClose} className={row}>
          <Coins aria-hidden className="size-5" />
          {balance.label}
        </NavLink>
      </li>
    </>
  )
}
