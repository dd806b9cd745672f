import { and, asc, eq, gt, isNotNull, isNull, sql } from 'drizzle-orm'
import { DRIVES_OF_ACCOUNT } from '#server/budgets.ts'
import { inTransaction, type TxCtx, type WithUser } from '#server/context.ts'
import { onlyRow } from '#server/db/only-row.ts'
import { externalAuths, oauthStates } from '#server/db/schema.ts'
import { seal, unseal } from '#server/db/vault.ts'
import { grantsDownload, grantsSaving } from '#server/drives/google.ts'
import { DriveFault, type DriveTokens } from '#server/drives/port.ts'
import { hashToken } from '#server/operations/core/tokens.ts'
import { verifierPlace, type DriveCtx } from './login.ts'
import { tokenPlace } from './tokens.ts'

/** What Google's answer brings back in the address. */
interface GoogleAnswer {
  readonly state?: string | undefined
  readonly code?: string | undefined
  readonly error?: string | undefined
  readonly picked_file_ids?: string | undefined
}

/**
 * Why nothing was connected. `refused`: the person did not agree; `expired`: the login is not one
 * of this session, or not any more; `too-many`: the account has as many drives as it may; `away`:
 * Google did not do its part.
 */
type LoginFailure = 'refused' | 'expired' | 'too-many' | 'away'

/** A drive that was just connected, and what its tokens may do now. */
interface ConnectedDrive {
  readonly externalAuthId: string
  readonly mayRead: boolean
  readonly maySave: boolean
}

/** What follows in the transaction that keeps the tokens. */
type AfterConnect = (ctx: TxCtx, drive: ConnectedDrive) => Promise<void>

/** A login that this server does not know has no page of its own. */
const FALLBACK_PATH = '/external-auths'

/**
 * Ends a login at Google: redeems the code and keeps the tokens, encrypted. Returns the path of
 * this site to go on to; refuses nothing, because a person reads what follows. Each state counts
 * once, and only for the session that it was made for.
 */
export async function finishGoogleLogin(
  ctx: DriveCtx,
  answer: GoogleAnswer,
  afterConnect: AfterConnect,
): Promise<string> {
  const login = await takeState(ctx, answer.state ?? '')
  if (login === null) return withQuery(FALLBACK_PATH, { externalAuthError: 'expired' })
  const { landingPath, wantsPick } = login
  const failed = (externalAuthError: LoginFailure): string =>
    withQuery(landingPath, { externalAuthError })
  if (answer.error !== undefined)
    return failed(answer.error === 'access_denied' ? 'refused' : 'away')
  if (answer.code === undefined || login.verifier === null) return failed('expired')
  try {
    const tokens = await ctx.googleDrive.redeem(answer.code, login.verifier)
    const accountEmail = await emailOf(ctx, tokens)
    const externalAuthId = await keep(ctx, { tokens, accountEmail }, afterConnect)
    if (externalAuthId === null) return failed('too-many')
    const picked = wantsPick ? pickedFile(answer.picked_file_ids) : null
    return withQuery(landingPath, {
      externalAuthId,
      ...(picked === null ? {} : { googleDriveFileId: picked }),
    })
  } catch (error) {
    if (!(error instanceof DriveFault)) throw error
    return failed(error.kind === 'token' ? 'expired' : 'away')
  }
}

/** Takes the row away, so that a second answer with the same state finds none. */
async function takeState(ctx: DriveCtx, state: string) {
  const stateHash = hashToken(state)
  const [row] = await ctx.db
    .delete(oauthStates)
    .where(
      and(
        eq(oauthStates.stateHash, stateHash),
        eq(oauthStates.sessionId, ctx.sessionId),
        gt(oauthStates.expiresAt, ctx.clock()),
      ),
    )
    .returning()
  if (row === undefined) return null
  const { landingPath, wantsPick, verifierCipher } = row
  const verifier = unseal(ctx.secrets.vault, verifierCipher, verifierPlace(ctx, stateHash))
  return { landingPath, wantsPick, verifier }
}

