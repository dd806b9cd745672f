import { API_BASE } from '#src/config/paths.ts'
import { err, ok, type Result } from '#src/lib/result.ts'

/** Why there is no way to connect: in the specification's words. */
const UNSUPPORTED = 'Unsupported provider'

/**
 * The address at which the server begins a login at the provider of a drive.
 * @param landing a path of this site that the server lets people come back to
 */
export function connectAddress(
  provider: string,
  landing: string,
): Result<string, typeof UNSUPPORTED> {
  if (provider !== 'google-oauth') return err(UNSUPPORTED)
  const query = new URLSearchParams({
    forceRefreshTokens: 'true',
    externalAuthRedirectUri: landing,
  })
  return ok(`${API_BASE}/v1/external-auth/google-oauth/login?${query.toString()}`)
}
