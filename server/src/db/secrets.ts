import { randomBytes } from 'node:crypto'
import { sql } from 'drizzle-orm'
import * as v from 'valibot'
import type { Db } from './client.ts'
import { damaged, readKeyFile, writeKeyFile } from './key-file.ts'
import { serverSecrets } from './schema.ts'
import { StartError } from '#server/start-error.ts'

/** Keys for one purpose; 32 random bytes each. */
export interface Key {
  /** Makes new signatures. */
  readonly signing: Uint8Array
  /** Checks signatures: the signing one first, then those before it. */
  readonly accepted: readonly Uint8Array[]
}

/** The server's keys by purpose. */
export type Secrets = Readonly<Record<Purpose, Key>>

/**
 * What keys are for. `localMailbox` opens the local mailbox, `device` marks browsers that have
 * signed in, `frame` opens one document with scripts of others, `vault` encrypts what the
 * database must not show, and `mailbox` makes pseudonyms of deleted accounts: these are kept for
 * years and compared, so that this key is never replaced. Nor is `push`: browsers bind their
 * subscriptions to it, and would take no message of another one.
 */
const PURPOSES = [
  'session',
  'xsrf',
  'partUrl',
  'resultLink',
  'human',
  'code',
  'testPayments',
  'mailbox',
  'localMailbox',
  'device',
  'unsubscribe',
  'frame',
  'vault',
  'push',
] as const
type Purpose = (typeof PURPOSES)[number]
const KEPT_FOR_EVER: ReadonlySet<Purpose> = new Set(['mailbox', 'push'])

/**
 * A replaced key is accepted for as long as the longest mark that it made, the cookie of a known
 * device; shorter signatures carry an end of their own.
 */
const ACCEPTED_MS = 180 * 86_400_000
const SECRET_BYTES = 32

/** What is in the file: keys by purpose, the newest first, in base64, with the time they began. */
const keyFileSchema = v.record(
  v.string(),
  v.pipe(
    v.array(v.object({ key: v.string(), since: v.pipe(v.string(), v.isoTimestamp()) })),
    v.minLength(1),
  ),
)
type KeyFile = v.InferOutput<typeof keyFileSchema>

/** Where keys are, and how old they may be. */
interface KeyPlace {
  /** Absolute. Only the server may read it: who has it can sign in as anybody. */
  readonly file: string
  readonly clock: () => Date
}

interface LoadedFrom extends KeyPlace {
  /** The content of such a file, in its place; null: the file counts. */
  readonly given?: string | null
  /**
   * For a process that only migrates: its folder may go with it, and the keys of an older version
   * with that, so nothing is written and nothing leaves the database.
   */
  readonly isReadOnly?: boolean
}

/**
 * The server's keys from their file, which the first start makes. Keys of older versions are in the
 * database, and so in its dumps: they move to the file as replaced ones, which only check what they
 * have signed. Processes of one database that start at once take turns.
 */
export async function loadSecrets(
  db: Db,
  { file, given = null, clock, isReadOnly = false }: LoadedFrom,
): Promise<Secrets> {
  if (given !== null) return toSecrets(readGiven(given), clock)
  return await db.transaction(async (tx) => {
    await tx.execute(sql`select pg_advisory_xact_lock(${KEYS_LOCK})`)
    const kept = await read(file)
    const rows = await tx.select().from(serverSecrets)
    const stored = Object.fromEntries(rows.map((row) => [row.name, [fromRow(row)]]))
    const known = kept === null ? stored : withComparedKeys(kept, stored)
    const missing = PURPOSES.filter((purpose) => known[purpose] === undefined)
    const fresh = Object.fromEntries(missing.map((purpose) => [purpose, [newKey(clock)]]))
    const whole = { ...known, ...fresh }
    const keys = kept === null && rows.length > 0 ? replaced(whole, clock) : whole
    if (!isReadOnly) {
      if (known !== kept || missing.length > 0) await writeKeyFile(file, keys)
      if (rows.length > 0) await tx.delete(serverSecrets)
    }
    return toSecrets(keys, clock)
  })
}

/**
 * Puts a new key before each that may be replaced. Running servers take it at their next start.
 * @param forget drops the replaced keys too, and with them every link, page and device that they
 *   signed for: for keys that a stranger has seen
 */
