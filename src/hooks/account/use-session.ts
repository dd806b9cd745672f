import { useSyncExternalStore } from 'react'
import { useLocal } from '#src/hooks/device/local-context.ts'
import { hasPermission, type Permission } from '#src/config/permissions.ts'
import type { SessionState } from '#src/local/session/session.ts'

/**
 * The user of the page: `signed-out`, `signed-in` or `ended` (sign in again; nothing is lost).
 * Follows other tabs.
 */
export function useSession(): SessionState {
  const { session } = useLocal()
  return useSyncExternalStore(session.subscribe, session.current)
}

/**
 * Whether the signed-in user holds a permission; false when no user is signed in. Display only, the
 * server decides.
 */
export function usePermission(wanted: Permission): boolean {
  const session = useSession()
  return session.kind === 'signed-in' && hasPermission(session.user.permissions, wanted)
}
