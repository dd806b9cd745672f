import { expect, onTestFinished, test, vi } from 'vitest'
import { createFakeClock } from '#tests/fakes/fake-clock.ts'
import { newDevice, openTestDb, USER_ID } from '#tests/fakes/fake-db.ts'
import { fakeUploadRow } from '#tests/fakes/fake-rows.ts'
import { lockWhenAway, untilNothingRuns } from '#src/app/lock/follow-lock.ts'
import { MINUTE_MS } from '#src/lib/time.ts'
import { createSettable } from '#src/lib/subscribable.ts'
import { writeAppLock } from '#src/local/db/app-lock.ts'
import { openDeviceDb } from '#src/local/db/device-db.ts'
import { newDataKey, sealKeysOf } from '#src/local/db/seal.ts'

class FakeDocument extends EventTarget {
  visibilityState: DocumentVisibilityState = 'visible'
  show(state: DocumentVisibilityState): void {
    this.visibilityState = state
    this.dispatchEvent(new Event('visibilitychange'))
  }
}

const some = new Uint8Array(32)

/** A page with an app lock of five minutes. */
async function createWorld() {
  const clock = createFakeClock()
  const deviceDb = await openDeviceDb(newDevice())
  onTestFinished(() => deviceDb.close())
  await writeAppLock(deviceDb, USER_ID, {
    credentialId: some,
    salt: some,
    nonce: some,
    wrapped: some,
    lockAfterMs: 5 * MINUTE_MS,
    state: 'sealed',
  })
  const now = vi.fn()
  const keys = await sealKeysOf(newDataKey())
  const document = new FakeDocument()
  const reveal = vi.fn()
  const account = () => ({ userId: USER_ID, db: { keys }, hidden: { reveal } })
  lockWhenAway({ account, clock, deviceDb, lock: { now } } as never, document as never)
  // The choice is read before the page is hidden.
  await vi.waitFor(async () => {
    document.show('hidden')
    await clock.advance(5 * MINUTE_MS)
    expect(now).toHaveBeenCalled()
  })
  document.show('visible')
  now.mockClear()
  reveal.mockClear()
  return { clock, document, now, reveal }
}

test('PHO-06 hidden scenes that a page shows are hidden as soon as it is out of sight', async () => {
  const { document, reveal } = await createWorld()
  document.show('visible')
  expect(reveal).not.toHaveBeenCalled()
  document.show('hidden')
  expect(reveal.mock.calls).toEqual([[false]])
})

test('PHO-06 the app locks itself when it was out of sight for as long as was chosen, and not before', async () => {
  const { clock, document, now } = await createWorld()
  document.show('hidden')
  await clock.advance(4 * MINUTE_MS)
  document.show('visible')
  await clock.advance(5 * MINUTE_MS)
  expect(now, 'it was away for less, twice in sight').not.toHaveBeenCalled()
  document.show('hidden')
  await clock.advance(5 * MINUTE_MS)
  expect(now).toHaveBeenCalledTimes(1)
})

test('PHO-06 a page that locks itself begins again only after what it sends and makes has ended', async () => {
  const db = await openTestDb()
  const row = fakeUploadRow({ state: { kind: 'uploading' } })
  await db.uploads.add(row)
  const making = createSettable<{ readonly id: string } | null>({ id: 'm' })
  let isIdle = false
  const idle = untilNothingRuns({ account: () => ({ db }) } as never, making as never).then(() => {
    isIdle = true
  })
  await db.uploads.update(row.id, { state: { kind: 'verifying' } })
  expect(await db.uploads.filter(({ state }) => state.kind === 'uploading').count()).toBe(0)
  expect(isIdle).toBe(false)
  making.become(null)
  await idle
  db.close()
})

test('PHO-06 a page that locks itself does not take a failed look for an end, but a closed account', async () => {
  const db = await openTestDb()
  const count = vi.spyOn(db.paymentIntents, 'count').mockRejectedValue(new Error('busy'))
  const making = createSettable<{ readonly id: string } | null>(null)
  const ended = vi.fn()
  const idle = untilNothingRuns({ account: () => ({ db }) } as never, making as never).then(ended)
  await expect.poll(() => count).toHaveBeenCalled()
  await db.uploads.count()
  expect(ended).not.toHaveBeenCalled()
  db.close({ disableAutoOpen: true })
  await idle
  expect(ended).toHaveBeenCalled()
})
