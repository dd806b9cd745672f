import { and, desc, eq, gt, sql } from 'drizzle-orm'
import type { TxCtx } from '#server/context.ts'
import { rateEvents } from '#server/db/schema.ts'
import { isLoopback, networkOf, networksAround } from '#server/addresses.ts'
import { STRANGER_SHARES } from '#server/budgets.ts'
import { Problem } from '#server/problems.ts'
import { hashToken } from './tokens.ts'

/**
 * [Note: no lock for others] A limit that all people share can be used up by one of them, for all
 * others. So what refuses counts the network that asks: an IPv4 address or an IPv6 /64, and more in
 * the /56 and the /48 around it (`STRANGER_SHARES`), which one line may have. What all networks use
 * together makes each of them get less, not the next one nothing. Above that is a ceiling for a
 * flood from hundreds of networks. A known device has limits of its own, which none of these touch.
 */

/** Sign-in mails to one address in an hour that one network, or one known device, may request. */
export const LINKS_PER_ASKER = 5
/** The same once unknown devices have had so many mails to the address in the hour. */
export const LINKS_OF_FLOOD = 1
export const FLOOD_OF_LINKS = 20
/** No mailbox gets more in an hour from unknown devices. */
export const LINKS_PER_ADDRESS = 200
/** Requests for sign-in mails from one network in an hour. */
export const LINKS_PER_CLIENT = 20
/**
 * Codes of mails to one address that unknown devices of one network may get wrong in a day; the
 * same once there were so many from all; and those of all, of a million codes. The links work
 * beyond that, so that strangers who use this up lock no person out.
 */
const WRONG_CODES_PER_NETWORK = 5
const FLOOD_OF_WRONG_CODES = 15
const WRONG_CODES_OF_FLOOD = 2
const WRONG_CODES_PER_ADDRESS = 100
const WINDOW_MS = 60 * 60 * 1000
const DAY_MS = 24 * 60 * 60 * 1000
const HOUR_MINUTES = 60

/** New accounts of one network in a day that begin with a trial, whose tokens nothing pays. */
const TRIALS_PER_NETWORK = 10

/** What is counted, and how often an hour. */
interface Limit {
  readonly key: string
  readonly limit: number
  /** Instead of an hour; a day at most, after which events are forgotten. */
  readonly windowMs?: number
}

/**
 * Counts one event under a key, or refuses with `request/too-many` and the time to wait when the
 * last hour holds `limit` of them. A refused event does not count, so that waiting always helps.
 * Simultaneous requests queue on the key. `what` says what was too much, e.g. 'emails were
 * requested'.
 */
export async function countOrRefuse(
  ctx: TxCtx,
  { what, ...limit }: Limit & { readonly what: string },
): Promise<void> {
  const waitS = await count(ctx, limit)
  if (waitS !== null) throw tooMany(what, waitS)
}

/** Counts one event, unless the last hour holds `limit` of them: then false, and nothing counts. */
export async function countIfFree(ctx: TxCtx, limit: Limit): Promise<boolean> {
  return (await count(ctx, limit)) === null
}

/** `countOrRefuse` for a network, with more for those around it that one line may have. */
export async function countOfNetwork(
  ctx: TxCtx,
  { key, network, limit, what }: Limit & { readonly network: string; readonly what: string },
): Promise<void> {
  for (const { key: wider, share } of keysOf(key, network))
    await countOrRefuse(ctx, { key: wider, limit: limit * share, what })
}

/** Under what one event of a network counts: for itself, and with its share for those around it. */
function keysOf(key: string, network: string) {
  const around = networksAround(network)
  return Object.entries(STRANGER_SHARES).flatMap(([width, share]) => {
    const name = around[width]
    return name === undefined ? [] : [{ key: `${key}:${width}:${hashToken(name)}`, share }]
  })
}

/** Null when the event was counted, else the seconds until there is room for it. */
async function count(
  ctx: TxCtx,
  { key, limit, windowMs = WINDOW_MS }: Limit,
): Promise<number | null> {
  await lockKey(ctx, key)
  const now = ctx.clock()
  const recent = await ctx.db
    .select({ at: rateEvents.at })
    .from(rateEvents)
    .where(and(eq(rateEvents.key, key), gt(rateEvents.at, new Date(now.getTime() - windowMs))))
    .orderBy(desc(rateEvents.at))
    .limit(limit)
  const oldest = recent.at(limit - 1)
  if (oldest !== undefined)
    return Math.ceil((oldest.at.getTime() + windowMs - now.getTime()) / 1000)
  await ctx.db.insert(rateEvents).values({ key, at: now })
  return null
}

