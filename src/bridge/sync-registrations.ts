/**
 * Background Sync and Periodic Background Sync (WICG drafts, Chromium only), which the types of the
 * standard library leave out.
 */
interface SyncRegistration {
  register(tag: string, options?: { readonly minInterval: number }): Promise<void>
}

/** How this browser wakes the service worker; null where it does not. */
export function syncOf(
  registration: ServiceWorkerRegistration,
  kind: 'sync' | 'periodicSync',
): SyncRegistration | null {
  const found: unknown = Reflect.get(registration, kind)
  return isSync(found) ? found : null
}

function isSync(value: unknown): value is SyncRegistration {
  return (
    typeof value === 'object' &&
    value !== null &&
    'register' in value &&
    typeof value.register === 'function'
  )
}
