import { createBackgroundGetter } from '#src/bridge/background-getter.ts'
import { endPushes } from '#src/bridge/device-pushes.ts'
import type { PagePorts } from '#src/local/compose.ts'
import { createClock } from '#src/lib/time.ts'

/** What a person at the page causes, all without waiting for the listener. */
const TOUCHES = ['pointermove', 'pointerdown', 'keydown', 'wheel', 'scroll', 'focus'] as const

/** The document as this device's data sees it. Page only. */
export function createPagePorts(): PagePorts {
  const clock = createClock()
  return {
    origin: window.location.origin,
    fetch: (request) => fetch(request),
    clock,
    readCookies: () => document.cookie,
    writeCookie: (assignment) => {
      document.cookie = assignment
    },
    isVisible: () => document.visibilityState === 'visible',
    onTouch: (listener) => {
      for (const type of TOUCHES)
        window.addEventListener(type, listener, { capture: true, passive: true })
    },
    onAttention: (listener) => {
      document.addEventListener('visibilitychange', listener)
      window.addEventListener('online', listener)
      return () => {
        document.removeEventListener('visibilitychange', listener)
        window.removeEventListener('online', listener)
      }
    },
    onCookieChange: (listener) => {
      // Missing in older browsers and on insecure origins: there the next call finds out.
      if (!('cookieStore' in window)) return () => undefined
      const { cookieStore } = window
      cookieStore.addEventListener('change', listener)
      return () => cookieStore.removeEventListener('change', listener)
    },
    endPushes: () => endPushes(clock),
    browserGetter: createBackgroundGetter(),
    reload: () => window.location.reload(),
  }
}
