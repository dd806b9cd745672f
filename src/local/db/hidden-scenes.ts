/**
 * [Note: hidden scenes] With the app lock on, a person can hide single scenes: videos with all
 * their orders. This file is the one owner of what that means. Screens read the account through a
 * second connection, from which every row is absent that names something of a hidden scene, in any
 * field of it. So no list has to think of it, and a new one cannot forget it. What works for the
 * account (pulls, uploads, files) reads the whole.
 */
import type { DBCore, DBCoreCursor, DBCoreQueryRequest, DBCoreTable, Middleware } from 'dexie'
import { openAccountDb, type AccountDb, type DbOptions } from './account-db.ts'
import { FACTS, readFact, type FactValues } from './facts.ts'
import { subscribeLive } from './live.ts'
import type { SealKeys } from './seal.ts'
import { createSettable, type Subscribable } from '#src/lib/subscribable.ts'

type Hidden = FactValues['hiddenScenes']

/** What a page hides now. */
export interface HiddenNow {
  /** The hidden scenes, by upload request, also while they are revealed. */
  readonly scenes: ReadonlySet<string>
  /** All ids of what belongs to them. */
  readonly ids: ReadonlySet<string>
  /** Their owner answered by the passkey, and sees them in this page. */
  readonly isRevealed: boolean
}

/** The hidden scenes of an open account, in one page. */
export interface HiddenScenes extends Subscribable<HiddenNow> {
  /** The account as screens read it. It is only read, and closes with the account. */
  readonly shown: AccountDb
  /** Only after the passkey has answered, and not beyond the moment that the page is in sight. */
  reveal(isRevealed: boolean): void
}

/** Opens what screens read of an account whose app lock is on. */
export async function openHiddenScenes(
  db: AccountDb,
  keys: SealKeys,
  options: DbOptions = {},
): Promise<HiddenScenes> {
  const known = await readHidden(db)
  const now = createSettable<HiddenNow>({ ...known, isRevealed: false })
  const isHidden = (id: string): boolean => now.current().ids.has(id)
  const shown = await openAccountDb(db.userId, options, { keys, writes: 'sealed' }, [
    hideRows((row) =>
      now.current().isRevealed || now.current().ids.size === 0 ? row : withoutHidden(row, isHidden),
    ),
  ])
  const stop = subscribeLive(() => readHidden(db), {
    next: (next) => {
      const { isRevealed, ids } = now.current()
      if (!isSame(ids, next.ids)) now.become({ ...next, isRevealed })
    },
    // It is asked again; until then what was known stays hidden.
    error: () => undefined,
  })
  db.on('close', () => {
    stop()
    shown.close({ disableAutoOpen: true })
  })
  return {
    current: now.current,
    subscribe: now.subscribe,
    shown,
    reveal: (isRevealed) => now.become({ ...now.current(), isRevealed }),
  }
}

/** Hides a scene, or shows it again. Local write. */
export async function hideScene(
  db: AccountDb,
  uploadRequestId: string,
  isHidden: boolean,
): Promise<void> {
  await db.transaction('rw', db.facts, db.uploads, async () => {
    const present = (await readFact(db, FACTS.hiddenScenes))?.value ?? []
    const others = present.filter((scene) => scene.uploadRequestId !== uploadRequestId)
    const uploadIds = await db.uploads.where({ uploadRequestId }).primaryKeys()
    const value: Hidden = isHidden ? [...others, { uploadRequestId, uploadIds }] : others
    await db.facts.put({ key: FACTS.hiddenScenes, value, pulledAtEpochMs: 0 })
  })
}

async function readHidden(db: AccountDb): Promise<Pick<HiddenNow, 'scenes' | 'ids'>> {
  const hidden = (await readFact(db, FACTS.hiddenScenes))?.value ?? []
  const scenes = new Set(hidden.map(({ uploadRequestId }) => uploadRequestId))
  if (scenes.size === 0) return { scenes, ids: scenes }
  const [uploads, jobs] = await Promise.all([
    db.uploads
      .where('uploadRequestId')
      .anyOf([...scenes])
      .primaryKeys(),
    db.mediaJobs
      .where('uploadRequestId')
      .anyOf([...scenes])
      .toArray(),
  ])
  const jobIds = jobs.map(({ _id }) => _id)
  const orders = await db.orders.where('mediaJobId').anyOf(jobIds).primaryKeys()
  return {
    scenes,
    ids: new Set([
      ...scenes,
      // Device edits outlive the row of their upload.
      ...hidden.flatMap(({ uploadIds }) => uploadIds),
      ...uploads,
      ...jobIds,
      ...jobs.flatMap(({ value }) => [
        ...value.tasks.map(({ _id }) => _id),
        ...(value.orderId === null ? [] : [value.orderId]),
      ]),
      ...orders,
    ]),
  }
}

