import type { UploadLocks } from './ports.ts'

/**
 * [Note: presence] `upload-page:<account>` is held by a page's host while it is open; hosts of
 * further tabs stand in its queue. The service worker sends only while it holds it, and gives it up
 * when a page asks for it. So it never sends beside a page, and takes over the moment the last page
 * has gone, however that went.
 */
export function presenceLock(userId: string): string {
  return `upload-page:${userId}`
}

/**
 * Shows a page's host to the service worker until `signal` aborts. The request is made before this
 * returns.
 */
export function showPresence(locks: UploadLocks, userId: string, signal: AbortSignal): void {
  const untilOver = (): Promise<void> =>
    new Promise((resolve) => {
      if (signal.aborted) resolve()
      signal.addEventListener('abort', () => resolve(), { once: true })
    })
  // Rejects only by the abort.
  void locks.withLock(presenceLock(userId), signal, untilOver).catch(() => undefined)
}
