import { openChannelPort } from '#src/local/channel/channel.ts'
import type { ChannelMessage } from '#src/local/channel/messages.ts'

/**
 * A new version waits until a page sends this message ([Note: update by consent] in
 * src/app/pwa/update.ts); `skipWaiting` is never called unasked.
 */
const SKIP_WAITING = 'SKIP_WAITING'

/**
 * Activates a waiting version when a page asks for it, and takes control of the pages of the very
 * first visit.
 */
export function obeyUpdates(scope: ServiceWorkerGlobalScope): void {
  scope.addEventListener('message', (event) => {
    const data: unknown = event.data
    if (
      typeof data !== 'object' ||
      data === null ||
      !('type' in data) ||
      data.type !== SKIP_WAITING
    )
      return
    // The previous version's sync event may last for minutes, and until it ends the browser
    // activates no other version (measured in Chromium 156).
    broadcast({ v: 1, type: 'version-accepted' })
    event.waitUntil(scope.skipWaiting())
  })
  // Without this, the tab of the first visit could not restart offline, nor keep the ffmpeg core.
  scope.addEventListener('activate', (event) => event.waitUntil(scope.clients.claim()))
}

function broadcast(message: ChannelMessage): void {
  const port = openChannelPort()
  port.postMessage(message)
  port.close()
}
