import { followFetches } from './fetch-ends.ts'
import { asSignedIn, type SignedIn } from './signed-in.ts'
import { paths } from '#src/config/paths.ts'
import { UPLOAD_SYNC_TAG } from '#src/local/uploads/engine/background.ts'
import { uploadIdOf } from '#src/local/uploads/adapters/background-fetch.ts'
import {
  recordInBackground,
  runUploadsInBackground,
  type BackgroundPorts,
} from '#src/local/uploads/host/compose-background.ts'
import { createFollowUp } from '#src/lib/serial.ts'

/**
 * Continues uploads when the browser grants time, in Chromium only. A sync event (Background Sync)
 * lives about three minutes; it rejects when parts are left, so that the browser tries again, three
 * times in all. The events of Background Fetch come when the browser has ended what a page handed
 * over to it.
 */
export function carryUploadsOn(scope: ServiceWorkerGlobalScope): void {
  const carryOn = createFollowUp(() =>
    asSignedIn(scope, 'uploads', (signedIn) =>
      runUploadsInBackground(portsOf(scope, signedIn), signedIn.userId),
    ),
  )
  scope.addEventListener('sync', (event: Event) => {
    if (!(event instanceof ExtendableEvent) || !('tag' in event) || event.tag !== UPLOAD_SYNC_TAG)
      return
    event.waitUntil(
      carryOn().then((end) => {
        if (end === 'left') throw new PartsLeft('Parts of an upload are left for the next time.')
      }),
    )
  })
  followFetches(scope, {
    isOwn: (registrationId) => uploadIdOf(registrationId) !== null,
    onEnd: (registration) =>
      asSignedIn(scope, 'uploads', (signedIn) =>
        recordInBackground(portsOf(scope, signedIn), signedIn.userId, registration),
      ).then(carryOn),
    path: paths.newUpload,
  })
}

class PartsLeft extends Error {}

/**
 * Whether this rejection only asks for another sync event: the browser sends one for a rejection
 * that nothing handles.
 */
export function asksForAnotherEvent(reason: unknown): boolean {
  return reason instanceof PartsLeft
}

function portsOf(scope: ServiceWorkerGlobalScope, { composeLocal }: SignedIn): BackgroundPorts {
  return {
    origin: scope.location.origin,
    locks: scope.navigator.locks,
    fetch: (...request) => fetch(...request),
    composeLocal,
  }
}
