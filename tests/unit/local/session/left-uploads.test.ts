import { expect, it } from 'vitest'
import { createFakeApi, problem } from '#tests/fakes/fake-api.ts'
import { createFakeChannelPorts } from '#tests/fakes/fake-channel.ts'
import { createFakeClock } from '#tests/fakes/fake-clock.ts'
import { newDevice, openTestDb, USER_ID } from '#tests/fakes/fake-db.ts'
import { fakeUploadRow, idOf } from '#tests/fakes/fake-rows.ts'
import { createChannel } from '#src/local/channel/channel.ts'
import { openDeviceDb, readLeftMark, readLeftUploads } from '#src/local/db/device-db.ts'
import type { UploadRow } from '#src/local/db/rows.ts'
import { abortLeftUploads } from '#src/local/session/left-uploads.ts'
import { createSession } from '#src/local/session/session.ts'
import { signOut, reportSignOuts, type SignOutDeps } from '#src/local/session/sign-out.ts'
import { webCryptoDigest } from '#src/local/uploads/file/hash.ts'
import { silentLog } from '#src/lib/log.ts'
import { DAY_MS } from '#src/lib/time.ts'

const cookieOf = (userId: string, session = 'first'): string =>
  `editorUserAuthJwt=h.${Buffer.from(JSON.stringify({ user: { _id: userId, email: 'a@b.c', permissions: [] } })).toString('base64url')}.s; XSRF-TOKEN=of-${session}`
const ABORT = `DELETE /v1/upload-requests/${idOf(7)}`
const LOGOUT = 'DELETE /v1/auth/logout'

/** A signed-in page whose account has the given uploads; the server knows the upload `idOf(7)`. */
async function createWorld(
  uploads: readonly UploadRow[] = [fakeUploadRow({ uploadRequestId: idOf(7) })],
) {
  const device = newDevice()
  const api = createFakeApi()
  api.routes.set(ABORT, () => new Response(null, { status: 204 }))
  const jar = { cookies: cookieOf(USER_ID) }
  const clock = createFakeClock()
  const channel = createChannel({ port: createFakeChannelPorts()(), log: silentLog })
  const session = createSession({ readCookies: () => jar.cookies, channel })
  const deviceDb = await openDeviceDb(device)
  const deps: SignOutDeps = {
    api: api.client,
    session,
    channel,
    deviceDb,
    log: silentLog,
    digest: webCryptoDigest,
    wipe: { deviceDb, clock, caches: null, files: null, dbOptions: device },
    // Only the readable one can be removed by the page.
    writeCookie: () => {
      jar.cookies = 'XSRF-TOKEN=of-first'
    },
    stops: () => [],
    endPushes: () => Promise.resolve(),
  }
  const db = await openTestDb(device)
  await db.uploads.bulkPut(uploads)
  const signIn = (userId: string): void => {
    jar.cookies = cookieOf(userId, 'second')
    session.refresh()
  }
  const reappear = (): void => {
    jar.cookies = cookieOf(USER_ID)
    session.refresh()
  }
  const lines = (): readonly string[] => api.requests.splice(0).map(({ line }) => line)
  const left = async (): Promise<readonly string[]> =>
    (await readLeftUploads(deviceDb)).map(({ uploadRequestId }) => uploadRequestId)
  return {
    api,
    clock,
    deviceDb,
    deps,
    db,
    signIn,
    reappear,
    lines,
    left,
    out: () => signOut(deps, USER_ID, db),
  }
}

it('UPL-07 signing out in mid-upload tells the server to give the upload up, before the session ends', async () => {
  const { out, lines, left } = await createWorld()
  await out()
  expect(lines()).toEqual([ABORT, LOGOUT])
  expect(await left()).toEqual([])
})

it('UPL-07 signed out offline, the server is told in the session that was left, as soon as it answers', async () => {
  const { api, deps, out, lines, left, reappear, deviceDb } = await createWorld()
  api.faults.push('lost-before', 'lost-before')
  await out()
  expect([lines(), await left(), await readLeftMark(deviceDb)]).toEqual([[], [idOf(7)], 'of-first'])
  // Each answer brings the readable cookie back; that is no signing in.
  api.routes.set(ABORT, () => {
    reappear()
    return new Response(null, { status: 204 })
  })
  await reportSignOuts(deps)
  expect([lines(), await left()]).toEqual([[ABORT, LOGOUT], []])
  await reportSignOuts(deps)
  expect(lines()).toEqual([])
})

it('waits for the owner where the session that was left has ended too', async () => {
  const { api, deps, out, lines, left, signIn } = await createWorld()
  api.faults.push('lost-before', 'lost-before')
  await out()
  // After each refusal the app asks again.
  api.faults.push('error-401', 'error-401', 'error-401', 'error-401')
  await reportSignOuts(deps)
  expect([lines(), await left()]).toEqual([[], [idOf(7)]])
  signIn('another-user')
  await reportSignOuts(deps)
  expect([lines(), await left()]).toEqual([[], [idOf(7)]])
  signIn(USER_ID)
  await reportSignOuts(deps)
  expect([lines(), await left()]).toEqual([[ABORT], []])
})

it('remembers nothing of the person', async () => {
  const { api, deviceDb, out } = await createWorld([
    fakeUploadRow({
      uploadRequestId: idOf(7),
      file: {
        name: 'my secret scene.mp4',
        sizeBytes: 10,
        lastModifiedEpochMs: 1,
        type: 'video/mp4',
      },
    }),
  ])
  api.faults.push('lost-before', 'lost-before')
  await out()
  const kept = JSON.stringify(await deviceDb.facts.toArray())
  expect(kept).toContain(idOf(7))
  expect(kept).not.toContain(USER_ID)
  expect(kept).not.toContain('secret')
})

it('leaves an upload alone that is part of a job, or has arrived whole', async () => {
  const states: readonly UploadRow['state'][] = [
    { kind: 'finalising' },
    { kind: 'verifying' },
    { kind: 'done', doneAtEpochMs: 1 },
    { kind: 'draft' },
  ]
  const whole = states.map((state, index) =>
    fakeUploadRow({
      id: `upload-${index}`,
      uploadRequestId: state.kind === 'draft' ? null : idOf(20 + index),
      state,
    }),
  )
  const arrived = await createWorld(whole)
  await arrived.out()
  expect(arrived.lines()).toEqual([LOGOUT])

  const ordered = await createWorld()
  ordered.api.routes.set(ABORT, () => problem(409, 'uploads/in-use'))
  await ordered.out()
  expect([ordered.lines(), await ordered.left()]).toEqual([[ABORT, LOGOUT], []])
})

it('also tells of a discard that the server has not heard of yet', async () => {
  const { db, out, lines } = await createWorld([])
  await db.outbox.add({
    id: 'abort',
    intent: { kind: 'abort-upload', uploadRequestId: idOf(7) },
    idempotencyKey: 'key',
    state: { kind: 'waiting' },
    attempt: 0,
    notBeforeEpochMs: 0,
    createdAtEpochMs: 1,
  })
  await out()
  expect(lines()).toEqual([ABORT, LOGOUT])
})

it('forgets what the server has removed by itself meanwhile', async () => {
  const { api, clock, deps, out, left } = await createWorld()
  api.faults.push('lost-before', 'lost-before')
  await out()
  await clock.advance(9 * DAY_MS)
  await abortLeftUploads({ ...deps, clock }, 'another-user')
  expect(await left()).toEqual([])
})
