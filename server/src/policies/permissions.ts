/**
 * The rights of accounts. Pure: the same facts give the same list in the same order, so that lists
 * can be compared.
 */

/** Permission strings of the specification that this server hands out. */
export type Permission =
  | 'read:referralCodes'
  | 'create:mediaAssets'
  | 'read:mediaAssets'
  | 'create:uploadRequestDropboxChooser'
  | 'create:uploadRequestGoogleDrivePicker'
  | 'create:walletSubscriptions'
  | 'create:orders'
  | 'create:fundSourceWalletCoinTransactions'
  | 'read:walletSubscriptions'

/** What permissions need to know of a person's subscriptions. */
export interface SubscriptionStanding {
  /** One that is over counts as well. */
  readonly hasSubscribed: boolean
  /** End of the last month paid of those that are not over; null without one. */
  readonly paidThrough: Date | null
}

/** Days after a paid month in which a renewal may fail before the permissions end. */
const GRACE_DAYS = 3

const everyone: readonly Permission[] = [
  'read:referralCodes',
  'create:mediaAssets',
  'read:mediaAssets',
  'create:uploadRequestDropboxChooser',
  'create:uploadRequestGoogleDrivePicker',
  'create:walletSubscriptions',
]
const customers: readonly Permission[] = [
  'create:orders',
  'create:fundSourceWalletCoinTransactions',
]

/** When the rights of the last paid month end: days after it, in which a renewal may fail. */
function graceEnd(paidThrough: Date): Date {
  return new Date(paidThrough.getTime() + GRACE_DAYS * 86_400_000)
}

/**
 * Until when a subscription lets its owner order and spend; null before a first paid month and once
 * it is over. One that was cancelled ends without days of grace.
 */
export function usableUntil({
  status,
  paidThrough,
  cancelsAt,
}: {
  readonly status: string
  readonly paidThrough: Date | null
  readonly cancelsAt: Date | null
}): Date | null {
  if (status === 'expired' || paidThrough === null) return null
  const end = graceEnd(paidThrough)
  return cancelsAt !== null && cancelsAt < end ? cancelsAt : end
}

/** True while the last paid month runs, and for the days of grace after it. */
export function isSubscribed({ paidThrough }: SubscriptionStanding, now: Date): boolean {
  return paidThrough !== null && now < graceEnd(paidThrough)
}

/**
 * The permissions of an account at a time. The trial ends exactly at `trialEndsAt`. A server that
 * takes no payments asks for no subscription.
 */
export function permissionsOf(
  user: { readonly trialEndsAt: Date },
  standing: SubscriptionStanding,
  { now, takesPayments }: { readonly now: Date; readonly takesPayments: boolean },
): readonly Permission[] {
  const isInTrial = now.getTime() < user.trialEndsAt.getTime()
  const isCustomer = isInTrial || isSubscribed(standing, now) || !takesPayments
  return [
    ...everyone,
    ...(isCustomer ? customers : []),
    ...(standing.hasSubscribed ? ['read:walletSubscriptions' as const] : []),
  ]
}
