import { Problem } from '#server/problems.ts'

/**
 * The page to open after signing in, as a path of this site. Takes a path or a full URL of
 * `publicOrigin`. Refuses everything else with `auth/redirect-not-allowed`, also what browsers read
 * as another host (`//x`, `/\x`).
 */
export function ownPath(redirectUri: string, publicOrigin: string): string {
  const isPlain = /^[\x21-\x7e]+$/.test(redirectUri) && !redirectUri.includes('\\')
  const isRooted = redirectUri.startsWith('/')
    ? !redirectUri.startsWith('//')
    : /^https?:\/\//i.test(redirectUri)
  if (!isPlain || !isRooted || !URL.canParse(redirectUri, publicOrigin)) throw refused()
  const url = new URL(redirectUri, publicOrigin)
  if (
    url.origin !== new URL(publicOrigin).origin ||
    url.username !== '' ||
    url.pathname.startsWith('//') ||
    url.pathname.startsWith('/editors/api')
  )
    throw refused()
  return `${url.pathname}${url.search}${url.hash}`
}

function refused(): Problem {
  return new Problem(
    'auth/redirect-not-allowed',
    'After signing in you can only go to a page of this site.',
    { fields: { redirectUri: 'must be a path of this site' } },
  )
}
