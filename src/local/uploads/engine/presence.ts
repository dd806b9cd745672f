import type { UploadLocks } from '#src/local/uploads/ports.ts'

/**
 * [Note: presence] A page's host holds `upload-page:<account>` while the page is open; hosts in
 * further tabs queue for it. The service worker sends only while it holds this lock, and releases
 * it when a page queues. So it never sends beside a page, and it takes over when the last page is
 * gone, even after a crash.
 */
export function presenceLock(userId: string): string {
  return `upload-page:${userId}`
}

/**
 * Holds or queues for the presence lock until `signal` aborts. The lock is requested before this
 * returns.
 */
export function showPresence(locks: UploadLocks, userId: string, signal: AbortSignal): void {
  const untilOver = (): Promise<void> =>
    new Promise((resolve) => {
      if (signal.aborted) resolve()
      signal.addEventListener('abort', () => resolve(), { once: true })
    })
  // The abort is the only reason to reject.
  void locks.withLock(presenceLock(userId), signal, untilOver).catch(() => undefined)
}
