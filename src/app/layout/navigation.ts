import {
  CalendarSync,
  CircleQuestionMark,
  Cloud,
  Download,
  Images,
  LogOut,
  ReceiptText,
  UserRound,
  type LucideIcon,
} from 'lucide-react'
import type { Env } from '#src/config/env.ts'
import { paths } from '#src/config/paths.ts'
import { hasPermission, PERMISSIONS } from '#src/config/permissions.ts'

/** A link of the header. */
export interface NavigationItem {
  readonly label: string
  readonly path: string
  readonly kind: 'link' | 'button'
}

/**
 * The header's links.
 * @param permissions of the signed-in user, or null for a visitor
 */
export function navigationItems(
  permissions: readonly string[] | null,
  { paymentsEnabled }: Pick<Env, 'paymentsEnabled'>,
): readonly NavigationItem[] {
  if (permissions === null) {
    return [
      { label: 'Log in', path: paths.logIn, kind: 'link' },
      { label: 'Sign up', path: paths.signUp, kind: 'button' },
    ]
  }
  return [
    { label: 'New Upload', path: paths.newUpload, kind: 'link' },
    { label: 'My Edits', path: paths.edits, kind: 'link' },
    ...(paymentsEnabled && hasPermission(permissions, PERMISSIONS.readReferralCodes)
      ? [{ label: 'Referrals', path: paths.referralCodes, kind: 'link' } as const]
      : []),
    ...(paymentsEnabled && hasPermission(permissions, PERMISSIONS.createWalletSubscriptions)
      ? [{ label: 'Subscribe', path: paths.subscriptionCheckout, kind: 'link' } as const]
      : []),
  ]
}

/** A link of the account's menu. */
export interface AccountLink {
  readonly label: string
  readonly path: string
  readonly Icon: LucideIcon
}

/**
 * The links of the account's menu, and of the list of small screens; a visitor has the help only.
 * What was paid can be read whatever the permissions, and with payments switched off. Media Assets
 * stand there with one of their two permissions; the guard of the route decides who enters.
 */
export function accountLinks(permissions: readonly string[] | null): readonly AccountLink[] {
  const help = { label: 'Help', path: paths.help, Icon: CircleQuestionMark }
  if (permissions === null) return [help]
  return [
    { label: 'My Account', path: paths.userProfile, Icon: UserRound },
    ...(hasPermission(permissions, PERMISSIONS.readWalletSubscriptions)
      ? [{ label: 'My Subscriptions', path: paths.subscriptions, Icon: CalendarSync }]
      : []),
    ...(hasPermission(permissions, PERMISSIONS.createMediaAssets) ||
    hasPermission(permissions, PERMISSIONS.readMediaAssets)
      ? [{ label: 'Media Assets', path: paths.mediaAssets, Icon: Images }]
      : []),
    { label: 'Integrations', path: paths.externalAuths, Icon: Cloud },
    { label: 'My Payments', path: paths.payments, Icon: ReceiptText },
    help,
  ]
}

/** What the account's menu and the list of small screens can do, beside their links. */
export interface AccountAction {
  readonly label: string
  readonly Icon: LucideIcon
  readonly run: () => void
}

/**
 * The actions of this person, in order; none for a visitor, who has nothing to open from a home
 * screen yet.
 * @param install null where the app cannot be installed
 * @param logOut null for a visitor
 */
export function accountActions(
  install: (() => void) | null,
  logOut: (() => void) | null,
): readonly AccountAction[] {
  if (logOut === null) return []
  return [
    ...(install === null ? [] : [{ label: 'Install Onecut', Icon: Download, run: install }]),
    { label: 'Logout', Icon: LogOut, run: logOut },
  ]
}

/** '{n} tokens' as specified; the balance is the sum over wallets, null while it is not known. */
export function tokensLabel(spendable: number | null): string {
  return spendable === null ? '… tokens' : `${spendable.toLocaleString('en-US')} tokens`
}
