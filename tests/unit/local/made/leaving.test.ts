import { expect, it } from 'vitest'
import { createFakeClock } from '#tests/fakes/fake-clock.ts'
import { createFakeFiles } from '#tests/fakes/fake-files.ts'
import { newDevice, openTestDb, USER_ID } from '#tests/fakes/fake-db.ts'
import { fakeMadeFileRow } from '#tests/fakes/fake-rows.ts'
import { openDeviceDb } from '#src/local/db/device-db.ts'
import { wipeAccount } from '#src/local/db/wipe.ts'
import { createMadeBytes } from '#src/local/made/made-bytes.ts'
import { leaveBehind, wipeForgottenAccounts } from '#src/local/session/waiting-accounts.ts'
import { DAY_MS } from '#src/lib/time.ts'

async function createWorld() {
  const device = newDevice()
  const deviceDb = await openDeviceDb(device)
  const files = createFakeFiles()
  const clock = createFakeClock()
  const bytes = createMadeBytes(files.open, USER_ID, null)
  const db = await openTestDb(device)
  const row = fakeMadeFileRow()
  await db.madeFiles.put(row)
  await bytes.write(row.id, [
    { fileName: 'beach-teaser.mp4', contentType: 'video/mp4', blob: new Blob(['film']) },
  ])
  await bytes.writePiece('half', 'k.passage-1', new Blob(['one']))
  await db.drafts.put({ key: 'attested', value: 'x', updatedAtEpochMs: 1 })
  const left = async () => {
    const again = await openTestDb(device)
    const rows = [await again.madeFiles.count(), await again.drafts.count()]
    again.close()
    const folder = await (await files.open()).getDirectoryHandle('accounts', { create: true })
    const accounts: string[] = []
    for await (const { name } of folder.values()) accounts.push(name)
    return { rows, accounts }
  }
  const deps = { deviceDb, clock, caches: null, files: files.open, dbOptions: device }
  return { deps, clock, db, bytes, row, left }
}

it('NOW-06 PHO-08 a sign-out leaves no row and no byte of what this device made', async () => {
  const { deps, db, left } = await createWorld()
  expect(await wipeAccount(deps, USER_ID, db)).toMatchObject({ ok: true })
  expect(await left()).toEqual({ rows: [0, 0], accounts: [] })
})

it('NOW-06 what only this device has waits for its account as unfinished work does, 8 days at most', async () => {
  const { deps, clock, db, bytes, row, left } = await createWorld()
  await leaveBehind(deps, USER_ID, db)
  await clock.advance(7 * DAY_MS)
  await wipeForgottenAccounts(deps, null)
  expect(await (await bytes.open(row.id, 0, 4))?.text()).toBe('film')
  expect(await left()).toEqual({ rows: [1, 0], accounts: [USER_ID] })
  await clock.advance(2 * DAY_MS)
  await wipeForgottenAccounts(deps, null)
  expect(await left()).toEqual({ rows: [0, 0], accounts: [] })
})
