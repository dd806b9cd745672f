import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { compose } from '#server/compose.ts'
import { openDb, type Db } from '#server/db/client.ts'
import { launchPostgres } from '#server/db/embedded/launch.ts'
import { readSettings } from '#server/env.ts'
import { createLog } from '#server/log.ts'
import { sweep } from '#server/operations/workflows/upkeep/sweep.ts'
import { eraseAccounts } from '#server/operations/workflows/account-erased.ts'
import { startE2eServer, type E2eServer } from '#tests/setup/e2e-server.ts'
import { makePaddedMovie } from '#tests/setup/padded-movie.ts'
import { createChance, killDatabase, type Chance } from '#tests/integration/kill/crash-harness.ts'
import { orphanErrors, rowErrors, storeErrors, unfinishedWork } from './mixed-books.ts'
import { factErrors } from './mixed-checker.ts'
import { live, type Movies } from './mixed-people.ts'
import { createGate, type Fact, type World } from './mixed-world.ts'

/** What kills under a mix of everything showed; a run ends with an error at the first loss. */
export interface MixedReport {
  readonly kills: number
  /** Of those, during a start. */
  readonly killsOfStarts: number
  /** Of those, together with the database. */
  readonly killsOfDatabases: number
  readonly startSeconds: readonly number[]
  readonly people: number
  /** Of each kind, what was acknowledged, or made, and was still true at the end. */
  readonly kept: Readonly<Record<Fact['kind'], number>>
  readonly rows: Readonly<Record<string, number>>
}

interface MixedOptions {
  readonly kills: number
  readonly seed: number
  readonly people: number
  /** A kill comes at any moment of this time after the calls go on. */
  readonly loadMs: number
  readonly onRound?: (kills: number, startSeconds: number) => void
}

const ENV = {
  ONECUT_PART_SIZE_BYTES: String(5 * 1024 ** 2),
  ONECUT_TRUSTED_PROXIES: '127.0.0.1',
  // People pay by requests of their own, at the address that knows them by their cookie.
  ONECUT_FRAME_ORIGIN: 'none',
}
const LARGE_PAD_BYTES = 7_000_000
const START_MS = 2_500
/** Each of the first four people begins with another kind of errand. */
const FIRST_ERRANDS = [0, 1, 3, 5]
const DAY_MS = 86_400_000
/** Longer than what sweeps wait for before they remove files that no row names. */
const UPKEEP_AFTER_MS = 3 * DAY_MS
/** Longer than an account may come back, and an upload stay unfinished. */
const ERASED_AFTER_MS = 16 * DAY_MS

/**
 * Some people sign up, upload, order, pay by tokens and by card, download, cancel, discard and
 * delete, while their server is killed `kills` times by SIGKILL: each fourth time with its
 * database, and after each sixth round again during its start. After each start, and once everybody
 * is done, all that was acknowledged must still be true, and rows and files must agree.
 */
export async function runMixedKills(options: MixedOptions): Promise<MixedReport> {
  const chance = createChance(options.seed)
  const folder = await mkdtemp(join(tmpdir(), 'onecut-mixed-'))
  const server = await startE2eServer(ENV)
  try {
    const large = await makePaddedMovie(join(folder, 'large.mp4'), 1, 'end', LARGE_PAD_BYTES)
    const small = await makePaddedMovie(join(folder, 'small.mp4'), 1, 'front', 8)
    return await run(server, { small, large }, chance, options)
  } finally {
    await server.dispose()
    await rm(folder, { recursive: true, force: true })
  }
}

async function run(
  server: E2eServer,
  movies: Movies,
  chance: Chance,
  { kills, seed, people, loadMs, onRound }: MixedOptions,
): Promise<MixedReport> {
  const count = { kills: 0, starts: 0, databases: 0 }
  const startSeconds: number[] = []
  const isOver = (): boolean => count.kills >= kills
  const world: World = { server, gate: createGate(), people: new Set(), isOver }
  world.gate.open()
  // An error of one person ends the run at once, whatever the others wait for.
  const lives = Promise.all(
    Array.from({ length: people }, (_, index) =>
      live(world, movies, createChance(seed * 1000 + index), FIRST_ERRANDS[index % 4] ?? 0),
    ),
  )
  const rounds = async (): Promise<void> => {
    for (let round = 1; !isOver(); round += 1) {
      await chance.moment(loadMs)
      const withDatabase = round % 4 === 0
      world.gate.close()
      await Promise.all([withDatabase ? killDatabase(server) : null, server.kill()])
      count.kills += 1
      count.databases += withDatabase ? 1 : 0
      if (round % 6 === 0 && !isOver()) {
        await killTheStart(server, chance)
        count.kills += 1
        count.starts += 1
      }
      const from = performance.now()
      await server.start()
      startSeconds.push((performance.now() - from) / 1000)
      await refuseErrors(world)
      onRound?.(count.kills, startSeconds.at(-1) ?? 0)
      world.gate.open()
    }
  }
  await Promise.all([rounds(), lives])
  const rows = await checkTheEnd(world)
  return {
    kills: count.kills,
    killsOfStarts: count.starts,
    killsOfDatabases: count.databases,
    startSeconds,
    people: world.people.size,
    kept: countKinds(world),
    rows,
  }
}

