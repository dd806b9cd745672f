import { forceCloseDatabase } from 'fake-indexeddb'
import { expect, it } from 'vitest'
import { createFakeChannelPorts } from '#tests/fakes/fake-channel.ts'
import { createFakeClock } from '#tests/fakes/fake-clock.ts'
import { newDevice, USER_ID } from '#tests/fakes/fake-db.ts'
import { fakeUploadRow } from '#tests/fakes/fake-rows.ts'
import { createChannel } from '#src/local/channel/channel.ts'
import { accountDbName, openAccountDb } from '#src/local/db/account-db.ts'
import { openDeviceDb } from '#src/local/db/device-db.ts'
import { FACTS, writeFact } from '#src/local/db/facts.ts'
import { createAccounts, type OpenAccount } from '#src/local/session/accounts.ts'
import { createSession } from '#src/local/session/session.ts'
import { silentLog } from '#src/lib/log.ts'

// The library's types ask for the class where it takes an object of it.
type FakeDatabase = Parameters<typeof forceCloseDatabase>[0]

/** A page with an open account, as `compose.ts` wires it. */
async function openPage() {
  const device = newDevice()
  const jar = {
    cookies: `editorUserAuthJwt=h.${Buffer.from(JSON.stringify({ user: { _id: USER_ID, email: 'a@b.c', permissions: [] } })).toString('base64url')}.s`,
  }
  const clock = createFakeClock()
  const channel = createChannel({ port: createFakeChannelPorts()(), log: silentLog })
  const session = createSession({ readCookies: () => jar.cookies, clock, channel })
  const deviceDb = await openDeviceDb(device)
  const story: string[] = []
  let refusals = 0
  const refuseOpening = (times: number): void => {
    refusals = times
  }
  const accounts = createAccounts({
    wipe: { deviceDb, clock, caches: null, dbOptions: device },
    deviceDb,
    log: silentLog,
    stops: new Set([() => Promise.resolve(void story.push('worker ended'))]),
    onDeleted: () => story.push('deleted'),
    open: async (userId): Promise<OpenAccount> => {
      refusals -= 1
      if (refusals >= 0) throw new DOMException('the data is being deleted', 'AbortError')
      const db = await openAccountDb(userId, device)
      db.whenLost(() => {
        session.refresh()
        void accounts.follow(session)
      })
      return { userId, db, stop: () => Promise.resolve(void story.push('outbox ended')) }
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
  return { jar, device, accounts, session, story, clock, first, refuseOpening, remove }
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
  const followed = accounts.follow(session)
  const turn = (): Promise<unknown> =>
    Promise.race([followed, new Promise((resolve) => setImmediate(resolve, 'waiting'))])
  while ((await turn()) === 'waiting') await clock.advance(500)
  expect(story).toEqual(['worker ended', 'outbox ended', 'deleted'])
})

it('SAF-04 says so as well where a worker has made the new database first', async () => {
  const { accounts, session, story, clock, device, refuseOpening, remove } = await openPage()
  refuseOpening(1)
  await remove()
  const workers = await openAccountDb(USER_ID, device)
  const followed = accounts.follow(session)
  const turn = (): Promise<unknown> =>
    Promise.race([followed, new Promise((resolve) => setImmediate(resolve, 'waiting'))])
  while ((await turn()) === 'waiting') await clock.advance(500)
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

it('SAF-04 says so as well where the cookies were deleted too, so that the session has ended', async () => {
  const { jar, accounts, session, story, remove } = await openPage()
  jar.cookies = ''
  await remove()
  await accounts.follow(session)
  expect([session.current().kind, accounts.current()]).toEqual(['ended', null])
  expect(story).toContain('deleted')
})
