import { expect, it } from 'vitest'
import { createFakeApi } from '#tests/fakes/fake-api.ts'
import { createFakeChannelPorts } from '#tests/fakes/fake-channel.ts'
import { createFakeClock } from '#tests/fakes/fake-clock.ts'
import { newDevice, openTestDb, USER_ID } from '#tests/fakes/fake-db.ts'
import { createFakeFiles } from '#tests/fakes/fake-files.ts'
import { fakeMediaJob, fakeUploadRow, idOf } from '#tests/fakes/fake-rows.ts'
import { createChannel } from '#src/local/channel/channel.ts'
import { openAccountDb } from '#src/local/db/account-db.ts'
import { accountFolder, namesIn } from '#src/local/db/account-files.ts'
import {
  hasPendingLogout,
  openDeviceDb,
  readLastUserId,
  readLeftUploads,
  readPendingWipes,
  readWaitingAccounts,
  writeLastUserId,
  writeWaitingAccount,
} from '#src/local/db/device-db.ts'
import { mediaJobToRow } from '#src/local/db/to-rows.ts'
import { wipeAccount } from '#src/local/db/wipe.ts'
import { createAccounts } from '#src/local/session/accounts.ts'
import { createSession } from '#src/local/session/session.ts'
import {
  cleanUpEndedSession,
  finishSignOuts,
  signOut,
  type SignOutDeps,
} from '#src/local/session/sign-out.ts'
import { silentLog } from '#src/lib/log.ts'
import { DAY_MS } from '#src/lib/time.ts'
import { webCryptoDigest } from '#src/local/uploads/file/hash.ts'
import { expectNoise } from '#tests/setup/fail-on-noise.ts'

async function createWorld() {
  const device = newDevice()
  const api = createFakeApi()
  const jar = {
    cookies: `editorUserAuthJwt=h.${Buffer.from(JSON.stringify({ user: { _id: USER_ID, email: 'a@b.c', permissions: [] } })).toString('base64url')}.s`,
  }
  const clock = createFakeClock()
  const channel = createChannel({ port: createFakeChannelPorts()(), log: silentLog })
  const session = createSession({ readCookies: () => jar.cookies, channel })
  const deviceDb = await openDeviceDb(device)
  await writeLastUserId(deviceDb, USER_ID)
  const story: string[] = []
  const pushesEnded: string[] = []
  const deps: SignOutDeps = {
    api: api.client,
    session,
    channel,
    deviceDb,
    log: silentLog,
    digest: webCryptoDigest,
    wipe: { deviceDb, clock, caches: null, files: null, dbOptions: device },
    writeCookie: (assignment) => {
      if (assignment.includes('Max-Age=0')) jar.cookies = ''
    },
    endPushes: () => {
      pushesEnded.push(`${api.requests.length} requests sent`)
      return Promise.resolve()
    },
    stops: () => [
      () => {
        story.push(`worker ended, ${api.requests.length} requests sent`)
        return Promise.resolve()
      },
    ],
  }
  const db = await openTestDb(device)
  await db.mediaJobs.put(mediaJobToRow(fakeMediaJob(), 1))
  await db.drafts.put({ key: 'form', value: 'half a sentence', updatedAtEpochMs: 1 })
  return { device, api, jar, clock, session, deviceDb, deps, db, story, pushesEnded }
}

async function rowsLeft(device: ReturnType<typeof newDevice>): Promise<number> {
  const db = await openTestDb(device)
  const counts = await Promise.all(db.tables.map((table) => table.count()))
  db.close()
  return counts.reduce((sum, count) => sum + count, 0)
}

it('AUT-07 signing out ends workers first, tells the server and leaves nothing on the device', async () => {
  const { device, api, deps, db, story, session, deviceDb } = await createWorld()
  expect(await signOut(deps, USER_ID, db)).toEqual({ ok: true, value: undefined })
  expect(story).toEqual(['worker ended, 0 requests sent'])
  expect(api.requests).toEqual([{ line: 'DELETE /v1/auth/logout', key: null, xsrf: 'xsrf-value' }])
  expect(session.current().kind).toBe('signed-out')
  expect([
    await readLastUserId(deviceDb),
    await hasPendingLogout(deviceDb),
    await rowsLeft(device),
  ]).toEqual([null, false, 0])
})

it('AUT-07 signing out offline wipes at once and tells the server at the next start', async () => {
  const { device, api, deps, db, session, deviceDb } = await createWorld()
  api.faults.push('lost-before')
  await signOut(deps, USER_ID, db)
  expect([
    session.current().kind,
    await hasPendingLogout(deviceDb),
    await rowsLeft(device),
  ]).toEqual(['signed-out', true, 0])
  await finishSignOuts(deps)
  expect(api.requests.map((request) => request.line)).toEqual(['DELETE /v1/auth/logout'])
  expect(await hasPendingLogout(deviceDb)).toBe(false)
})

