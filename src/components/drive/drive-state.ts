import type { ExternalAuth } from '#src/local/nouns/external-auths.ts'

/** The three states of the specification. */
export type DriveState = 'disconnected' | 'limited' | 'connected'

export function driveState({
  disconnectedAt,
  externalAuthCredentials: { provider, hasDownloadFilePermission },
}: Pick<ExternalAuth, 'disconnectedAt' | 'externalAuthCredentials'>): DriveState {
  if (disconnectedAt !== null) return 'disconnected'
  return provider === 'google-oauth' && !hasDownloadFilePermission ? 'limited' : 'connected'
}