/** How many events of a key the last hour holds; who counts one afterwards waits for the lock. */
export async function countRecent(ctx: TxCtx, { key }: Pick<Limit, 'key'>): Promise<number> {
  await lockKey(ctx, key)
  const since = new Date(ctx.clock().getTime() - WINDOW_MS)
  return await ctx.db.$count(rateEvents, and(eq(rateEvents.key, key), gt(rateEvents.at, since)))
}

async function lockKey(ctx: TxCtx, key: string): Promise<void> {
  await ctx.db.execute(sql`select pg_advisory_xact_lock(hashtextextended(${key}, 0))`)
}

/** Where a code is typed, by an unknown device. */
interface Typist {
  readonly email: string
  readonly clientNetwork: string
}

/** Whether one more code may be tried for an address; simultaneous tries queue. */
export async function mayTryCode(ctx: TxCtx, typist: Typist): Promise<boolean> {
  const { all, networks } = wrongCodesOf(typist)
  await lockKey(ctx, all)
  const inAll = await ofDay(ctx, all)
  if (inAll >= WRONG_CODES_PER_ADDRESS) return false
  const limit = inAll < FLOOD_OF_WRONG_CODES ? WRONG_CODES_PER_NETWORK : WRONG_CODES_OF_FLOOD
  for (const { key, share } of networks) if ((await ofDay(ctx, key)) >= limit * share) return false
  return true
}

async function ofDay(ctx: TxCtx, key: string): Promise<number> {
  const since = new Date(ctx.clock().getTime() - DAY_MS)
  return await ctx.db.$count(rateEvents, and(eq(rateEvents.key, key), gt(rateEvents.at, since)))
}

/** Counts a wrong try once for each of the codes that it could have hit. */
export async function countWrongCode(
  ctx: TxCtx,
  { codes, ...typist }: Typist & { readonly codes: number },
): Promise<void> {
  if (codes === 0) return
  const { all, networks } = wrongCodesOf(typist)
  const at = ctx.clock()
  const keys = [all, ...networks.map(({ key }) => key)]
  await ctx.db
    .insert(rateEvents)
    .values(keys.flatMap((key) => Array.from({ length: codes }, () => ({ key, at }))))
}

/**
 * Whether a new account of this address may begin with a trial, by what its network asked for in a
 * day; counts it, once for each address. This machine itself is not counted: behind a proxy that is
 * not trusted, everybody would come from it.
 */
export async function mayBeginTrial(
  ctx: TxCtx,
  { email, clientNetwork }: Typist,
): Promise<boolean> {
  if (isLoopback(clientNetwork) || clientNetwork === networkOf('::1')) return true
  const keys = keysOf('trial', clientNetwork)
  const own = `trial:address:${hashToken(`${clientNetwork} ${email}`)}`
  for (const { key } of keys) await lockKey(ctx, key)
  if ((await ofDay(ctx, own)) > 0) return true
  for (const { key, share } of keys)
    if ((await ofDay(ctx, key)) >= TRIALS_PER_NETWORK * share) return false
  const at = ctx.clock()
  await ctx.db
    .insert(rateEvents)
    .values([own, ...keys.map((one) => one.key)].map((key) => ({ key, at })))
  return true
}

function wrongCodesOf({ email, clientNetwork }: Typist) {
  const all = `code-wrong:${hashToken(email)}`
  return { all, networks: keysOf(all, clientNetwork) }
}

function tooMany(what: string, retryAfterS: number): Problem {
  const minutes = Math.max(1, Math.ceil(retryAfterS / 60))
  const [count, unit] =
    minutes > HOUR_MINUTES ? [Math.ceil(minutes / HOUR_MINUTES), 'hour'] : [minutes, 'minute']
  return new Problem(
    'request/too-many',
    `Too many ${what}. Please try again in ${count} ${unit}${count === 1 ? '' : 's'}.`,
    { retryAfterS: Math.max(1, retryAfterS) },
  )
}
