/** What refused calls tell the operator. */
import { and, eq, inArray, ne } from 'drizzle-orm'
import type { Ctx } from '#server/context.ts'
import type { SecurityEventName } from '#server/db/security-log.ts'
import {
  checkoutSessions,
  mediaAssets,
  mediaJobs,
  mediaJobTasks,
  orders,
  passkeys,
  payments,
  sessions,
  uploadRequests,
  users,
  wallets,
  walletSubscriptions,
} from '#server/db/schema.ts'
import { refusalIn, type ProblemCode } from '#server/problems.ts'

/** A call that was refused. */
interface RefusedCall {
  readonly thrown: unknown
  readonly operation: string
  readonly userId: string | null
  readonly client: string
  /** Address and body, in which ids are looked for. */
  readonly texts: readonly string[]
}

const EVENTS: { readonly [Code in ProblemCode]?: SecurityEventName } = {
  'auth/xsrf': 'xsrf-refused',
  'auth/other-user': 'other-user',
  'auth/code-wrong': 'code-refused',
  'auth/code-invalid': 'code-refused',
  'auth/passkey-refused': 'passkey-refused',
  'request/too-many': 'limit-reached',
}

/** A body that names more is no call of the app. */
const IDS_READ = 20

/**
 * Records a refusal that concerns security, and looks whether a call that found nothing named a row
 * of another account. Never throws: the caller has its answer to give.
 */
export async function recordRefusal(ctx: Ctx, call: RefusedCall): Promise<void> {
  const refusal = refusalIn(call.thrown)
  if (refusal === null) return
  const { code, ofUserId = null } = refusal
  const { operation, userId, client } = call
  try {
    const event = EVENTS[code]
    if (event !== undefined)
      await ctx.security.record(ctx.db, {
        event,
        userId: userId ?? ofUserId,
        client,
        facts: { operation },
      })
    if (userId === null || !code.endsWith('not-found')) return
    const owner = await findOtherOwner(ctx, userId, idsIn(call.texts))
    if (owner === null) return
    const facts = { operation, of: owner }
    await ctx.security.record(ctx.db, { event: 'foreign-id', userId, client, facts })
  } catch (error) {
    ctx.log.error('security/not-recorded', error, { operation })
  }
}

/** Written before the answer: a refusal looks the same whether or not the row exists. */
async function findOtherOwner(
  { db }: Pick<Ctx, 'db'>,
  userId: string,
  ids: readonly string[],
): Promise<string | null> {
  if (ids.length === 0) return null
  for (const table of OWNED) {
    const [row] = await db
      .select({ owner: table.userId })
      .from(table)
      .where(and(inArray(table.id, [...ids]), ne(table.userId, userId)))
      .limit(1)
    if (row !== undefined) return row.owner
  }
  const [person] = await db
    .select({ id: users.id })
    .from(users)
    .where(and(inArray(users.id, [...ids]), ne(users.id, userId)))
    .limit(1)
  if (person !== undefined) return person.id
  const [task] = await db
    .select({ owner: mediaJobs.userId })
    .from(mediaJobTasks)
    .innerJoin(mediaJobs, eq(mediaJobs.id, mediaJobTasks.mediaJobId))
    .where(and(inArray(mediaJobTasks.id, [...ids]), ne(mediaJobs.userId, userId)))
    .limit(1)
  return task?.owner ?? null
}

const OWNED = [
  uploadRequests,
  mediaJobs,
  orders,
  wallets,
  mediaAssets,
  payments,
  checkoutSessions,
  walletSubscriptions,
  passkeys,
  sessions,
] as const

function idsIn(texts: readonly string[]): readonly string[] {
  const found = texts.flatMap(
    (text) => text.match(/[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/gi) ?? [],
  )
  return [...new Set(found)].slice(0, IDS_READ)
}
