import { paths } from '#src/config/paths.ts'
import { hasPermission, PERMISSIONS } from '#src/config/permissions.ts'
import type { Permission } from '#src/config/permissions.ts'

/**
 * Routes that need permissions: those that the specification names, and those whose screen is
 * nothing but a call that needs one. Every other private route needs a signed-in user only: the
 * list of subscriptions opens for who has none, and leads to the first.
 */
const NEEDED: Readonly<Record<string, readonly Permission[]>> = {
  [paths.mediaAssets]: [PERMISSIONS.createMediaAssets, PERMISSIONS.readMediaAssets],
  [paths.subscriptionCheckout]: [PERMISSIONS.createWalletSubscriptions],
  [paths.referralCodes]: [PERMISSIONS.readReferralCodes],
  [paths.createMediaAsset]: [PERMISSIONS.createMediaAssets, PERMISSIONS.readMediaAssets],
}

/**
 * True when a user with these permissions may open the path. Display only; the server decides
 * about the data.
 */
export function mayOpen(path: string, held: readonly string[]): boolean {
  return (NEEDED[path] ?? []).every((permission) => hasPermission(held, permission))
}
