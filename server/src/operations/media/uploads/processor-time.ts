import { and, desc, eq, gt, sql } from 'drizzle-orm'
import { FREE_PROCESSOR_S_PER_DAY } from '#server/budgets.ts'
import type { Ctx, ReadCtx, TxCtx, WithUser } from '#server/context.ts'
import { rateEvents } from '#server/db/schema.ts'
import { createAllowance } from '#server/media/allowance.ts'
import type { Ffmpeg } from '#server/media/ffmpeg.ts'
import { Problem } from '#server/problems.ts'

/**
 * [Note: processor time of an account] What costs no tokens is bounded for each run, and by how
 * often an account may begin it; together that were most of a processor for each account. So its
 * seconds are counted: of checks, of pieces of assets to play, and of searches ahead of an edit.
 * Beyond the budget no upload begins and no search runs ahead. What is begun goes on, because its
 * owner waits for it, and paid edits are not touched.
 */

const DAY_MS = 24 * 60 * 60 * 1000
const HOUR_S = 60 * 60

interface OfAccount {
  readonly userId: string
}

/** Counts what work for an account took, in whole seconds; a second at least. */
export async function noteProcessorTime(
  ctx: Pick<Ctx, 'db' | 'clock'>,
  { userId, seconds }: OfAccount & { readonly seconds: number },
): Promise<void> {
  if (seconds <= 0) return
  await ctx.db.execute(sql`
    insert into rate_events (key, at)
    select ${keyOf(userId)}, ${ctx.clock().toISOString()}::timestamptz
    from generate_series(1, ${Math.ceil(seconds)}::integer)`)
}

/** Does work for an account with tools that count; what they took is noted however it ends. */
export async function withProcessorTime<T>(
  ctx: Pick<Ctx, 'db' | 'clock'>,
  { userId, ffmpeg }: OfAccount & { readonly ffmpeg: Ffmpeg },
  work: (ffmpeg: Ffmpeg) => Promise<T>,
): Promise<T> {
  const allowance = ffmpeg.allowance ?? createAllowance({ cpuSeconds: Infinity })
  try {
    return await work({ ...ffmpeg, allowance })
  } finally {
    await noteProcessorTime(ctx, { userId, seconds: allowance.usedSeconds() })
  }
}

/** Refuses with `request/too-many` and the time to wait where the budget of a day is used up. */
export async function refuseBeyondProcessorTime(ctx: TxCtx & WithUser): Promise<void> {
  const waitS = await waitForProcessorTime(ctx, { userId: ctx.user.id })
  if (waitS === null) return
  throw new Problem(
    'request/too-many',
    `Checking your files took all the time that an account has in a day. Please try again in ${wordsOf(waitS)}.`,
    { retryAfterS: waitS },
  )
}

/** Seconds until an account has processor time for what costs no tokens; null: it has some. */
export async function waitForProcessorTime(
  ctx: Pick<ReadCtx, 'db' | 'clock'>,
  { userId }: OfAccount,
): Promise<number | null> {
  const now = ctx.clock().getTime()
  const isOfDay = gt(rateEvents.at, new Date(now - DAY_MS))
  const [last] = await ctx.db
    .select({ at: rateEvents.at })
    .from(rateEvents)
    .where(and(eq(rateEvents.key, keyOf(userId)), isOfDay))
    .orderBy(desc(rateEvents.at))
    .offset(FREE_PROCESSOR_S_PER_DAY - 1)
    .limit(1)
  return last === undefined ? null : Math.ceil((last.at.getTime() + DAY_MS - now) / 1000)
}

function keyOf(userId: string): string {
  return `processor:${userId}`
}

function wordsOf(seconds: number): string {
  const [count, unit] =
    seconds < HOUR_S ? [Math.ceil(seconds / 60), 'minute'] : [Math.ceil(seconds / HOUR_S), 'hour']
  return `${count} ${unit}${count === 1 ? '' : 's'}`
}
