import { beforeEach, describe, expect, it } from 'vitest'
import { createFakeClock, type FakeClock } from '#tests/fakes/fake-clock.ts'
import { openTestDb, openTestDeviceDb } from '#tests/fakes/fake-db.ts'
import { idOf } from '#tests/fakes/fake-rows.ts'
import { createApiClient } from '#src/api/client.ts'
import { silentLog } from '#src/lib/log.ts'
import { readListedAt, readNounRows, tableOf } from '#src/local/db/nouns.ts'
import { clearPulledRows } from '#src/local/db/wipe.ts'
import { nouns } from '#src/local/nouns/all.ts'
import type { Noun, NounWithOne, ParentId } from '#src/local/nouns/define-noun.ts'
import { pullList, pullOne } from '#src/local/sync/nouns.ts'
import type { PullDeps } from '#src/local/sync/pull.ts'
import { createContractServer, type ContractServer, type Thing } from './contract-server.ts'

type AnyNoun = Noun<string, Thing, object, ParentId>
type AnyNounWithOne = NounWithOne<string, Thing, object, ParentId>

// The suite treats every noun alike and takes the fields of its things from the contract.
const every = nouns as readonly unknown[] as readonly AnyNoun[]

let server: ContractServer
let clock: FakeClock
let deps: PullDeps

beforeEach(async () => {
  server = createContractServer()
  clock = createFakeClock()
  deps = {
    api: createApiClient({
      origin: 'http://onecut.test',
      fetch: server.fetch,
      xsrfToken: () => Promise.resolve(null),
      onSessionEnded: () => undefined,
    }),
    db: await openTestDb(),
    deviceDb: await openTestDeviceDb(),
    clock,
    random: () => 0,
    fetch: server.fetch,
    origin: 'http://onecut.test',
    log: silentLog,
  }
})

/** A thing of the noun as the server has it, which is then all that the server has. */
async function thingOf(noun: AnyNoun, _id: string): Promise<Thing> {
  server.has([_id])
  const { data } = await noun.askList(deps.api, {}, 'any')
  const [thing] = data ?? []
  if (thing === undefined) throw new Error(`no example of ${noun.table}`)
  return thing
}

/** The parent that the contract's example names, for a noun whose lists have parents. */
async function parentOf(noun: AnyNoun): Promise<ParentId> {
  if (noun.parentColumn === null) return []
  const row: Readonly<Record<string, unknown>> = { ...noun.toRow(await thingOf(noun, idOf(1)), 0) }
  return [String(row[noun.parentColumn])]
}

async function idsOf(noun: AnyNoun): Promise<readonly string[]> {
  return (await tableOf(deps.db, noun).toArray()).map(({ _id }) => _id)
}

describe.each(every.map((noun) => [noun.table, noun] as const))('%s', (_table, noun) => {
  it('a list replaces what this device has', async () => {
    const parent = await parentOf(noun)
    server.has([idOf(1), idOf(2)])
    expect(await pullList(deps, noun, ...parent)).toEqual({ ok: true, value: null })
    expect(await idsOf(noun)).toEqual([idOf(1), idOf(2)])
    await clock.advance(1)
    server.has([idOf(2), idOf(3)])
    await pullList(deps, noun, ...parent)
    expect(await idsOf(noun)).toEqual([idOf(2), idOf(3)])
    expect(await readNounRows(deps.db, noun, ...parent)).toHaveLength(2)
  })

  it('newer rows win over a list that was asked for before', async () => {
    const parent = await parentOf(noun)
    const newer = clock.now() + 1
    for (const id of [idOf(1), idOf(2)])
      await tableOf(deps.db, noun).put(noun.toRow(await thingOf(noun, id), newer))
    server.has([idOf(1)])
    await pullList(deps, noun, ...parent)
    const rows = await tableOf(deps.db, noun).toArray()
    expect(rows.map((row) => [row._id, row.pulledAtEpochMs])).toEqual([
      [idOf(1), newer],
      [idOf(2), newer],
    ])
  })

  it('a session that ends takes its rows along', async () => {
    server.has([idOf(1)])
    await pullList(deps, noun, ...(await parentOf(noun)))
    expect(await idsOf(noun)).toEqual([idOf(1)])
    await clearPulledRows(deps.db)
    expect(await idsOf(noun)).toEqual([])
  })

  it('an empty list leaves behind that it was pulled, until the session ends', async () => {
    const parent = await parentOf(noun)
    server.has([])
    expect(await readListedAt(deps.db, noun, ...parent)).toBeNull()
    await pullList(deps, noun, ...parent)
    expect(await readListedAt(deps.db, noun, ...parent)).toBe(clock.now())
    await clearPulledRows(deps.db)
    expect(await readListedAt(deps.db, noun, ...parent)).toBeNull()
  })

  it('its rows have every column that is indexed', async () => {
    const row = noun.toRow(await thingOf(noun, idOf(1)), 0)
    const indexed = noun.indexes.split(', ').filter((column) => column !== '')
    expect(Object.keys(row)).toEqual(expect.arrayContaining(indexed))
    if (noun.parentColumn !== null) expect(indexed).toContain(noun.parentColumn)
  })
})

describe.each(
  every.filter((noun) => noun.parentColumn !== null).map((noun) => [noun.table, noun] as const),
)('%s of one parent', (_table, noun) => {
  it('a list leaves what belongs to other parents', async () => {
    const [parent] = await parentOf(noun)
    const other = noun.toRow(await thingOf(noun, idOf(9)), 0)
    await tableOf(deps.db, noun).put({ ...other, [noun.parentColumn ?? '']: 'another' })
    server.has([idOf(1)])
    await pullList(deps, noun, parent ?? '')
    expect(await idsOf(noun)).toEqual([idOf(1), idOf(9)])
    expect((await readNounRows(deps.db, noun, 'another')).map(({ _id }) => _id)).toEqual([idOf(9)])
  })
})

describe.each(
  every
    .filter((noun): noun is AnyNounWithOne => 'askOne' in noun)
    .map((noun) => [noun.table, noun] as const),
)('one of %s', (_table, noun) => {
  it('is written beside the others, and a 404 removes it', async () => {
    server.has([idOf(1), idOf(2)])
    await pullOne(deps, noun, idOf(1))
    await pullOne(deps, noun, idOf(2))
    expect(await idsOf(noun)).toEqual([idOf(1), idOf(2)])
    server.has([idOf(2)])
    expect(await pullOne(deps, noun, idOf(1))).toMatchObject({ ok: false, error: { status: 404 } })
    expect(await idsOf(noun)).toEqual([idOf(2)])
  })

  it('has the same row wherever a list puts it', async () => {
    const thing = await thingOf(noun, idOf(1))
    expect(noun.toRow(thing, 0, 7)).toEqual(noun.toRow(thing, 0))
  })
})
