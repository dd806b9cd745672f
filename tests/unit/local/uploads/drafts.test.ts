import 'fake-indexeddb/auto'
import { afterEach, beforeEach, expect, it } from 'vitest'
import {
  clearLeftDrafts,
  findLeftDrafts,
  forgetDraft,
  ownDraft,
} from '#src/local/uploads/page/drafts.ts'
import { openAccountDb, type AccountDb } from '#src/local/db/account-db.ts'
import type { UploadRow } from '#src/local/db/rows.ts'
import { createIds } from '#src/lib/ids.ts'
import { fakeUploadRow } from '#tests/fakes/fake-rows.ts'
import { createFakeLocks } from '#tests/fakes/upload-locks.ts'

let db: AccountDb
beforeEach(async () => {
  db = await openAccountDb(`user-${createIds().uuid()}`)
})
afterEach(async () => {
  await db.delete()
})

const page = { isDead: false }
const locks = createFakeLocks()
const names = async (): Promise<readonly string[]> =>
  (await findLeftDrafts(db, locks.of(page))).map(({ id }) => id)

/**
 * Adds a row with this id. The handle is a plain object, because tests have no handles from a
 * browser.
 */
async function add(
  id: string,
  hasHandle: boolean,
  changes: Partial<UploadRow> = {},
): Promise<void> {
  await db.uploads.add(fakeUploadRow({ id, state: { kind: 'draft' }, ...changes }))
  const handle: unknown = { name: id }
  if (hasHandle) await db.handles.add({ uploadId: id, handle: handle as FileSystemFileHandle })
}

it('UPL-07 a draft belongs to its page, and is left once that page has gone', async () => {
  const other = { isDead: false }
  await ownDraft(locks.of(other), 'owned', new AbortController().signal)
  await add('owned', true)
  expect(await names()).toEqual([])
  other.isDead = true
  locks.crash(other)
  expect(await names()).toEqual(['owned'])
})

it('UPL-07 a left draft with a handle comes back, newest first; one that nothing can continue is cleared', async () => {
  await add('old', true, { createdAtEpochMs: 1 })
  await add('new', true, { createdAtEpochMs: 2 })
  await add('no-handle', false)
  await add('logo', true, { createdAtEpochMs: 3, purpose: 'media-asset' })
  await add('begun', false, { state: { kind: 'uploading' } })
  const mine = new AbortController()
  await ownDraft(locks.of(page), 'here', mine.signal)
  await add('here', false)
  expect(await names()).toEqual(['logo', 'new', 'old'])
  await clearLeftDrafts(db, locks.of(page))
  expect((await db.uploads.toCollection().primaryKeys()).toSorted()).toEqual([
    'begun',
    'here',
    'logo',
    'new',
    'old',
  ])
  expect(await db.handles.count()).toBe(3)
  mine.abort()
})

it('UPL-07 forgetting a draft does nothing to an upload that has begun', async () => {
  await add('draft', true)
  await add('begun', true, { state: { kind: 'queued' } })
  await forgetDraft(db, 'draft')
  await forgetDraft(db, 'begun')
  expect(await db.uploads.toCollection().primaryKeys()).toEqual(['begun'])
  expect(await db.handles.toCollection().primaryKeys()).toEqual(['begun'])
})
