import pg from 'pg'
import { openDb, type Db } from '#server/db/client.ts'
import type { Connection } from '#server/db/connection.ts'

/** One run of a server's work, which dies at one of its steps as a killed process does. */
export interface Life {
  readonly db: Db
  /** Steps that were begun. */
  readonly steps: number
  readonly isDead: boolean
  /** A step that is no statement: throws where the life ends before it. */
  step<T>(work: () => Promise<T>): Promise<T>
  /** Ends this life where it stands. */
  die(): Error
  /** Resolves when the database has noticed the end, and rolled back what was not committed. */
  end(): Promise<void>
}

interface Death {
  /** Counted from 1; beyond the last step the life is not ended. */
  readonly step: number
  /** Before the step, or when its answer has come. */
  readonly when: 'before' | 'after'
}

const lives = new WeakMap<object, Steps>()
type Query = (this: object, ...given: unknown[]) => unknown
const prototype = pg.Client.prototype as unknown as { query: Query }
const { query } = prototype
// The connections of a life count and break; all others work as they do.
prototype.query = function (...given) {
  const steps = lives.get(this)
  if (steps === undefined) return query.apply(this, given)
  const answered = given.at(-1)
  if (typeof answered !== 'function')
    return steps.take(async () => await (query.apply(this, given) as Promise<unknown>))
  return void steps
    .take(
      async () =>
        await new Promise((resolve, reject) => {
          const settle = (error: unknown, result: unknown) =>
            error === null || error === undefined ? resolve(result) : reject(error as Error)
          query.apply(this, [...given.slice(0, -1), settle])
        }),
    )
    .then(
      (result) => answered(null, result) as unknown,
      (error: unknown) => answered(error) as unknown,
    )
}

/** Begins a life on this database, whose connections are its own. */
export function beginLife(connection: Connection, death: Death): Life {
  const name = `life-${crypto.randomUUID()}`
  const named: Connection & { application_name: string } = { ...connection, application_name: name }
  const db = openDb(named, { onError: () => {} })
  const sockets = new Set<{ destroy(): void }>()
  const steps = createSteps(death, () => {
    for (const socket of sockets) socket.destroy()
  })
  db.$client.on('connect', (client) => {
    lives.set(client, steps)
    sockets.add(
      (client as unknown as { connection: { stream: { destroy(): void } } }).connection.stream,
    )
  })
  return {
    db,
    get steps() {
      return steps.count
    },
    get isDead() {
      return steps.isDead
    },
    step: steps.take,
    die: steps.die,
    async end() {
      await db.$client.end()
      await untilGone(connection, name)
    },
  }
}

async function untilGone(connection: Connection, name: string): Promise<void> {
  const watch = new pg.Client(connection)
  await watch.connect()
  try {
    for (;;) {
      const { rowCount } = await watch.query(
        'select 1 from pg_stat_activity where application_name = $1',
        [name],
      )
      if (rowCount === 0) return
    }
  } finally {
    await watch.end()
  }
}

type Steps = ReturnType<typeof createSteps>

function createSteps({ step, when }: Death, onDeath: () => void) {
  let count = 0
  let isDead = false
  const die = (): Error => {
    if (!isDead) onDeath()
    isDead = true
    return new Error('killed')
  }
  return {
    die,
    get count() {
      return count
    },
    get isDead() {
      return isDead
    },
    async take<T>(work: () => Promise<T>): Promise<T> {
      if (isDead) throw die()
      count += 1
      if (count === step && when === 'before') throw die()
      const result = await work()
      if (isDead || (count === step && when === 'after')) throw die()
      return result
    },
  }
}
