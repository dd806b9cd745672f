import { Problem } from '#server/problems.ts'
import type { Permission } from './permissions.ts'

const words: Partial<Record<Permission, string>> = {
  'create:orders': 'Your trial or subscription has ended. Subscribe to order new edits.',
  'create:fundSourceWalletCoinTransactions':
    'Your trial or subscription has ended. Subscribe to add or spend tokens.',
}

/** Refuses with `auth/permission-missing` unless the user holds the permission. */
export function requirePermission(
  user: { readonly permissions: readonly string[] },
  permission: Permission,
): void {
  if (user.permissions.includes(permission)) return
  throw new Problem(
    'auth/permission-missing',
    words[permission] ?? 'Your account does not include this feature.',
  )
}