async function killTheStart(server: E2eServer, chance: Chance): Promise<void> {
  const starting = server.start().catch(() => undefined)
  await chance.moment(START_MS)
  await server.kill()
  await starting
}

/** Between two rounds: the facts of the people who are at it, all rows, and what is unfinished. */
async function refuseErrors({ server, people }: World): Promise<void> {
  const errors: string[] = []
  for (const person of [...people].slice(-8)) errors.push(...(await factErrors(person)))
  await withDb(server, async (db) => {
    errors.push(...(await rowErrors(db)))
    errors.push(...(await storeErrors(db, server.dataDir, { isWhole: false })))
  })
  refuse(errors, server)
}

/**
 * When everybody is done: all facts, all bytes; then, with the server stopped, what its upkeep
 * leaves after some days, and after the time in which deleted accounts may come back.
 */
async function checkTheEnd({ server, people }: World): Promise<Readonly<Record<string, number>>> {
  const errors: string[] = []
  for (const person of people) errors.push(...(await factErrors(person)))
  await withDb(server, async (db) => errors.push(...(await unfinishedWork(db))))
  refuse(errors, server)
  const code = await server.stop()
  if (code !== 0) throw new Error(`The server ended with ${code}`)
  await upkeep(server, UPKEEP_AFTER_MS)
  const rows = await withDb(server, async (db) => await countRows(db))
  await upkeep(server, ERASED_AFTER_MS)
  return rows
}

/** Does what the server does each minute, at a later time, and looks at what it leaves. */
async function upkeep(server: E2eServer, laterMs: number): Promise<void> {
  const { dataDir } = server
  const settings = readSettings({ NODE_ENV: 'test', ONECUT_DATA_DIR: dataDir, ...ENV })
  const clock = (): Date => new Date(Date.now() + laterMs)
  const { deps, close } = await compose(
    settings,
    createLog(() => undefined),
    { clock },
  )
  try {
    await sweep(deps)
    await eraseAccounts(deps)
    refuse(
      [
        ...(await rowErrors(deps.db)),
        ...(await storeErrors(deps.db, dataDir, { isWhole: true })),
        ...(await orphanErrors(deps.db, dataDir)),
      ],
      server,
    )
  } finally {
    await close()
  }
}

function refuse(errors: readonly string[], server: E2eServer): void {
  if (errors.length === 0) return
  const logged = server.log().split('\n')
  throw new Error(
    ['What was lost:', ...errors, ...logged.filter((line) => line.includes('"error"'))].join('\n'),
  )
}

async function withDb<T>(server: E2eServer, work: (db: Db) => Promise<T>): Promise<T> {
  const { connection } = await launchPostgres(server.dataDir)
  const db = openDb(connection, { onError: () => undefined })
  try {
    return await work(db)
  } finally {
    await db.$client.end()
  }
}

async function countRows(db: Db): Promise<Readonly<Record<string, number>>> {
  const { rows } = await db.$client.query<Record<string, string>>(`
    select (select count(*) from users) as accounts,
      (select count(*) from upload_requests) as uploads,
      (select count(*) from orders where status = 'paid') as "paid orders",
      (select count(*) from payments) as "card payments",
      (select count(*) from media_job_tasks where status = 'succeeded') as edits,
      (select count(*) from media_job_tasks where status = 'failed') as "refunded edits",
      (select count(*) from deletion_log) as deletions,
      (select sum(attempt - 1) from media_job_tasks where attempt > 1) as "edits begun again"`)
  return Object.fromEntries(
    Object.entries(rows[0] ?? {}).map(([name, value]) => [name, Number(value)]),
  )
}

function countKinds({ people }: World): MixedReport['kept'] {
  const kept: Record<Fact['kind'], number> = {
    account: 0,
    'deleted-account': 0,
    upload: 0,
    'completed-upload': 0,
    'discarded-upload': 0,
    'deleted-video': 0,
    order: 0,
    edits: 0,
    answer: 0,
  }
  for (const { facts } of people) for (const { kind } of facts.values()) kept[kind] += 1
  return kept
}
