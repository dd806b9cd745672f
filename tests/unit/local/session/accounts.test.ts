import { forceCloseDatabase } from 'fake-indexeddb'
import { expect, it } from 'vitest'
import { createFakeChannelPorts } from '#tests/fakes/fake-channel.ts'
import { createFakeClock, type FakeClock } from '#tests/fakes/fake-clock.ts'
import { newDevice, USER_ID } from '#tests/fakes/fake-db.ts'
import { fakeUploadRow } from '#tests/fakes/fake-rows.ts'
import { createChannel } from '#src/local/channel/channel.ts'
import { accountDbName, openAccountDb } from '#src/local/db/account-db.ts'
import { openDeviceDb, readLastUserId } from '#src/local/db/device-db.ts'
import { FACTS, writeFact } from '#src/local/db/facts.ts'
import { createAccounts, type OpenAccount } from '#src/local/session/accounts.ts'
import { createSession } from '#src/local/session/session.ts'
import { silentLog } from '#src/lib/log.ts'

// The library's types ask for the class where it takes an object of it.
type FakeDatabase = Parameters<typeof forceCloseDatabase>[0]

/** What a browser may do with a request for a database while it deletes the data of a site. */
type Fault = 'no answer' | 'refused'

/** A device that answers the first requests for one database with faults, and then opens it. */
function newFaultyDevice(name: string) {
  const device = newDevice()
  const faults: Fault[] = []
  const indexedDB = new Proxy(device.indexedDB, {
    get: (factory, key) => {
      if (key !== 'open') return Reflect.get(factory, key).bind(factory)
      return (...args: Parameters<IDBFactory['open']>) => {
        const fault = args[0] === name ? faults.shift() : undefined
        if (fault === 'refused') throw new DOMException('the data is being deleted', 'AbortError')
        return fault === undefined ? factory.open(...args) : new EventTarget()
      }
    },
  })
  return { device: { ...device, indexedDB }, faults }
}

/** A page with an open account, as `compose.ts` wires it. */
async function openPage(device = newDevice()) {
  const jar = {
    cookies: `editorUserAuthJwt=h.${Buffer.from(JSON.stringify({ user: { _id: USER_ID, email: 'a@b.c', permissions: [] } })).toString('base64url')}.s`,
  }
  const clock = createFakeClock()
  const channel = createChannel({ port: createFakeChannelPorts()(), log: silentLog })
  const session = createSession({ readCookies: () => jar.cookies, channel })
  const deviceDb = await openDeviceDb(device)
  const story: string[] = []
  let refusals = 0
  const silent = new Set<'worker' | 'outbox'>()
  const stop = (what: 'worker' | 'outbox') => async () => {
    if (silent.has(what)) await new Promise(() => undefined)
    story.push(`${what} ended`)
  }
  const refuseOpening = (times: number): void => {
    refusals = times
  }
  const accounts = createAccounts({
    sealOf: async () => null,
    wipe: { deviceDb, clock, caches: null, files: null, dbOptions: device },
    deviceDb,
    log: silentLog,
    stops: new Set([stop('worker')]),
    onDeleted: () => story.push('deleted'),
    endPushes: () => Promise.resolve(),
    open: async (userId): Promise<OpenAccount> => {
      refusals -= 1
      if (refusals >= 0) throw new DOMException('the data is being deleted', 'AbortError')
      const db = await openAccountDb(userId, device)
      db.whenLost(() => {
        session.refresh()
        void accounts.follow(session)
      })
      return { userId, db, stop: stop('outbox') }
    },
  })
  await accounts.follow(session)
  const first = accounts.current()
  await first?.db.uploads.add(fakeUploadRow())
  if (first !== null) await writeFact(first.db, FACTS.profile, { profession: null }, 0)
  const remove = (): Promise<void> =>
    new Promise((resolve, reject) => {
      const request = device.indexedDB.deleteDatabase(accountDbName(USER_ID))
      request.onsuccess = () => resolve()
      request.onerror = () => reject(request.error)
    })
  const hang = (what: 'worker' | 'outbox'): unknown => silent.add(what)
  return {
    jar,
    device,
    deviceDb,
    accounts,
    session,
    story,
    clock,
    first,
    refuseOpening,
    hang,
    remove,
  }
}