export async function rotateKeys(
  { file, clock }: KeyPlace,
  { forget }: { readonly forget: boolean },
): Promise<void> {
  const kept = await read(file)
  if (kept === null) throw new Error(`${file} is not there; the first start makes it`)
  const keys = replaced(kept, clock)
  const one = ([purpose, list]: [string, KeyFile[string]]) => [purpose, list.slice(0, 1)] as const
  await writeKeyFile(file, forget ? Object.fromEntries(Object.entries(keys).map(one)) : keys)
}

/** Any number that nothing else in this database locks: "keys" in ASCII. */
const KEYS_LOCK = 0x6b657973

/** Keys of a setting, which no start can add to. Throws `StartError`. */
function readGiven(text: string): KeyFile {
  const parsed = v.safeParse(v.pipe(v.string(), v.parseJson(), keyFileSchema), text)
  const keys = parsed.success ? parsed.output : null
  const missing = PURPOSES.filter((purpose) => keys?.[purpose] === undefined)
  if (keys !== null && missing.length === 0) return keys
  const which = keys === null ? '' : ` (it has none for ${missing.join(', ')})`
  throw new StartError(
    `ONECUT_KEYS is not the whole content of a file of keys${which}; a start without it makes one, keys.json in the data folder.`,
  )
}

async function read(file: string): Promise<KeyFile | null> {
  const content = await readKeyFile(file)
  if (content === null) return null
  const parsed = v.safeParse(keyFileSchema, content)
  if (!parsed.success) throw damaged(file)
  return parsed.output
}

/**
 * The keys of the file, and those of an older version that ran again since the file was made: what
 * they made is compared for years.
 */
function withComparedKeys(kept: KeyFile, stored: KeyFile): KeyFile {
  const added = [...KEPT_FOR_EVER].flatMap((purpose) => {
    const known = kept[purpose] ?? []
    const others = (stored[purpose] ?? []).filter(
      ({ key }) => known.length > 0 && !known.some((each) => each.key === key),
    )
    const all: readonly [string, KeyFile[string]] = [purpose, [...known, ...others]]
    return others.length === 0 ? [] : [all]
  })
  return added.length === 0 ? kept : { ...kept, ...Object.fromEntries(added) }
}

function replaced(keys: KeyFile, clock: () => Date): KeyFile {
  return Object.fromEntries(
    Object.entries(keys).map(([purpose, list]) => [
      purpose,
      KEPT_FOR_EVER.has(purpose as Purpose) ? list : [newKey(clock), ...list],
    ]),
  )
}

function newKey(clock: () => Date): KeyFile[string][number] {
  return { key: randomBytes(SECRET_BYTES).toString('base64'), since: clock().toISOString() }
}

function fromRow(row: typeof serverSecrets.$inferSelect): KeyFile[string][number] {
  return { key: row.value, since: row.createdAt.toISOString() }
}

function toSecrets(keys: KeyFile, clock: () => Date): Secrets {
  const nowMs = clock().getTime()
  const toKey = (purpose: Purpose): Key => {
    const list = keys[purpose] ?? []
    const accepted = list.filter((_key, index) => {
      const next = list[index - 1]
      return (
        KEPT_FOR_EVER.has(purpose) ||
        next === undefined ||
        nowMs - Date.parse(next.since) < ACCEPTED_MS
      )
    })
    const bytes = accepted.map(({ key }) => Buffer.from(key, 'base64'))
    const [signing] = bytes
    if (signing === undefined) throw new Error(`The file of keys has none for ${purpose}`)
    return { signing, accepted: bytes }
  }
  return {
    session: toKey('session'),
    xsrf: toKey('xsrf'),
    partUrl: toKey('partUrl'),
    resultLink: toKey('resultLink'),
    human: toKey('human'),
    code: toKey('code'),
    testPayments: toKey('testPayments'),
    mailbox: toKey('mailbox'),
    localMailbox: toKey('localMailbox'),
    device: toKey('device'),
    unsubscribe: toKey('unsubscribe'),
    frame: toKey('frame'),
    vault: toKey('vault'),
    push: toKey('push'),
  }
}
