import { driveState } from '#src/components/drive/drive-state.ts'
import type { ExternalAuth } from '#src/local/nouns/external-auths.ts'

/**
 * Whether videos can be chosen in Google Drive. `limited`: the right to download is missing;
 * `expired`: Google lets the server in no more; `none`: nothing is connected.
 */
export type DriveStanding = 'ready' | 'limited' | 'expired' | 'none'

/** A drive and how it stands. */
export interface BestDrive {
  readonly standing: DriveStanding
  readonly auth: ExternalAuth | null
}

/** The best of a person's drives. */
export function bestDrive(auths: readonly ExternalAuth[]): BestDrive {
  for (const standing of ['ready', 'expired', 'limited'] as const) {
    const auth = auths.find((each) => standingOf(each) === standing)
    if (auth !== undefined) return { standing, auth }
  }
  return { standing: 'none', auth: null }
}

function standingOf(auth: ExternalAuth): DriveStanding {
  const state = driveState(auth)
  if (state === 'disconnected') return 'none'
  if (state === 'limited') return 'limited'
  return auth.externalAuthCredentials.refreshTokenIsExpired ? 'expired' : 'ready'
}
