import type { ToolGuard } from '#server/tool-guard.ts'
import type { Log } from '#server/log.ts'
import type { Metrics } from '#server/metrics.ts'
import { openLoneClient, type DbAddress, type LoneClient } from './lone-client.ts'
import { hasEnded } from './process-name.ts'

/**
 * [Note: leases] The right to work on something is a row that its process renews each 3 s, all of
 * its rows in one statement, and that ends 15 s after the last time by the database's own clock. A
 * process that cannot renew gives up after 12 s, so that two never work at once as long as it runs
 * at all. One that was frozen wakes up without its right: the tools are ended by a thread beside
 * the event loop, and what it writes then is refused by the number of its attempt, or because the
 * row has changed.
 */
export interface Leases {
  /** The name of this process in the rows. */
  readonly owner: string
  /** Takes the lease of that name, or null while another holder has it, here or elsewhere. */
  take(name: string): Promise<NamedLease | null>
  /** Ends leases of processes that certainly have ended. */
  forgetDead(): Promise<void>
  close(): Promise<void>
}

export interface NamedLease {
  /** Aborts when the right is lost. */
  readonly lost: AbortSignal
  /** Never throws: a row that cannot be removed ends by itself. */
  release(): Promise<void>
}

interface LeasesOptions {
  readonly owner: string
  readonly log: Log
  readonly metrics: Metrics
  readonly guard: Pick<ToolGuard, 'allowFor'>
  readonly times?: LeaseTimes
}

interface LeaseTimes {
  readonly renewMs: number
  readonly giveUpMs: number
  /** Of the rows, by the database's clock. */
  readonly leaseMs: number
}

const TIMES: LeaseTimes = { renewMs: 3000, giveUpMs: 12_000, leaseMs: 15_000 }
/** A statement that takes longer has no connection: the next one opens another. */
const QUERY_MS = 2500

interface Held {
  readonly name: string
  readonly controller: AbortController
  /** When the statement began by which it is held, in ms of `performance.now()`. */
  heldAtMs: number
}

/** The leases of this process, on one connection beside the pool, which the first one opens. */
export function createLeases(db: DbAddress, options: LeasesOptions): Leases {
  const { owner, metrics, times = TIMES } = options
  const { query, close } = createConnection(db)
  const held = createHeld(options, createRenewal(query, options))
  return {
    owner,
    async take(name) {
      const heldAtMs = performance.now()
      const [row] = await query<{ generation: string; was_there: boolean }>(TAKE, [
        name,
        owner,
        times.leaseMs,
      ])
      if (row === undefined) return null
      if (row.was_there) metrics.count('onecut_leases_taken_over_total')
      const generation = Number(row.generation)
      const lost = held.add(generation, { name, heldAtMs })
      return {
        lost,
        async release() {
          held.drop(generation)
          await query(RELEASE, [name, generation]).catch(() => undefined)
        },
      }
    },
    async forgetDead() {
      const rows = await query<{ owner: string }>('select distinct owner from leases', [])
      for (const row of rows)
        if (await hasEnded(row.owner))
          await query('delete from leases where owner = $1', [row.owner])
    },
    async close() {
      held.loseAll('its process ends')
      await close()
    },
  }
}

/** What this process holds, by generation. */
type HeldLeases = Map<number, Held>
/** Renews them and says which of them are lost. Never throws. */
type Renew = (held: HeldLeases) => Promise<readonly number[]>

