import { driveSaves } from './drive-saves.ts'
import { editSets } from './edit-sets.ts'
import { externalAuths } from './external-auths.ts'
import { mediaAssets } from './media-assets.ts'
import { musicTracks } from './music-tracks.ts'
import { payments } from './payments.ts'
import { presets } from './presets.ts'
import { referralCodes } from './referral-codes.ts'
import { referralRedemptions } from './referral-redemptions.ts'
import { storedPaymentMethods } from './stored-payment-methods.ts'
import { walletSubscriptions } from './wallet-subscriptions.ts'
import { walletTransactions } from './wallet-transactions.ts'
import { wallets } from './wallets.ts'

/** Every synced noun. The account's database, wiping and the nouns' test suite follow this list. */
export const nouns = [
  driveSaves,
  editSets,
  externalAuths,
  mediaAssets,
  musicTracks,
  payments,
  presets,
  referralCodes,
  referralRedemptions,
  storedPaymentMethods,
  wallets,
  walletSubscriptions,
  walletTransactions,
] as const
