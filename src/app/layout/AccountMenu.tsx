import { ChevronDown, CircleUserRound, Coins } from 'lucide-react'
import type { AccountAction, AccountLink } from './navigation.ts'
import { useBalance } from './use-balance.ts'
import { buttonLook } from '#src/ui/button-look.ts'
import { Menu } from '#src/ui/Menu.tsx'
import { MenuGroup } from '#src/ui/MenuGroup.tsx'
import { MenuItem } from '#src/ui/MenuItem.tsx'

export interface AccountMenuProps {
  readonly email: string
  readonly links: readonly AccountLink[]
  readonly actions: readonly AccountAction[]
}

/** The account's menu of wide screens. */
export function AccountMenu({ email, links, actions }: AccountMenuProps) {
  const balance = useBalance()
  return (
    <Menu
      label="Account"
      trigger={
        <>
          <CircleUserRound aria-hidden className="size-5" />
          Account
          <ChevronDown aria-hidden className="size-4" />
        </>
      }
      triggerClassName={buttonLook('secondary', 'medium', 'px-4')}
    >
      <MenuGroup heading={<span className="block truncate font-medium text-ink">{email}</span>}>
        <MenuItem href={balance.path} icon={<Coins aria-hidden />}>
          {balance.label}
        </MenuItem>
        {links.map(({ label, path, Icon }) => (
          <MenuItem key={path} icon={<Icon aria-hidden />} href={path}>
            {label}
          </MenuItem>
        ))}
        {actions.map(({ label, Icon, run }) => (
          <MenuItem key={label} icon={<Icon aria-hidden />} onAction={run}>
            {label}
          </MenuItem>
        ))}
      </MenuGroup>
    </Menu>
  )
}
