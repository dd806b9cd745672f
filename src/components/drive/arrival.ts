/** Why a login at a drive connected nothing, as the server says it in the address. */
const FAILURES = ['refused', 'expired', 'too-many', 'away'] as const
type ArrivalFailure = (typeof FAILURES)[number]

/** What a login at a drive brought back. */
export interface DriveArrival {
  readonly externalAuthId: string | null
  /** The file that was chosen on the way. */
  readonly googleDriveFileId: string | null
  /** The import that goes on with this file; null for a new one. */
  readonly renews: string | null
  readonly failure: ArrivalFailure | null
}

/** The two keys of the specification; signing out empties the storage. */
const TOKEN_KEY = 'driveAccessToken'
const AUTH_KEY = 'driveExternalAuthId'
const NEWS_KEY = 'driveArrival'
const RENEWS_KEY = 'driveRenews'
const PARAMETERS = ['accessToken', 'externalAuthId', 'googleDriveFileId', 'externalAuthError']

/**
 * Takes what a login at a drive brought out of an address, before anything is drawn, and keeps it
 * for the screen. Returns the address without it; null where there is nothing of it.
 */
export function takeArrival(url: URL, storage: Storage): string | null {
  if (!PARAMETERS.some((name) => url.searchParams.has(name))) return null
  const taken = (name: string): string | null => {
    const value = url.searchParams.get(name)
    url.searchParams.delete(name)
    return value === '' ? null : value
  }
  const [accessToken, externalAuthId] = [taken('accessToken'), taken('externalAuthId')]
  const [googleDriveFileId, error] = [taken('googleDriveFileId'), taken('externalAuthError')]
  // This server sends no token; one that comes is kept as specified, and nothing here uses it.
  if (accessToken !== null) storage.setItem(TOKEN_KEY, accessToken)
  if (externalAuthId !== null) storage.setItem(AUTH_KEY, externalAuthId)
  const renews = storage.getItem(RENEWS_KEY)
  storage.removeItem(RENEWS_KEY)
  const arrival = { externalAuthId, googleDriveFileId, renews, failure: failureOf(error) }
  storage.setItem(NEWS_KEY, JSON.stringify(arrival satisfies DriveArrival))
  return url.pathname + url.search + url.hash
}

/** Keeps what a choice at Google is for, until it arrives. */
export function keepRenewal(storage: Storage, renews: string | null): void {
  if (renews === null) storage.removeItem(RENEWS_KEY)
  else storage.setItem(RENEWS_KEY, renews)
}

/** What arrived and was not shown yet. */
export function readDriveArrival(storage: Storage): DriveArrival | null {
  const kept = storage.getItem(NEWS_KEY)
  // Written above, and by nothing else.
  return kept === null ? null : (JSON.parse(kept) as DriveArrival)
}

export function forgetArrival(storage: Storage): void {
  storage.removeItem(NEWS_KEY)
}

/** The failure in words, and what to do. */
export function arrivalFailureWords(failure: ArrivalFailure): string {
  switch (failure) {
    case 'refused':
      return 'Google Drive is not connected, because access was not allowed.'
    case 'expired':
      return 'The visit to Google took too long or began in another browser. Please connect Google Drive again.'
    case 'too-many':
      return 'You have as many connected drives as an account can have. Disconnect one of them first.'
    case 'away':
      return 'Google did not answer as it should. Please try again in a moment.'
  }
}

function failureOf(error: string | null): ArrivalFailure | null {
  if (error === null) return null
  return FAILURES.find((known) => known === error) ?? 'away'
}
