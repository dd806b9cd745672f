import { takeShare } from './take-share.ts'
import { SHARE_TARGET } from '#src/config/paths.ts'

/**
 * Takes videos that other apps share into this one: writes them into the browser's file system as
 * they come, sends nothing, and shows the page that asks what to do with them.
 */
export function takeShares(scope: ServiceWorkerGlobalScope): void {
  scope.addEventListener('fetch', (event) => {
    const { method, url } = event.request
    if (method !== 'POST' || new URL(url).pathname !== SHARE_TARGET) return
    event.respondWith(takeShare(event.request, scope.location.origin))
  })
}
