import { ChevronDown, CircleUserRound, Coins, Download, LogOut } from 'lucide-react'
import { tokensLabel } from './navigation.ts'
import { useWalletTotal } from '#src/hooks/use-wallets.ts'
import { buttonLook } from '#src/ui/button-look.ts'
import { Menu } from '#src/ui/Menu.tsx'
import { MenuGroup } from '#src/ui/MenuGroup.tsx'
import { MenuItem } from '#src/ui/MenuItem.tsx'

export interface AccountMenuProps {
  readonly email: string
  /** Null where the app cannot be installed. */
  readonly onInstall: (() => void) | null
  readonly onLogOut: () => void
}

/** The account's menu of wide screens. */
export function AccountMenu({ email, onInstall, onLogOut }: AccountMenuProps) {
  const tokens = useWalletTotal()
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
      <MenuGroup
        heading={
          <>
            <span className="block truncate font-medium text-ink">{email}</span>
            <span className="mt-1 flex items-center gap-1.5">
              <Coins aria-hidden className="size-4" />
              {tokensLabel(tokens)}
            </span>
          </>
        }
      >
        {onInstall === null ? null : (
          <MenuItem icon={<Download aria-hidden />} onAction={onInstall}>
            Install Onecut
          </MenuItem>
        )}
        <MenuItem icon={<LogOut aria-hidden />} onAction={onLogOut}>
          Logout
        </MenuItem>
      </MenuGroup>
    </Menu>
  )
}