it('PHO-08 signing out ends messages to the device before anything is sent, also offline', async () => {
  const { api, deps, db, pushesEnded } = await createWorld()
  api.faults.push('lost-before')
  await signOut(deps, USER_ID, db)
  expect(pushesEnded).toEqual(['0 requests sent'])
})

it('PHO-08 signing out ends what the browser gets for the account when its rows have gone, also offline', async () => {
  const { api, deps, db } = await createWorld()
  const ended: unknown[] = []
  const endDownloads = async (userId: string) => void ended.push([userId, db.isOpen()])
  api.faults.push('lost-before')
  await signOut({ ...deps, wipe: { ...deps.wipe, endDownloads } }, USER_ID, db)
  expect(ended).toEqual([[USER_ID, false]])
})

it('PHO-08 kept files leave the device before the server is told, however late it answers', async () => {
  const { api, deps, db } = await createWorld()
  const files = createFakeFiles()
  const kept = await accountFolder(files.open, USER_ID, 'kept')
  await kept.getFileHandle('a', { create: true })
  await db.keptFiles.put({
    outputId: 'a',
    taskId: idOf(1),
    mediaJobId: idOf(2),
    fileName: 'teaser.mp4',
    contentType: 'video/mp4',
    sizeBytes: 1,
    state: 'kept',
    gotBytes: 1,
    queuedAtEpochMs: 1,
    lastOpenedAtEpochMs: 1,
  })
  const left: unknown[] = []
  api.routes.set('DELETE /v1/auth/logout', async () => {
    left.push(await db.keptFiles.count(), await namesIn(kept))
    return new Response(null, { status: 204 })
  })
  await signOut({ ...deps, wipe: { ...deps.wipe, files: files.open } }, USER_ID, db)
  expect(left).toEqual([0, []])
})

it('a sign-in since the offline sign-out is not signed out by it', async () => {
  const { api, deps, db, session, jar, deviceDb } = await createWorld()
  const cookies = jar.cookies
  api.faults.push('lost-before')
  await signOut(deps, USER_ID, db)
  jar.cookies = cookies
  session.refresh()
  await finishSignOuts(deps)
  expect([api.requests.length, await hasPendingLogout(deviceDb)]).toEqual([0, false])
})

it('another tab with the database open lets go, and the wipe goes through', async () => {
  const { device, deps, db } = await createWorld()
  const otherTab = await openTestDb(device)
  expect(await wipeAccount(deps.wipe, USER_ID, db)).toEqual({ ok: true, value: undefined })
  expect(otherTab.isOpen()).toBe(false)
  await expect(otherTab.mediaJobs.count()).rejects.toThrow()
})

it('a tab that holds on keeps no rows, and the rest is finished at the next start', async () => {
  expectNoise(/Dexie\.delete\(.*\) was blocked/)
  const { device, deps, db, deviceDb, clock } = await createWorld()
  const stubborn = await new Promise<IDBDatabase>((resolve, reject) => {
    const request = device.indexedDB.open(db.name)
    request.onsuccess = () => resolve(request.result)
    request.onerror = () => reject(request.error)
  })
  const wiping = wipeAccount(deps.wipe, USER_ID, db)
  while (
    (await Promise.race([wiping, new Promise((resolve) => setImmediate(resolve, 'waiting'))])) ===
    'waiting'
  )
    await clock.advance(1000)
  expect(await wiping).toEqual({ ok: false, error: { code: 'wipe/blocked' } })
  expect(await readPendingWipes(deviceDb)).toEqual([USER_ID])
  const count = stubborn.transaction('mediaJobs').objectStore('mediaJobs').count()
  expect(
    await new Promise((resolve) => {
      count.onsuccess = () => resolve(count.result)
    }),
  ).toBe(0)
  stubborn.close()
  await finishSignOuts(deps)
  expect(await readPendingWipes(deviceDb)).toEqual([])
})

it('a session that ended by itself leaves nothing, except work that waits for the same account', async () => {
  const idle = await createWorld()
  const stops: boolean[] = []
  const stopWork = () => Promise.resolve(void stops.push(idle.db.isOpen()))
  expect(await cleanUpEndedSession(idle.deps, USER_ID, idle.db, stopWork)).toBe('wiped')
  expect(stops).toEqual([true])
  expect(await rowsLeft(idle.device)).toBe(0)

  const busy = await createWorld()
  await busy.db.uploads.put(fakeUploadRow({ state: { kind: 'needs-auth' } }))
  expect(
    await cleanUpEndedSession(busy.deps, USER_ID, busy.db, () =>
      Promise.reject(new Error('work goes on')),
    ),
  ).toBe('work-kept')
  busy.db.close()
  expect(await rowsLeft(busy.device)).toBe(1)
})

