import { onTestFinished, vi } from 'vitest'

/** A browser that takes pushes, and what its person and its push service answer. */
export interface FakePushes {
  readonly isSubscribed: () => boolean
  /** Numbers on the app's icon, in the order in which they were set; 0 where it was cleared. */
  readonly badges: readonly number[]
  /** How many notifications are shown. */
  readonly shownCount: () => number
}

/** What the browser gives for each subscription. */
export const PUSH_ADDRESS = {
  endpoint: 'https://updates.push.services.mozilla.com/wpush/v2/one',
  keys: { p256dh: `B${'a'.repeat(86)}`, auth: 'b'.repeat(22) },
}

/** Puts the browser's own pushes away until the test ends. */
export function fakePushes(
  options: {
    readonly permission?: NotificationPermission
    /** What the person says when they are asked. */
    readonly answer?: NotificationPermission
    readonly isSubscribed?: boolean
    /** The push service never answers. */
    readonly isSilent?: boolean
  } = {},
): FakePushes {
  const { answer = 'granted', isSilent = false } = options
  let permission = options.permission ?? 'default'
  let isSubscribed = options.isSubscribed ?? false
  let shownCount = 1
  const badges: number[] = []
  const subscription = {
    options: { applicationServerKey: null },
    toJSON: () => PUSH_ADDRESS,
    unsubscribe: () => {
      isSubscribed = false
      return Promise.resolve(true)
    },
  }
  const registration = {
    pushManager: {
      getSubscription: () => Promise.resolve(isSubscribed ? subscription : null),
      subscribe: () => {
        if (isSilent) return new Promise(() => undefined)
        isSubscribed = true
        return Promise.resolve(subscription)
      },
    },
    getNotifications: () =>
      Promise.resolve(
        Array.from({ length: shownCount }, () => ({
          close: () => {
            shownCount = 0
          },
        })),
      ),
  }
  const serviceWorker = {
    getRegistration: () => Promise.resolve(registration),
    ready: Promise.resolve(registration),
  }
  const ofBrowser = {
    serviceWorker,
    clearAppBadge: () => {
      badges.push(0)
      return Promise.resolve()
    },
  }
  for (const [name, value] of Object.entries(ofBrowser))
    Object.defineProperty(navigator, name, { configurable: true, get: () => value })
  vi.stubGlobal('Notification', {
    get permission() {
      return permission
    },
    requestPermission: () => {
      permission = answer
      return Promise.resolve(answer)
    },
  })
  onTestFinished(() => {
    for (const name of Object.keys(ofBrowser)) Reflect.deleteProperty(navigator, name)
    vi.unstubAllGlobals()
  })
  return { isSubscribed: () => isSubscribed, badges, shownCount: () => shownCount }
}
