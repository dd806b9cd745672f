import { API_BASE } from '#src/config/paths.ts'
import { err, ok, type Result } from '#src/lib/result.ts'

/** Why there is no way to connect: in the specification's words. */
const UNSUPPORTED = 'Unsupported provider'

/** Where a person goes and comes back to. */
interface Connecting {
  /** A path of this site that the server lets people come back to. */
  readonly landing: string
  /** The person chooses a file on the way. */
  readonly pick?: boolean
}

/** The address at which the server begins a login at the provider of a drive. */
export function connectAddress(
  provider: string,
  connecting: Connecting,
): Result<string, typeof UNSUPPORTED> {
  return provider === 'google-oauth' ? ok(googleAddress(connecting)) : err(UNSUPPORTED)
}

/** The same at Google. */
export function googleAddress({ landing, pick = false }: Connecting): string {
  const query = new URLSearchParams({
    forceRefreshTokens: 'true',
    externalAuthRedirectUri: landing,
    ...(pick ? { pick: 'true' } : {}),
  })
  return `${API_BASE}/v1/external-auth/google-oauth/login?${query.toString()}`
}
