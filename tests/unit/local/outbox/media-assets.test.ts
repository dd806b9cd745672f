import { expect, it } from 'vitest'
import { createFakeApi, problem } from '#tests/fakes/fake-api.ts'
import { createFakeClock } from '#tests/fakes/fake-clock.ts'
import { openTestDb } from '#tests/fakes/fake-db.ts'
import { createFakeLocks } from '#tests/fakes/fake-locks.ts'
import { fakeMediaAsset, fakeUploadRow, idOf } from '#tests/fakes/fake-rows.ts'
import { optionsDraftKey, readOptionsDraft } from '#src/local/db/form-drafts.ts'
import {
  discardIntention,
  enqueueAbort,
  enqueueAssetDeletion,
  enqueueAssetName,
} from '#src/local/outbox/commands.ts'
import { drainOutbox } from '#src/local/outbox/outbox.ts'
import { mediaAssets } from '#src/local/nouns/media-assets.ts'
import { createIds } from '#src/lib/ids.ts'
import { silentLog } from '#src/lib/log.ts'

const DRAFT = { slug: 'tube-cut', fields: { minutes: 3 }, end: 'intro', uploadId: null }

async function createWorld() {
  const api = createFakeApi()
  const clock = { ...createFakeClock(), sleep: () => Promise.resolve() }
  const db = await openTestDb()
  const deps = {
    api: api.client,
    db,
    clock,
    ids: createIds(),
    random: () => 0.5,
    locks: createFakeLocks(),
    log: silentLog,
    isVisible: () => true,
  }
  await db.uploads.add(
    fakeUploadRow({ id: 'intro', purpose: 'media-asset', uploadRequestId: idOf(41) }),
  )
  api.routes.set('POST /v1/media-assets', () =>
    Response.json({ mediaAsset: fakeMediaAsset({ format: null }) }, { status: 201 }),
  )
  const finish = () => db.uploads.update('intro', { state: { kind: 'done', doneAtEpochMs: 1 } })
  return { api, db, deps, finish, lines: () => api.requests.map(({ line }) => line) }
}

it('AST-03 an asset gets its name once its file is there, however often the answer is lost', async () => {
  const { api, db, deps, finish, lines } = await createWorld()
  const key = optionsDraftKey('/uploads/one/media-jobs/new')
  await db.drafts.put({ key, value: { ...DRAFT, mediaAssetId: null }, updatedAtEpochMs: 1 })
  await db.drafts.put({ key: 'asset-name:intro', value: 'Opening lo', updatedAtEpochMs: 1 })
  await enqueueAssetName(deps, { uploadId: 'intro', name: 'Opening', draftKey: null })
  await enqueueAssetName(deps, { uploadId: 'intro', name: 'Opening logo', draftKey: key })
  expect(await db.outbox.count()).toBe(1)
  expect(await db.drafts.get('asset-name:intro')).toBeUndefined()
  expect(await drainOutbox(deps)).toBe(Infinity)
  expect(lines()).toEqual([])
  await finish()
  api.faults.push('lost-after')
  const next = await drainOutbox(deps)
  await drainOutbox({ ...deps, clock: { ...deps.clock, now: () => next } })
  expect(lines()).toEqual(['POST /v1/media-assets', 'POST /v1/media-assets'])
  expect(new Set(api.requests.map((request) => request.key)).size).toBe(1)
  expect(await db.outbox.count()).toBe(0)
  expect((await db.mediaAssets.toArray()).map(({ value }) => value.name)).toEqual(['Opening logo'])
  expect((await db.uploads.get('intro'))?.state.kind).toBe('discarded')
  expect(await readOptionsDraft(db, '/uploads/one/media-jobs/new')).toMatchObject({
    fields: { minutes: 3 },
    uploadId: 'intro',
    mediaAssetId: idOf(40),
  })
})

it('AST-03 the name of a file that was given up goes with it; of one that failed it waits', async () => {
  const { db, deps, lines } = await createWorld()
  await enqueueAssetName(deps, { uploadId: 'intro', name: 'Opening', draftKey: null })
  await db.uploads.update('intro', {
    state: { kind: 'failed', code: 'upload/refused', message: null },
  })
  expect(await drainOutbox(deps)).toBe(Infinity)
  expect(await db.outbox.count()).toBe(1)
  await db.uploads.delete('intro')
  await drainOutbox(deps)
  expect([await db.outbox.count(), lines()]).toEqual([0, []])
})

it('AST-04 an asset can be kept for 5 s after its deletion, then it goes here and there', async () => {
  const { api, db, deps, lines } = await createWorld()
  await db.mediaAssets.put(mediaAssets.toRow(fakeMediaAsset(), 1))
  await discardIntention(db, await enqueueAssetDeletion(deps, idOf(40)))
  await enqueueAssetDeletion(deps, idOf(40))
  const next = await drainOutbox(deps)
  expect([next - deps.clock.now(), lines()]).toEqual([5000, []])
  const later = { ...deps, clock: { ...deps.clock, now: () => next } }
  api.routes.set(`DELETE /v1/media-assets/${idOf(40)}`, () => problem(409, 'media-assets/in-use'))
  await drainOutbox(later)
  expect((await db.outbox.toArray()).map(({ state }) => state)).toMatchObject([
    { kind: 'refused', code: 'media-assets/in-use' },
  ])
  expect(await db.mediaAssets.count()).toBe(1)
  await db.outbox.clear()
  api.routes.set(`DELETE /v1/media-assets/${idOf(40)}`, () =>
    problem(404, 'media-assets/not-found'),
  )
  await enqueueAssetDeletion({ ...deps, clock: { now: () => 0 } }, idOf(40))
  await drainOutbox(later)
  expect([await db.outbox.count(), await db.mediaAssets.count()]).toEqual([0, 0])
})

it('SAF-04 a file that has arrived is discarded with its name, unless that is taken back', async () => {
  const { db, deps, finish, lines } = await createWorld()
  await finish()
  const discard = await enqueueAbort(deps, idOf(41))
  await enqueueAssetName(deps, { uploadId: 'intro', name: 'Opening logo', draftKey: null })
  const next = await drainOutbox(deps)
  expect([await db.outbox.count(), lines()]).toEqual([2, []])
  const later = { ...deps, clock: { ...deps.clock, now: () => next } }
  await drainOutbox(later)
  await drainOutbox(later)
  expect(lines()).toEqual([`DELETE /v1/upload-requests/${idOf(41)}`])
  expect(await db.outbox.get(discard)).toBeUndefined()
  expect((await db.uploads.get('intro'))?.state.kind).toBe('discarded')
  expect(await db.outbox.count()).toBe(0)
})
