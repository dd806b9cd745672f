import type { components } from '#openapi/schema.gen.ts'
import type { ExternalAuthFacts } from '#server/operations/accounts/external-auths/list.ts'

/** A connected drive. Its tokens are for the server alone. */
export function viewExternalAuth({
  row,
  hasDownloadPermission,
  hasSavePermission,
  isExpired,
}: ExternalAuthFacts): components['schemas']['ExternalAuth'] {
  return {
    _id: row.id,
    externalAuthCredentials: {
      provider: row.provider,
      googleAccountEmail: row.accountEmail,
      hasDownloadFilePermission: hasDownloadPermission,
      hasSaveFilePermission: hasSavePermission,
      isDisconnected: row.disconnectedAt !== null,
      refreshTokenIsExpired: isExpired,
      latestAccessToken: null,
    },
    disconnectedAt: row.disconnectedAt?.toISOString() ?? null,
    createdAt: row.createdAt.toISOString(),
  }
}