/** Keeps what is held until it is dropped or lost, and has it renewed meanwhile. */
function createHeld({ log, metrics, guard, times = TIMES }: LeasesOptions, renew: Renew) {
  const held: HeldLeases = new Map()
  let renewal: NodeJS.Timeout | null = null
  let deadline: NodeJS.Timeout | null = null
  const lose = (generation: number, reason: string): void => {
    const lease = held.get(generation)
    held.delete(generation)
    if (lease === undefined) return
    metrics.count('onecut_leases_lost_total')
    log.warn('lease/lost', { name: lease.name, reason })
    lease.controller.abort(new Error(`The lease ${lease.name} is lost: ${reason}`))
  }
  const giveUpOld = (): void => {
    const oldestMs = performance.now() - times.giveUpMs
    for (const [generation, { heldAtMs }] of held)
      if (heldAtMs <= oldestMs) lose(generation, 'it could not be renewed')
    watch()
  }
  const renewAll = async (): Promise<void> => {
    giveUpOld()
    if (held.size === 0) return
    for (const generation of await renew(held)) lose(generation, 'another process has it')
    watch()
  }
  const watch = (): void => {
    clearTimeout(deadline ?? undefined)
    if (held.size === 0) {
      clearInterval(renewal ?? undefined)
      renewal = null
      return guard.allowFor(null)
    }
    renewal ??= setInterval(() => void renewAll(), times.renewMs).unref()
    const oldestMs = Math.min(...[...held.values()].map(({ heldAtMs }) => heldAtMs))
    const leftMs = Math.max(0, oldestMs + times.giveUpMs - performance.now())
    guard.allowFor(leftMs)
    deadline = setTimeout(giveUpOld, leftMs).unref()
  }
  return {
    /** Returns what aborts when it is lost. */
    add(generation: number, lease: Omit<Held, 'controller'>): AbortSignal {
      const controller = new AbortController()
      held.set(generation, { ...lease, controller })
      watch()
      return controller.signal
    },
    drop(generation: number): void {
      held.delete(generation)
      watch()
    },
    loseAll(reason: string): void {
      for (const generation of held.keys()) lose(generation, reason)
      watch()
    },
  }
}

/** Renews all leases in one statement; one that cannot be sent loses none. */
function createRenewal(
  query: LoneClient['query'],
  { log, metrics, times = TIMES }: LeasesOptions,
): Renew {
  let isRenewing = false
  return async (held) => {
    // A connection that opens slowly is waited for once.
    if (isRenewing) return []
    isRenewing = true
    const [asked, beganMs] = [[...held.keys()], performance.now()]
    metrics.count('onecut_lease_renewals_total')
    try {
      const names = asked.map((generation) => held.get(generation)?.name)
      const values = [names, asked, times.leaseMs]
      const rows = await query<{ generation: string }>(RENEW, values)
      const renewed = new Set(rows.map((row) => Number(row.generation)))
      for (const [generation, lease] of held) if (renewed.has(generation)) lease.heldAtMs = beganMs
      return asked.filter((generation) => !renewed.has(generation))
    } catch (error) {
      log.warn('lease/not-renewed', { leases: asked.length, error })
      return []
    } finally {
      isRenewing = false
    }
  }
}

const UNTIL = 'clock_timestamp() + make_interval(secs => $3::double precision / 1000)'
/** The number is one that no lease ever had, so that it also names the holder. */
const TAKE = `insert into leases as held (name, owner, expires_at) values ($1, $2, ${UNTIL})
  on conflict (name) do update set owner = excluded.owner, expires_at = excluded.expires_at,
    generation = excluded.generation
  where held.expires_at < clock_timestamp()
  returning generation, xmax <> 0 as was_there`
const RENEW = `update leases set expires_at = ${UNTIL}
  where name = any($1::text[]) and generation = any($2::bigint[]) returning generation`
const RELEASE = 'delete from leases where name = $1 and generation = $2'

/** One connection, opened for the first statement and again after it broke. */
function createConnection(db: DbAddress) {
  let opened: Promise<LoneClient> | null = null
  const drop = (mine: Promise<LoneClient>): void => {
    if (opened === mine) opened = null
    void mine.then(async (client) => await client.end()).catch(() => undefined)
  }
  const open = (): Promise<LoneClient> => {
    const opening: Promise<LoneClient> = openLoneClient(db, () => drop(opening), {
      queryMs: QUERY_MS,
    })
    return opening
  }
  return {
    async query<Row extends Record<string, unknown>>(
      text: string,
      values: readonly unknown[],
    ): Promise<Row[]> {
      opened ??= open()
      const mine = opened
      try {
        return await (await mine).query<Row>(text, values)
      } catch (error) {
        drop(mine)
        throw error
      }
    },
    async close(): Promise<void> {
      const last = await opened?.catch(() => null)
      opened = null
      await last?.end()
    },
  }
}
