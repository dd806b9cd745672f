/**
 * Background Fetch (WICG draft, Chromium only), which the types of the standard library leave out.
 * What it keeps and what it does not was measured: docs/decisions/0023.
 */
export interface BackgroundFetchRegistration extends EventTarget {
  readonly id: string
  /** Bytes of bodies that were sent, of all requests together. */
  readonly uploaded: number
  /** Bytes of answers that have come, of all requests together. */
  readonly downloaded: number
  /** Empty while it runs. */
  readonly result: '' | 'success' | 'failure'
  /** `aborted` when a page or the person ended it. */
  readonly failureReason: string
  abort(): Promise<boolean>
  matchAll(): Promise<readonly BackgroundFetchRecord[]>
}

interface BackgroundFetchRecord {
  readonly request: Request
  /** Rejects for a request that was not answered. */
  readonly responseReady: Promise<Response>
}

interface BackgroundFetchManager {
  /** Only pages may call it: Chromium refuses service workers. */
  fetch(
    id: string,
    requests: readonly Request[],
    options: {
      readonly title: string
      readonly icons: readonly ImageResource[]
      /** Of all answers together; more ends it. */
      readonly downloadTotal?: number
    },
  ): Promise<BackgroundFetchRegistration>
  get(id: string): Promise<BackgroundFetchRegistration | undefined>
  /** Of those that have not ended. */
  getIds(): Promise<readonly string[]>
}

interface ImageResource {
  readonly src: string
  readonly sizes: string
  readonly type: string
}

/** The browser's Background Fetch; null where there is none. */
export function backgroundFetchOf(
  registration: ServiceWorkerRegistration,
): BackgroundFetchManager | null {
  return 'backgroundFetch' in registration && isManager(registration.backgroundFetch)
    ? registration.backgroundFetch
    : null
}

/** The registration that an event of a service worker tells of; null for other events. */
export function endedFetchOf(event: Event): BackgroundFetchRegistration | null {
  return 'registration' in event && isRegistration(event.registration) ? event.registration : null
}

function isRegistration(value: unknown): value is BackgroundFetchRegistration {
  return typeof value === 'object' && value !== null && 'matchAll' in value && 'abort' in value
}

function isManager(value: unknown): value is BackgroundFetchManager {
  return typeof value === 'object' && value !== null && 'fetch' in value && 'get' in value
}