/** Without the right to read files there is no right to ask whose they are. */
async function emailOf(
  { googleDrive }: Pick<DriveCtx, 'googleDrive'>,
  { scopes, accessToken }: DriveTokens,
): Promise<string | null> {
  if (!grantsDownload(scopes ?? '')) return null
  return await googleDrive.readEmail(accessToken)
}

interface NewTokens {
  readonly tokens: DriveTokens
  readonly accountEmail: string | null
}

/** Keeps the tokens with the drive of this account of Google, or as a new one; null if full. */
async function keep(
  ctx: DriveCtx,
  { tokens, accountEmail }: NewTokens,
  afterConnect: AfterConnect,
): Promise<string | null> {
  return await inTransaction(ctx, async (ctx) => {
    await ctx.db.execute(
      sql`select pg_advisory_xact_lock(hashtextextended(${`drives:${ctx.user.id}`}, 0))`,
    )
    const [known] = await ctx.db
      .select()
      .from(externalAuths)
      .where(
        and(
          eq(externalAuths.userId, ctx.user.id),
          accountEmail === null
            ? isNull(externalAuths.accountEmail)
            : eq(externalAuths.accountEmail, accountEmail),
        ),
      )
    if (known === undefined && !(await makeRoom(ctx))) return null
    const now = ctx.clock()
    const place = { id: known?.id ?? ctx.newId(), userId: ctx.user.id }
    const { vault } = ctx.secrets
    const { accessToken, accessLifeS, refreshToken, scopes } = tokens
    // Google gives a refresh token with each consent, and none to who agreed before.
    const kept = known?.disconnectedAt === null ? known.refreshCipher : null
    const values = {
      scopes: scopes ?? '',
      accessCipher: seal(vault, accessToken, tokenPlace('access_cipher', place)),
      accessExpiresAt: new Date(now.getTime() + accessLifeS * 1000),
      refreshCipher:
        refreshToken === null
          ? kept
          : seal(vault, refreshToken, tokenPlace('refresh_cipher', place)),
      refreshBrokenAt: refreshToken === null ? (known?.refreshBrokenAt ?? null) : null,
      disconnectedAt: null,
      createdAt: known?.disconnectedAt === null ? known.createdAt : now,
    }
    const { id } = onlyRow(
      await ctx.db
        .insert(externalAuths)
        .values({ ...place, ...values, provider: 'google-oauth', accountEmail })
        .onConflictDoUpdate({ target: externalAuths.id, set: values })
        .returning(),
    )
    const works = values.refreshBrokenAt === null
    await afterConnect(ctx, {
      externalAuthId: id,
      mayRead: works && grantsDownload(values.scopes),
      maySave: works && grantsSaving(values.scopes),
    })
    return id
  })
}

/** Forgets the oldest disconnected drive where the account has as many as it may. */
async function makeRoom(ctx: TxCtx & WithUser): Promise<boolean> {
  const isOwn = eq(externalAuths.userId, ctx.user.id)
  if ((await ctx.db.$count(externalAuths, isOwn)) < DRIVES_OF_ACCOUNT) return true
  const [oldest] = await ctx.db
    .select({ id: externalAuths.id })
    .from(externalAuths)
    .where(and(isOwn, isNotNull(externalAuths.disconnectedAt), isNull(externalAuths.refreshCipher)))
    .orderBy(asc(externalAuths.disconnectedAt))
    .limit(1)
  if (oldest === undefined) return false
  await ctx.db.delete(externalAuths).where(eq(externalAuths.id, oldest.id))
  return true
}

/** One file: the page of choice gives several only where it is asked to. */
function pickedFile(ids: string | undefined): string | null {
  return ids !== undefined && /^[\w-]{1,512}$/.test(ids) ? ids : null
}

function withQuery(path: string, values: Readonly<Record<string, string>>): string {
  return `${path}?${new URLSearchParams(values).toString()}`
}
