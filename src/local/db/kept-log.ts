import * as v from 'valibot'
import { changeFact, type DeviceDb } from './device-db.ts'
import { withoutUserData } from '#src/lib/describe-bug.ts'
import type { LogFacts, LogLine } from '#src/lib/log.ts'
import { createFollowUp } from '#src/lib/serial.ts'

/**
 * [Note: kept log] The last 200 log lines of all pages and workers, for the report that a person
 * copies for support. They are one fact of the device's database: session storage is out of reach
 * for workers and ends with the tab, and a table of its own would need a version of the database
 * that pages of an older version cannot open. Wiped with the account.
 */
const KEPT_LINES = 200
const LONGEST_TEXT = 2000
const LOG_LINES = 'log-lines'

const keptLine = v.object({
  atEpochMs: v.number(),
  level: v.picklist(['debug', 'warn', 'error']),
  area: v.string(),
  message: v.string(),
  facts: v.record(v.string(), v.nullable(v.union([v.string(), v.number(), v.boolean()]))),
})
export type KeptLine = v.InferOutput<typeof keptLine>

export interface KeptLog {
  /** Keeps a line, soon; never throws. A device that refuses to store keeps nothing. */
  readonly keep: (line: LogLine) => void
  /** Oldest first, with the lines of other tabs and workers; empty when nothing can be read. */
  readonly read: () => Promise<readonly KeptLine[]>
}

export interface KeptLogDeps {
  /** Called at the first line, so that a quiet worker opens no database. */
  readonly openDb: () => Promise<DeviceDb>
  readonly now: () => number
}

/** The kept log of this context. See [Note: kept log]. */
export function createKeptLog(deps: KeptLogDeps): KeptLog {
  let pending: KeptLine[] = []
  let db: Promise<DeviceDb> | null = null
  const open = (): Promise<DeviceDb> => (db ??= deps.openDb())
  const write = createFollowUp(async () => {
    const lines = pending
    pending = []
    if (lines.length > 0) await addLines(await open(), lines)
  })
  // A log must not fail what it speaks of: without storage there are no kept lines.
  const flush = (): Promise<void> => write().catch(() => undefined)
  return {
    keep: (line) => {
      pending = [...pending, keptOf(line, deps.now())].slice(-KEPT_LINES)
      void flush()
    },
    read: async () => {
      await flush()
      return open().then(readLines, () => [])
    },
  }
}

/** Removes all kept lines, also those of other contexts. */
export async function clearKeptLog(db: DeviceDb): Promise<void> {
  await db.facts.delete(LOG_LINES)
}

async function addLines(db: DeviceDb, lines: readonly KeptLine[]): Promise<void> {
  await changeFact(db, LOG_LINES, (value) => [...parse(value), ...lines].slice(-KEPT_LINES))
}

async function readLines(db: DeviceDb): Promise<readonly KeptLine[]> {
  return parse((await db.facts.get(LOG_LINES))?.value)
}

function parse(value: unknown): readonly KeptLine[] {
  const parsed = v.safeParse(v.array(keptLine), value)
  return parsed.success ? parsed.output : []
}

function keptOf({ level, area, message, facts }: LogLine, atEpochMs: number): KeptLine {
  return { atEpochMs, level, area, message: clean(message), facts: cleanFacts(facts) }
}

function cleanFacts(facts: LogFacts): KeptLine['facts'] {
  return Object.fromEntries(
    Object.entries(facts).map(([key, value]) => [
      key,
      typeof value === 'string' ? clean(value) : value,
    ]),
  )
}

function clean(text: string): string {
  return withoutUserData(text.slice(0, LONGEST_TEXT))
}
