import type { PagePorts } from '#src/local/compose.ts'

/** The document as this device's data sees it. Page only. */
export function createPagePorts(): PagePorts {
  return {
    origin: window.location.origin,
    readCookies: () => document.cookie,
    writeCookie: (assignment) => {
      document.cookie = assignment
    },
    isVisible: () => document.visibilityState === 'visible',
    onAttention: (listener) => {
      document.addEventListener('visibilitychange', listener)
      window.addEventListener('online', listener)
      return () => {
        document.removeEventListener('visibilitychange', listener)
        window.removeEventListener('online', listener)
      }
    },
  }
}