it('WAY-04 edits that were chosen and not sent outlast a session that ended', async () => {
  const requests = [{ mediaJobTaskPresetSlug: 'teaser-15s' as const }]
  for (const [chosen, left] of [
    [requests, 'work-kept'],
    [[], 'wiped'],
  ] as const) {
    const { db, deps } = await createWorld()
    await db.selections.put({ key: idOf(2), requests: chosen, updatedAtEpochMs: 1 })
    expect(await cleanUpEndedSession(deps, USER_ID, db, () => Promise.resolve())).toBe(left)
    db.close()
  }
})

const OTHER_ID = idOf(99)

/** The device of `createWorld`, on which another account was used last. */
async function createShared() {
  const world = await createWorld()
  const { device, deps, db, deviceDb, session } = world
  db.close()
  await writeLastUserId(deviceDb, OTHER_ID)
  const opened: string[] = []
  const accounts = createAccounts({
    sealOf: async () => null,
    wipe: deps.wipe,
    deviceDb,
    log: silentLog,
    stops: new Set(),
    onDeleted: () => undefined,
    endPushes: deps.endPushes,
    open: async (userId) => {
      opened.push(userId)
      return { userId, db: await openAccountDb(userId, device), stop: () => Promise.resolve() }
    },
  })
  const other = await openAccountDb(OTHER_ID, device)
  await other.mediaJobs.put(mediaJobToRow(fakeMediaJob(), 1))
  await other.images.put({ key: 'upload-poster:a', blob: new Blob(['x']), savedAtEpochMs: 1 })
  const namesLeft = async (): Promise<readonly (string | undefined)[]> =>
    (await device.indexedDB.databases()).map(({ name }) => name)
  return { ...world, accounts, opened, other, namesLeft, enter: () => accounts.follow(session) }
}

it('PHO-08 another account that signs in, and a session that ended, end messages to the device', async () => {
  const { accounts, other, jar, session, enter, pushesEnded } = await createShared()
  other.close()
  await enter()
  expect(pushesEnded).toHaveLength(1)
  await enter()
  expect(pushesEnded, 'the account stays').toHaveLength(1)
  jar.cookies = ''
  session.refresh()
  await accounts.follow(session)
  expect(pushesEnded).toHaveLength(2)
})

it('another account that signs in wipes what the last one left, where that has no work', async () => {
  const { accounts, opened, other, deviceDb, enter, namesLeft } = await createShared()
  other.close()
  await enter()
  await enter()
  expect([opened, await readLastUserId(deviceDb), await readPendingWipes(deviceDb)]).toEqual([
    [USER_ID],
    USER_ID,
    [],
  ])
  expect(await namesLeft()).not.toContain(other.name)
  await accounts.letGo(USER_ID)
  expect(accounts.current()).toBeNull()
})

it('SAF-05 unfinished uploads wait for their account while another one is signed in', async () => {
  const { device, api, accounts, other, deviceDb, enter } = await createShared()
  const row = fakeUploadRow({ uploadRequestId: idOf(7) })
  await other.uploads.put(row)
  await other.blobs.put({ uploadId: row.id, blob: new Blob(['bytes']) })
  other.close()
  await enter()
  expect(await accounts.current()?.db.uploads.toArray()).toEqual([])
  const kept = await openAccountDb(OTHER_ID, device)
  expect(await kept.uploads.toArray()).toEqual([row])
  expect([
    await kept.blobs.count(),
    await kept.mediaJobs.count(),
    await kept.images.count(),
  ]).toEqual([1, 0, 0])
  kept.close()
  // The server is told nothing, and nothing is left that would tell it later.
  expect([api.requests, await readLeftUploads(deviceDb)]).toEqual([[], []])
  expect(await readWaitingAccounts(deviceDb)).toMatchObject([{ userId: OTHER_ID }])
})

it('SAF-05 work waits until its account signs in, and for 8 days at most', async () => {
  const { device, clock, deps, other, deviceDb, enter, accounts, namesLeft } = await createShared()
  await other.uploads.put(fakeUploadRow())
  other.close()
  await enter()
  await clock.advance(7 * DAY_MS)
  await finishSignOuts(deps)
  expect(await namesLeft()).toContain(other.name)
  await clock.advance(2 * DAY_MS)
  await finishSignOuts(deps)
  expect([await namesLeft(), await readWaitingAccounts(deviceDb)]).toEqual([
    expect.not.arrayContaining([other.name]),
    [],
  ])
  // Its owner is back in time on another day: the account that was used last waits in turn.
  const back = await openAccountDb(USER_ID, device)
  await back.uploads.put(fakeUploadRow())
  back.close()
  await accounts.letGo(USER_ID)
  await writeWaitingAccount(deviceDb, USER_ID, clock.now() - 9 * DAY_MS)
  await finishSignOuts(deps)
  await enter()
  expect([
    await accounts.current()?.db.uploads.count(),
    await readWaitingAccounts(deviceDb),
  ]).toEqual([1, []])
})
