import type { PermissionAction } from './enums.ts'

/** Resources that permissions speak of. Some are recorded without a use. */
export const PERMISSION_RESOURCES = [
  'videoStreamPlaylist',
  'videoStreamPlaylists',
  'mediaJobTaskPreset',
  'mediaAssets',
  'orders',
  'uploadRequestDropboxChooser',
  'uploadRequestGoogleDrivePicker',
  'walletSubscriptions',
  'fundSourceWalletCoinTransactions',
  'referralCodes',
] as const
type PermissionResource = (typeof PERMISSION_RESOURCES)[number]
export type Permission = `${PermissionAction}:${PermissionResource}`

/** The permissions that the app asks about, by the names of the specification. */
export const PERMISSIONS = {
  createFundSourceWalletCoinTransactions: 'create:fundSourceWalletCoinTransactions',
  createMediaAssets: 'create:mediaAssets',
  readMediaAssets: 'read:mediaAssets',
  createUploadRequestDropboxChooser: 'create:uploadRequestDropboxChooser',
  createUploadRequestGoogleDrivePicker: 'create:uploadRequestGoogleDrivePicker',
  createOrders: 'create:orders',
  createWalletSubscriptions: 'create:walletSubscriptions',
  readWalletSubscriptions: 'read:walletSubscriptions',
  readReferralCodes: 'read:referralCodes',
} as const satisfies Record<string, Permission>

/** True when the list holds the permission; display only, the server decides. */
export function hasPermission(held: readonly string[], wanted: Permission): boolean {
  return held.includes(wanted)
}
