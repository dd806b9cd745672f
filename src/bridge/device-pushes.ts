/**
 * Pushes to this device, as its browser takes them: permission, subscription, notifications and the
 * number on the app's icon. Page only.
 */
import { err, ok, type Result } from '#src/lib/result.ts'
import { SECOND_MS, type Clock } from '#src/lib/time.ts'

/** Without a network some browsers never answer whether they subscribe. */
const SUBSCRIBE_WITHIN_MS = 10 * SECOND_MS
/** A sign-out does not wait for a push service. */
const END_WITHIN_MS = 3 * SECOND_MS

/**
 * Whether this browser takes pushes. `install-first`: only once the app is on the Home Screen (iOS,
 * where a page in a tab has no pushes).
 */
export type PushSupport = 'here' | 'install-first' | 'none'

export function pushSupport(): PushSupport {
  if ('serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window)
    return 'here'
  // Only Safari on iOS has the property; it is false in a tab.
  return 'standalone' in navigator && navigator.standalone === false ? 'install-first' : 'none'
}

/** Why this device takes no pushes. */
export interface PushFailure {
  readonly code:
    /** By the person or by the system, now or before: only the browser's settings change it. */
    | 'push/denied'
    /** The person closed the question. */
    | 'push/not-answered'
    /** The browser's push service did not answer in time. */
    | 'push/silent'
    /** The browser has no service worker of this app (private mode), or refuses otherwise. */
    | 'push/failed'
}

/** What the server needs to send to this device. */
export interface PushAddress {
  readonly endpoint: string
  readonly keys: { readonly p256dh: string; readonly auth: string }
}

/** True where the person refused pushes before. */
export function isPushDenied(): boolean {
  return Notification.permission === 'denied'
}

/** What this device is subscribed with; null where it is not. */
export async function readPushAddress(): Promise<PushAddress | null> {
  const subscription = (await subscriptionOf(await registrationHere())) ?? null
  return subscription === null ? null : addressOf(subscription)
}

/**
 * Asks the person, then subscribes with the server's key. Call it from a press, or browsers refuse.
 * A subscription with another key gives way.
 */
export async function subscribeToPushes(
  clock: Clock,
  publicKey: string,
): Promise<Result<PushAddress, PushFailure>> {
  const permission = await Notification.requestPermission()
  if (permission !== 'granted')
    return err({ code: permission === 'denied' ? 'push/denied' : 'push/not-answered' })
  const timer = new AbortController()
  const silent = clock.sleep(SUBSCRIBE_WITHIN_MS, timer.signal).then(
    () => err({ code: 'push/silent' } as const),
    () => err({ code: 'push/silent' } as const),
  )
  try {
    return await Promise.race([subscribe(publicKey), silent])
  } catch {
    return err({ code: isPushDenied() ? 'push/denied' : 'push/failed' })
  } finally {
    timer.abort()
  }
}

async function subscribe(publicKey: string): Promise<Result<PushAddress, PushFailure>> {
  const { pushManager } = await navigator.serviceWorker.ready
  const present = await pushManager.getSubscription()
  if (present !== null && base64url(present.options.applicationServerKey) !== publicKey)
    await present.unsubscribe()
  const options = { userVisibleOnly: true, applicationServerKey: publicKey }
  const address = addressOf(await pushManager.subscribe(options))
  return address === null ? err({ code: 'push/failed' }) : ok(address)
}

/**
 * Ends pushes to this device: at once the number on the icon and what is shown, then the
 * subscription, for which a browser may ask its push service. Never rejects.
 */
export async function endPushes(clock: Clock): Promise<void> {
  const registration = await registrationHere()
  await clearShownPushes()
  const timer = new AbortController()
  const late = clock.sleep(END_WITHIN_MS, timer.signal).catch(() => undefined)
  const ended = subscriptionOf(registration)
    .then((subscription) => subscription?.unsubscribe())
    .catch(() => undefined)
  await Promise.race([ended, late])
  timer.abort()
}

/** Takes the number off the app's icon, and away what is still shown. Never rejects. */
export async function clearShownPushes(): Promise<void> {
  if ('clearAppBadge' in navigator) await navigator.clearAppBadge().catch(() => undefined)
  const registration = await registrationHere()
  if (registration === undefined || !('getNotifications' in registration)) return
  const shown = await registration.getNotifications().catch(() => [])
  for (const notification of shown) notification.close()
}

async function registrationHere(): Promise<ServiceWorkerRegistration | undefined> {
  if (!('serviceWorker' in navigator)) return undefined
  return navigator.serviceWorker.getRegistration().catch(() => undefined)
}

async function subscriptionOf(
  registration: ServiceWorkerRegistration | undefined,
): Promise<PushSubscription | null> {
  if (registration === undefined || !('pushManager' in registration)) return null
  return registration.pushManager.getSubscription().catch(() => null)
}

function addressOf(subscription: PushSubscription): PushAddress | null {
  const { endpoint, keys } = subscription.toJSON()
  const { p256dh, auth } = keys ?? {}
  if (endpoint === undefined || p256dh === undefined || auth === undefined) return null
  return { endpoint, keys: { p256dh, auth } }
}

function base64url(bytes: ArrayBuffer | null): string {
  if (bytes === null) return ''
  const text = String.fromCodePoint(...new Uint8Array(bytes))
  return btoa(text).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
}
