import { boundHash, putAnswer } from './put-answer.ts'
import type { FetchedPart } from '#src/local/uploads/hand-over/hand-over.ts'

/**
 * Background Fetch (WICG draft, Chromium only), which the types of the standard library leave out.
 * What it keeps and what it does not was measured: docs/decisions/0023.
 */
export interface BackgroundFetchRegistration extends EventTarget {
  readonly id: string
  /** Bytes of bodies that were sent, of all requests together. */
  readonly uploaded: number
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
    options: { readonly title: string; readonly icons: readonly ImageResource[] },
  ): Promise<BackgroundFetchRegistration>
  get(id: string): Promise<BackgroundFetchRegistration | undefined>
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

const PREFIX = 'onecut-upload:'

/** Registrations outlive versions of the app: never change it. */
export function fetchIdOf(uploadId: string): string {
  return `${PREFIX}${uploadId}`
}

/** The upload that a registration sends for; null for one of something else. */
export function uploadIdOf(fetchId: string): string | null {
  return fetchId.startsWith(PREFIX) ? fetchId.slice(PREFIX.length) : null
}

/**
 * The parts that were stored, in no order. Call in the event that ends the registration: the
 * browser forgets its records afterwards.
 */
export async function fetchedParts(
  registration: BackgroundFetchRegistration,
): Promise<readonly FetchedPart[]> {
  const parts = await Promise.all((await registration.matchAll()).map(fetchedPart))
  return parts.filter((part) => part !== null)
}

async function fetchedPart(record: BackgroundFetchRecord): Promise<FetchedPart | null> {
  const { request } = record
  const answer = await record.responseReady.catch(() => null)
  const eTag = answer?.ok === true ? ownETag(answer, request.url) : null
  const sha256 = boundHash(request.headers)
  const partNumber = partNumberOf(new URL(request.url))
  return eTag === null || sha256 === null || !Number.isInteger(partNumber)
    ? null
    : { partNumber, eTag, sha256 }
}

/** An object store has it in its query, this server at the end of the path. */
function partNumberOf({ pathname, searchParams }: URL): number {
  return Number(searchParams.get('partNumber') ?? /\/(\d+)$/.exec(pathname)?.[1])
}

/** The ETag that the storage itself gave; null for an answer of something in between. */
function ownETag({ status, headers, url: finalUrl }: Response, url: string): string | null {
  const seen = { status, header: (name: string) => headers.get(name), body: '', finalUrl }
  const { isOwn, eTag } = putAnswer(seen, url, 0)
  return isOwn ? eTag : null
}

/** The registration whose end an event of a service worker reports; null for other events. */
export function endedFetchOf(event: Event): BackgroundFetchRegistration | null {
  return 'registration' in event && isRegistration(event.registration) ? event.registration : null
}

function isRegistration(value: unknown): value is BackgroundFetchRegistration {
  return typeof value === 'object' && value !== null && 'matchAll' in value && 'abort' in value
}

function isManager(value: unknown): value is BackgroundFetchManager {
  return typeof value === 'object' && value !== null && 'fetch' in value && 'get' in value
}
