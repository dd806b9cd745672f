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

/** What permissions need to know of a subscription; `canceling` runs to the end of its period. */
export interface SubscriptionFact {
  readonly status: 'active' | 'canceling' | 'ended'
}

/** Days in which a new account may order and spend without a subscription. */
export const TRIAL_DAYS = 7

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

/**
 * The permissions of an account at a time. The trial ends exactly at `trialEndsAt`.
 * @param subscriptions every subscription the account has or had
 */
export function permissionsOf(
  user: { readonly trialEndsAt: Date },
  subscriptions: readonly SubscriptionFact[],
  now: Date,
): readonly Permission[] {
  const isInTrial = now.getTime() < user.trialEndsAt.getTime()
  const isSubscribed = subscriptions.some((subscription) => subscription.status !== 'ended')
  return [
    ...everyone,
    ...(isInTrial || isSubscribed ? customers : []),
    ...(subscriptions.length > 0 ? ['read:walletSubscriptions' as const] : []),
  ]
}
