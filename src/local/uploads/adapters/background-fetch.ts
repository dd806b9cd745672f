import { boundHash, putAnswer } from './put-answer.ts'
import type { BackgroundFetchRegistration } from '#src/lib/background-fetch.ts'
import type { FetchedPart } from '#src/local/uploads/hand-over/hand-over.ts'

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

type FetchedRecord = Awaited<ReturnType<BackgroundFetchRegistration['matchAll']>>[number]

async function fetchedPart({ request, responseReady }: FetchedRecord): Promise<FetchedPart | null> {
  const answer = await responseReady.catch(() => null)
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
