import { and, eq, isNull, sql } from 'drizzle-orm'
import { inTransaction, type Ctx, type ReadCtx } from '#server/context.ts'
import type { ExternalAuthRow } from '#server/db/rows.ts'
import { externalAuths } from '#server/db/schema.ts'
import { seal, unseal, type VaultPlace } from '#server/db/vault.ts'
import { grantsDownload } from '#server/drives/google.ts'
import { DriveFault, type Drive, type DriveTokens } from '#server/drives/port.ts'
import { notFound, Problem } from '#server/problems.ts'

/** Which drive, of whom; `worthless` is a token that the drive has just refused. */
export interface TokenQuestion {
  readonly externalAuthId: string
  readonly userId: string
  readonly worthless?: string | null
}

/** A token that ends sooner than this is refreshed first: a request may take a while to leave. */
const LEAST_LIFE_MS = 60_000

/**
 * An access token of a connected drive that counts now. Refreshes it where it must, once however
 * many ask at the same time. Refuses: `external-auths/not-found`,
 * `external-auths/permission-missing`, `external-auths/refresh-expired`, `external-auths/away`.
 */
export async function freshToken(ctx: Ctx, question: TokenQuestion): Promise<string> {
  const drive = ctx.googleDrive
  const found = await read(ctx, question)
  if (drive === null || found === null) throw notFound('external-auths/not-found')
  if (!grantsDownload(found.scopes)) throw permissionMissing()
  return usableToken(ctx, found, question) ?? (await refreshAlone(ctx, drive, question))
}

/** Where a token of a drive is kept. */
export function tokenPlace(
  column: 'access_cipher' | 'refresh_cipher',
  { id, userId }: Pick<ExternalAuthRow, 'id' | 'userId'>,
): VaultPlace {
  return { column: `external_auths.${column}`, rowId: id, userId }
}

function permissionMissing(): Problem {
  return new Problem(
    'external-auths/permission-missing',
    'Your Google Drive integration is missing download permissions. Please reauthorize...',
  )
}

/**
 * Asks for a new token while no other process does, and looks again first: who waited finds the
 * token that the other one got. The drive is asked inside of the transaction that holds the lock,
 * for ten seconds at most.
 */
async function refreshAlone(ctx: Ctx, drive: Drive, question: TokenQuestion): Promise<string> {
  const outcome = await inTransaction(ctx, async (ctx) => {
    const key = `drive-token:${question.externalAuthId}`
    await ctx.db.execute(sql`select pg_advisory_xact_lock(hashtextextended(${key}, 0))`)
    const found = await read(ctx, question)
    if (found === null) throw notFound('external-auths/not-found')
    const token = usableToken(ctx, found, question)
    if (token !== null) return { token }
    const tokens = await askForTokens(ctx, drive, found)
    const isOf = eq(externalAuths.id, found.id)
    if (tokens === null) {
      const broken = { refreshBrokenAt: found.refreshBrokenAt ?? ctx.clock() }
      await ctx.db.update(externalAuths).set(broken).where(isOf)
      return { token: null }
    }
    const { vault } = ctx.secrets
    const { accessToken, accessLifeS, refreshToken } = tokens
    await ctx.db
      .update(externalAuths)
      .set({
        accessCipher: seal(vault, accessToken, tokenPlace('access_cipher', found)),
        accessExpiresAt: new Date(ctx.clock().getTime() + accessLifeS * 1000),
        ...(refreshToken === null
          ? {}
          : { refreshCipher: seal(vault, refreshToken, tokenPlace('refresh_cipher', found)) }),
      })
      .where(isOf)
    return { token: accessToken }
  })
  // Outside, so that what was found out is kept.
  if (outcome.token === null) throw refreshExpired()
  return outcome.token
}

/** Null when the drive takes the refresh token no more, or there is none. */
async function askForTokens(
  ctx: Pick<Ctx, 'secrets'>,
  drive: Drive,
  found: ExternalAuthRow,
): Promise<DriveTokens | null> {
  const { refreshCipher, refreshBrokenAt } = found
  if (refreshCipher === null || refreshBrokenAt !== null) return null
  const place = tokenPlace('refresh_cipher', found)
  const refreshToken = unseal(ctx.secrets.vault, refreshCipher, place)
  if (refreshToken === null) return null
  try {
    return await drive.refresh(refreshToken)
  } catch (error) {
    if (!(error instanceof DriveFault)) throw error
    if (error.kind === 'token') return null
    throw new Problem(
      'external-auths/away',
      'Could not refresh Google Drive authorization. Please try again.',
      { retryAfterS: error.retryAfterS ?? 10 },
    )
  }
}

function usableToken(
  ctx: Pick<Ctx, 'clock' | 'secrets'>,
  found: ExternalAuthRow,
  { worthless = null }: TokenQuestion,
): string | null {
  const { accessCipher, accessExpiresAt } = found
  const lifeMs = accessExpiresAt.getTime() - ctx.clock().getTime()
  if (accessCipher === null || lifeMs < LEAST_LIFE_MS) return null
  const token = unseal(ctx.secrets.vault, accessCipher, tokenPlace('access_cipher', found))
  return token === worthless ? null : token
}

function refreshExpired(): Problem {
  return new Problem(
    'external-auths/refresh-expired',
    'Please reconnect your Google account first...',
  )
}

async function read(
  { db }: Pick<ReadCtx, 'db'>,
  { externalAuthId, userId }: TokenQuestion,
): Promise<ExternalAuthRow | null> {
  const [found] = await db
    .select()
    .from(externalAuths)
    .where(
      and(
        eq(externalAuths.id, externalAuthId),
        eq(externalAuths.userId, userId),
        isNull(externalAuths.disconnectedAt),
      ),
    )
  return found ?? null
}
