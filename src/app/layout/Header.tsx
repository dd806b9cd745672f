import { useAtomValue } from 'jotai'
import { Coins, Menu as MenuIcon, X } from 'lucide-react'
import { useRef, useState, type KeyboardEvent } from 'react'
import { Link, NavLink, useLocation } from 'react-router'
import { AccountMenu } from './AccountMenu.tsx'
import { HEADER_LOOK, HEADER_ROW, LOGO_LINK } from './frame-look.ts'
import { Logo } from './Logo.tsx'
import { LogoutQuestion } from './LogoutQuestion.tsx'
import { accountActions, accountLinks, navigationItems } from './navigation.ts'
import type { NavigationItem } from './navigation.ts'
import { SmallMenu } from './SmallMenu.tsx'
import { useBalance } from './use-balance.ts'
import { useLogout } from './use-logout.ts'
import { InstallHelp } from '#src/app/pwa/InstallHelp.tsx'
import { installAtom } from '#src/app/pwa/pwa-atoms.ts'
import { usePwa } from '#src/app/pwa/pwa-context.ts'
import { env } from '#src/config/env.ts'
import { paths } from '#src/config/paths.ts'
import { useSession } from '#src/hooks/account/use-session.ts'
import { buttonLook } from '#src/ui/button-look.ts'
import { classNames } from '#src/ui/class-names.ts'
import { IconButton } from '#src/ui/IconButton.tsx'

/** From which width on the links stand in the row: a person has more of them than a visitor. */
const ROOM = {
  visitor: { links: 'md:flex', rest: 'md:ml-0', account: 'md:block', menu: 'md:hidden' },
  person: {
    links: 'min-[60rem]:flex',
    rest: 'min-[60rem]:ml-0',
    account: 'min-[60rem]:block',
    menu: 'min-[60rem]:hidden',
  },
} as const

/** The header of every screen; on small screens its links are a list that opens. */
export function Header() {
  const session = useSession()
  const user = session.kind === 'signed-in' ? session.user : null
  const permissions = user === null ? null : user.permissions
  const items = navigationItems(permissions, env)
  const links = accountLinks(permissions)
  const logout = useLogout()
  const menu = useSmallMenu()
  const [isHelpOpen, setHelpOpen] = useState(false)
  const install = useInstallAction(() => setHelpOpen(true))
  const actions = accountActions(install, user === null ? null : logout.start)
  const room = ROOM[user === null ? 'visitor' : 'person']
  return (
    <header className={HEADER_LOOK}>
      <div className={HEADER_ROW}>
        <Link to={paths.landing} aria-label="Onecut, start page" className={LOGO_LINK}>
          <Logo />
        </Link>
        <nav
          aria-label="Main"
          className={classNames('ml-auto hidden items-center gap-1.5', room.links)}
        >
          {items.map((item) => (
            <HeaderLink key={item.path} item={item} />
          ))}
        </nav>
        <div className={classNames('ml-auto flex items-center gap-1.5', room.rest)}>
          {user === null ? null : <BalanceLink />}
          {user === null ? null : (
            <span className={classNames('hidden', room.account)}>
              <AccountMenu email={user.email} links={links} actions={actions} />
            </span>
          )}
          <MenuButton className={room.menu} menu={menu} />
        </div>
      </div>
      {menu.isOpen ? (
        <SmallMenu
          id="small-menu"
          className={room.menu}
          items={items}
          email={user?.email ?? null}
          links={links}
          actions={actions}
          onClose={menu.close}
          onKeyDown={menu.closeByKey}
        />
      ) : null}
      <LogoutQuestion logout={logout} />
      <InstallHelp isOpen={isHelpOpen} onClose={() => setHelpOpen(false)} />
    </header>
  )
}

function useSmallMenu() {
  const { pathname } = useLocation()
  // Open for one address: following a link closes the list.
  const [openAt, setOpenAt] = useState<string | null>(null)
  const isOpen = openAt === pathname
  const button = useRef<HTMLButtonElement>(null)
  return {
    isOpen,
    button,
    toggle: () => setOpenAt(isOpen ? null : pathname),
    close: () => setOpenAt(null),
    /** Escape, in the list or on its button, where the focus then is. */
    closeByKey: ({ key }: KeyboardEvent) => {
      if (key !== 'Escape' || !isOpen) return
      setOpenAt(null)
      button.current?.focus()
    },
  }
}

/** How this browser installs the app, as an action; null where it does not. */
function useInstallAction(showHelp: () => void): (() => void) | null {
  const { install } = usePwa()
  switch (useAtomValue(installAtom)) {
    case 'none':
      return null
    case 'prompt':
      return () => void install.install()
    case 'share-menu':
      return showHelp
  }
}

/** What can be spent, in the header at every width; its place does not depend on the number. */
function BalanceLink() {
  const balance = useBalance()
  return (
    <Link
      to={balance.path}
      aria-label={`Balance: ${balance.label}`}
      className={buttonLook(
        'quiet',
        'medium',
        'min-w-[min(7rem,40vw)] justify-end px-3 tabular-nums',
      )}
    >
      <Coins aria-hidden className="size-4.5 text-accent" />
      {balance.amount}
    </Link>
  )
}

function MenuButton({
  className,
  menu: { isOpen, button, toggle, closeByKey },
}: {
  readonly className: string
  readonly menu: ReturnType<typeof useSmallMenu>
}) {
  return (
    <div className={classNames('-mr-2', className)} onKeyDown={closeByKey}>
      <IconButton
        ref={button}
        label={isOpen ? 'Close menu' : 'Open menu'}
        icon={isOpen ? <X aria-hidden /> : <MenuIcon aria-hidden />}
        onPress={toggle}
        isExpanded={isOpen}
        controls="small-menu"
      />
    </div>
  )
}

function HeaderLink({ item }: { readonly item: NavigationItem }) {
  return (
    <NavLink
      to={item.path}
      className={
        item.kind === 'button'
          ? buttonLook('primary')
          : buttonLook('quiet', 'medium', 'px-4 aria-[current=page]:text-accent')
      }
    >
      {item.label}
    </NavLink>
  )
}
