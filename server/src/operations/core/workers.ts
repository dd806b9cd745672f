import { setTimeout } from 'node:timers/promises'
import { and, eq, sql } from 'drizzle-orm'
import type { Ctx, ReadCtx } from '#server/context.ts'
import { hasEnded } from '#server/db/process-name.ts'
import { workers } from '#server/db/schema.ts'
import type { Ffmpeg } from '#server/media/ffmpeg.ts'
import { freeBytesOf } from '#server/object-store/free-bytes.ts'

/** What one process makes edits with. */
export interface Means {
  readonly ffmpeg: Pick<Ffmpeg, 'filters' | 'encoders' | 'canRunNode'> | null
  readonly findsFaces: boolean
}

/** How often a process says that it works, and after which silence it is not counted any more. */
const SAY_EVERY_MS = 10_000
const SILENT_S = 30

/**
 * Says again and again what this process can do and how much it makes at a time, until the returned
 * function is called. A process without ffmpeg makes nothing and says nothing. The row stays
 * behind: a worker that is only started again takes no edit off the catalogue.
 */
export function keepSayingWhatWorks(ctx: Ctx): () => Promise<void> {
  const stop = new AbortController()
  const said = repeat(ctx, stop.signal)
  return async () => {
    stop.abort()
    await said
  }
}

async function repeat(ctx: Ctx, stop: AbortSignal): Promise<void> {
  while (!stop.aborted) {
    await sayWhatWorks(ctx).catch((error: unknown) => ctx.log.warn('worker/not-said', { error }))
    await setTimeout(SAY_EVERY_MS, undefined, { signal: stop, ref: false }).catch(() => undefined)
  }
}

export async function sayWhatWorks(ctx: Ctx): Promise<void> {
  const { ffmpeg, faces, settings, leases } = ctx
  if (ffmpeg === null) return
  const row = {
    heartbeatAt: sql`now()`,
    longSlots: settings.renderConcurrency,
    ffmpegVersion: ffmpeg.version,
    filters: [...ffmpeg.filters].toSorted(),
    encoders: [...ffmpeg.encoders].toSorted(),
    canRunNode: ffmpeg.canRunNode,
    findsFaces: faces !== null,
    scratchFreeBytes: await freeBytesOf(settings.scratchDir),
  }
  await ctx.db
    .insert(workers)
    .values({ id: leases.owner, ...row })
    .onConflictDoUpdate({ target: workers.id, set: row })
}

/**
 * What makes edits here: each kind of process that has said so within 30 s. Every edit may come to
 * any of them. Where none has, it is what this process itself has.
 */
export async function readMeans(
  ctx: Pick<ReadCtx, 'db' | 'ffmpeg' | 'faces'>,
): Promise<readonly Means[]> {
  const rows = await ctx.db
    .selectDistinct({
      filters: workers.filters,
      encoders: workers.encoders,
      canRunNode: workers.canRunNode,
      findsFaces: workers.findsFaces,
    })
    .from(workers)
    .where(isAlive)
  if (rows.length === 0) return [{ ffmpeg: ctx.ffmpeg, findsFaces: ctx.faces !== null }]
  return rows.map(({ filters, encoders, canRunNode, findsFaces }) => ({
    ffmpeg: { filters: setOf(filters), encoders: setOf(encoders), canRunNode },
    findsFaces,
  }))
}

/** The same set for the same names, so that what was found of it is known (`isOffered`). */
function setOf(names: readonly string[]): ReadonlySet<string> {
  const text = names.join(' ')
  const set = sets.get(text) ?? new Set(names)
  if (sets.size >= MOST_SETS) sets.clear()
  sets.set(text, set)
  return set
}

const sets = new Map<string, ReadonlySet<string>>()
/** Two for each sort of ffmpeg; a server meets few of them. */
const MOST_SETS = 50

/** The slots of all processes that make edits; where none has said so, those of one as this one. */
export async function readSlots(
  ctx: Pick<ReadCtx, 'db' | 'settings'>,
): Promise<{ readonly longSlots: number; readonly quickSlots: number }> {
  const [row] = await ctx.db
    .select({
      longSlots: sql<number>`coalesce(sum(${workers.longSlots}), 0)::int`,
      quickSlots: sql<number>`count(*)::int`,
    })
    .from(workers)
    .where(isAlive)
  if (row === undefined || row.quickSlots === 0)
    return { longSlots: ctx.settings.renderConcurrency, quickSlots: 1 }
  return row
}

/**
 * How many slots for long edits each process with this ffmpeg has. One that was just started again
 * is not counted twice: of those of this machine it is known whether they have ended.
 */
export async function readLongSlots(
  ctx: Pick<ReadCtx, 'db'>,
  { version }: Pick<Ffmpeg, 'version'>,
): Promise<readonly number[]> {
  const rows = await ctx.db
    .select({ id: workers.id, longSlots: workers.longSlots })
    .from(workers)
    .where(and(isAlive, eq(workers.ffmpegVersion, version)))
  const ended = await Promise.all(rows.map(async ({ id }) => await hasEnded(id)))
  return rows.flatMap(({ longSlots }, at) => (ended[at] === true ? [] : [longSlots]))
}

const isAlive = sql`${workers.heartbeatAt} > now() - make_interval(secs => ${SILENT_S})`