/** Waits for what needs the clock to move, which it does where the databases have nothing to do. */
async function within(clock: FakeClock, work: Promise<void>): Promise<void> {
  const progress = { isOver: false }
  const end = (): unknown => (progress.isOver = true)
  void work.then(end, end)
  for (let turn = 1; !progress.isOver; turn += 1) {
    await new Promise((resolve) => setImmediate(resolve))
    if (turn % 100 === 0) await clock.advance(500)
  }
  await work
}

it('SAF-04 goes on with an empty database when the account is deleted under the page, and says so', async () => {
  const { accounts, session, story, first, remove } = await openPage()
  await remove()
  await accounts.follow(session)
  expect(story).toEqual(['worker ended', 'outbox ended', 'deleted'])
  expect(accounts.current()).not.toBe(first)
  expect(await accounts.current()?.db.uploads.count()).toBe(0)
})

it('tries again while the browser still deletes, and refuses a new database', async () => {
  const { accounts, session, story, clock, refuseOpening, remove } = await openPage()
  refuseOpening(2)
  await remove()
  await within(clock, accounts.follow(session))
  expect(story).toEqual(['worker ended', 'outbox ended', 'deleted'])
})

it.each<readonly [string, readonly Fault[]]>([
  ['leaves without an answer', ['no answer', 'no answer']],
  ['refuses', ['refused', 'refused', 'no answer']],
])(
  'SAF-04 goes on where the browser %s what opens the database of the device',
  async (_words, answers) => {
    const { device, faults } = newFaultyDevice('onecut-device')
    const { accounts, session, story, clock, deviceDb, remove } = await openPage(device)
    faults.push(...answers)
    // As a browser does that deletes the data of the site.
    forceCloseDatabase(deviceDb.backendDB() as unknown as FakeDatabase)
    await remove()
    await within(clock, accounts.follow(session))
    expect(story).toEqual(['worker ended', 'outbox ended', 'deleted'])
    expect([faults, await readLastUserId(deviceDb)]).toEqual([[], USER_ID])
  },
)

it('SAF-04 says so as well where a worker has made the new database first', async () => {
  const { accounts, session, story, clock, device, refuseOpening, remove } = await openPage()
  refuseOpening(1)
  await remove()
  const workers = await openAccountDb(USER_ID, device)
  await within(clock, accounts.follow(session))
  expect([workers.isNew, accounts.current()?.db.isNew]).toEqual([true, false])
  expect(story).toContain('deleted')
})

it('opens the account again without a word where only the connection was lost', async () => {
  const { accounts, session, story, first } = await openPage()
  // As a browser does that lost its disk for a moment.
  if (first !== null) forceCloseDatabase(first.db.backendDB() as unknown as FakeDatabase)
  await accounts.follow(session)
  expect(story).toEqual(['worker ended', 'outbox ended'])
  expect(await accounts.current()?.db.uploads.count()).toBe(1)
})

it.each(['worker', 'outbox'] as const)(
  'SAF-04 goes on after a limit when the %s does not answer that it has ended',
  async (silent) => {
    const { accounts, session, story, clock, hang, remove } = await openPage()
    hang(silent)
    await remove()
    await within(clock, accounts.follow(session))
    expect(story.at(-1)).toBe('deleted')
    expect(await accounts.current()?.db.uploads.count()).toBe(0)
  },
)

it('SAF-04 does not say that data was deleted when the session ends in the visit that made it', async () => {
  const { jar, accounts, session, story, first } = await openPage()
  expect(first?.db.isNew).toBe(true)
  jar.cookies = ''
  session.refresh()
  await accounts.follow(session)
  expect(session.current().kind).toBe('ended')
  expect(story).not.toContain('deleted')
  // The unfinished upload waits for the account.
  expect(accounts.current()).toBe(first)
})

it('SAF-04 says so as well where the cookies were deleted too, so that the session has ended', async () => {
  const { jar, accounts, session, story, remove } = await openPage()
  jar.cookies = ''
  await remove()
  await accounts.follow(session)
  expect([session.current().kind, accounts.current()]).toEqual(['ended', null])
  expect(story).toContain('deleted')
})