function isSame(one: ReadonlySet<string>, other: ReadonlySet<string>): boolean {
  return one.size === other.size && [...one].every((id) => other.has(id))
}

/** A row as screens see it; undefined where it names something hidden. */
function withoutHidden(row: unknown, isHidden: (id: string) => boolean): unknown {
  // Facts hold lists of many things: what is left of them is shown.
  if (isFact(row)) return { ...row, value: storageLike(pruned(row.value, isHidden), row.value) }
  return names(row, isHidden) ? undefined : row
}

function isFact(row: unknown): row is { readonly value: unknown } {
  return typeof row === 'object' && row !== null && 'key' in row && 'value' in row
}

function names(part: unknown, isHidden: (id: string) => boolean): boolean {
  if (typeof part === 'string') return isHidden(part)
  if (typeof part !== 'object' || part === null || isBytes(part)) return false
  return Object.values(part).some((inner) => names(inner, isHidden))
}

/** The same without the members of lists that name something hidden. */
function pruned(part: unknown, isHidden: (id: string) => boolean): unknown {
  if (typeof part !== 'object' || part === null || isBytes(part)) return part
  if (Array.isArray(part)) return part.filter((member) => !names(member, isHidden))
  return Object.fromEntries(
    Object.entries(part).map(([field, inner]) => [field, pruned(inner, isHidden)]),
  )
}

/**
 * What lies on the server, without a trace of what was taken out: its count of videos follows, and
 * the log of deletions, which names videos by their names alone, is shown whole or not at all.
 */
function storageLike(value: unknown, before: unknown): unknown {
  if (!isStorage(value) || !isStorage(before)) return value
  const fewer = before.videos.length - value.videos.length
  return { ...value, videoCount: value.videoCount - fewer, deletions: [] }
}

function isStorage(
  value: unknown,
): value is { readonly videoCount: number; readonly videos: readonly unknown[] } {
  return typeof value === 'object' && value !== null && 'videoCount' in value
}

function isBytes(part: object): boolean {
  return ArrayBuffer.isView(part) || part instanceof ArrayBuffer || part instanceof Blob
}

/**
 * Takes rows out of everything that Dexie reads. Above its cache, which all connections to one
 * database share: below it, the whole and the shown account would get each other's rows.
 */
function hideRows(shownRow: (row: unknown) => unknown): Middleware<DBCore> {
  return {
    stack: 'dbcore',
    name: 'hide',
    level: 10,
    create: (down) => ({ ...down, table: (name) => hideTable(down.table(name), shownRow) }),
  }
}

function hideTable(table: DBCoreTable, shownRow: (row: unknown) => unknown): DBCoreTable {
  const show = (row: unknown): unknown => (row === undefined ? row : shownRow(row))
  const { extractKey } = table.schema.primaryKey
  /** Hidden rows do not count towards the limit. */
  const find = (request: DBCoreQueryRequest, limit: number): Promise<readonly unknown[]> =>
    table.query({ ...request, values: true, limit }).then(({ result }) => {
      const shown = result.map(show).filter((row) => row !== undefined)
      const wanted = request.limit ?? Infinity
      if (shown.length >= wanted) return shown.slice(0, wanted)
      return result.length < limit ? shown : find(request, limit * 2)
    })
  return {
    ...table,
    mutate: () => Promise.reject(new TypeError('what is shown is only read')),
    get: (request) => table.get(request).then(show),
    getMany: (request) => table.getMany(request).then((rows) => rows.map(show)),
    query: (request) =>
      find(request, request.limit ?? Infinity).then((rows) => ({
        result: request.values === true ? [...rows] : rows.map((row): unknown => extractKey?.(row)),
      })),
    count: (request) => find({ ...request, values: true }, Infinity).then((rows) => rows.length),
    openCursor: (request) =>
      table
        .openCursor({ ...request, values: true })
        .then((cursor) => (cursor === null ? cursor : hideCursor(cursor, show))),
  }
}

/** The members of a cursor of the browser refuse every other `this`. */
function hideCursor(cursor: DBCoreCursor, show: (row: unknown) => unknown): DBCoreCursor {
  return Object.create(cursor, {
    key: { get: (): unknown => cursor.key },
    primaryKey: { get: (): unknown => cursor.primaryKey },
    value: { get: () => show(cursor.value) },
    start: {
      value: (onNext: () => void) =>
        cursor.start(() => {
          if (show(cursor.value) === undefined) cursor.continue()
          else onNext()
        }),
    },
  }) as DBCoreCursor
}
