import { createHash, randomBytes } from 'node:crypto'
import { inTransaction, type UserCtx } from '#server/context.ts'
import { DRIVE_LOGINS_PER_HOUR } from '#server/budgets.ts'
import { oauthStates } from '#server/db/schema.ts'
import { seal, type VaultPlace } from '#server/db/vault.ts'
import type { Drive } from '#server/drives/port.ts'
import { countOrRefuse } from '#server/operations/core/limits.ts'
import { hashToken } from '#server/operations/core/tokens.ts'
import { Problem } from '#server/problems.ts'
import { requirePermission } from '#server/policies/require-permission.ts'

/** A session of this server that goes to a drive and comes back. */
export type DriveCtx = UserCtx & { readonly sessionId: string; readonly googleDrive: Drive }

/** What a person goes to Google for. */
interface WantedLogin {
  readonly externalAuthRedirectUri: string
  readonly forceRefreshTokens: boolean
  readonly pick: boolean
}

/** Where Google sends people back to; the operator writes it down at Google. */
export const GOOGLE_CALLBACK_PATH = '/editors/drive/google'

/** Where people may land after Google: any other address could be a page of a stranger. */
const LANDINGS: readonly string[] = ['/uploads/new', '/external-auths']
/** Longer than it takes to agree, with a second factor. */
const STATE_LIFE_MS = 10 * 60_000
const RANDOM_BYTES = 32

/**
 * Begins a login at Google for this very session, and returns the address of it. Refuses:
 * `request/invalid` for a page that is no place to come back to, `auth/permission-missing`,
 * `request/too-many`.
 */
export async function startGoogleLogin(
  ctx: DriveCtx,
  { externalAuthRedirectUri, forceRefreshTokens, pick }: WantedLogin,
): Promise<string> {
  const landingPath = landingOf(ctx, externalAuthRedirectUri)
  requirePermission(ctx.user, 'create:uploadRequestGoogleDrivePicker')
  const [state, verifier] = [randomToken(), randomToken()]
  const stateHash = hashToken(state)
  await inTransaction(ctx, async (ctx) => {
    const key = `drive-logins:${ctx.user.id}`
    await countOrRefuse(ctx, { key, limit: DRIVE_LOGINS_PER_HOUR, what: 'visits to Google began' })
    await ctx.db.insert(oauthStates).values({
      stateHash,
      sessionId: ctx.sessionId,
      verifierCipher: seal(ctx.secrets.vault, verifier, verifierPlace(ctx, stateHash)),
      landingPath,
      wantsPick: pick,
      expiresAt: new Date(ctx.clock().getTime() + STATE_LIFE_MS),
    })
  })
  return ctx.googleDrive.loginUrl({
    state,
    challenge: createHash('sha256').update(verifier).digest('base64url'),
    asksAgain: forceRefreshTokens,
    wantsPick: pick,
  })
}

/** Where the verifier of a login is kept. */
export function verifierPlace({ user }: Pick<UserCtx, 'user'>, stateHash: string): VaultPlace {
  return { column: 'oauth_states.verifier_cipher', rowId: stateHash, userId: user.id }
}

function landingOf({ settings }: Pick<UserCtx, 'settings'>, asked: string): string {
  const landing = LANDINGS.find((path) => asked === path || asked === settings.publicOrigin + path)
  if (landing !== undefined) return landing
  throw new Problem(
    'request/invalid',
    'From Google you can only come back to a page of this site.',
    {
      fields: { externalAuthRedirectUri: `must be ${LANDINGS.join(' or ')}` },
    },
  )
}

function randomToken(): string {
  return randomBytes(RANDOM_BYTES).toString('base64url')
}
