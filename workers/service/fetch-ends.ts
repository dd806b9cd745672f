import { endedFetchOf, type BackgroundFetchRegistration } from '#src/lib/background-fetch.ts'

/** What one feature does with its own downloads or uploads of the browser's Background Fetch. */
export interface FetchFollower {
  readonly isOwn: (registrationId: string) => boolean
  /** The browser forgets what it has got when this has ended. */
  readonly onEnd: (registration: BackgroundFetchRegistration) => Promise<unknown>
  /** Opened by a press on the browser's own notice. */
  readonly path: string
}

/**
 * Follows what the browser gets or sends for a feature to its end, also with no page open. Chromium
 * only; elsewhere the events never come.
 */
export function followFetches(
  scope: ServiceWorkerGlobalScope,
  { isOwn, onEnd, path }: FetchFollower,
): void {
  const follow = (
    types: readonly string[],
    act: (registration: BackgroundFetchRegistration) => Promise<unknown>,
  ): void => {
    for (const type of types)
      scope.addEventListener(type, (event: Event) => {
        const registration = endedFetchOf(event)
        if (registration === null || !isOwn(registration.id)) return
        if (event instanceof ExtendableEvent) event.waitUntil(act(registration))
      })
  }
  follow(['backgroundfetchsuccess', 'backgroundfetchfail', 'backgroundfetchabort'], onEnd)
  follow(['backgroundfetchclick'], () => scope.clients.openWindow(path))
}
