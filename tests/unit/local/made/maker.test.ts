import { expect, it } from 'vitest'
import { createFakeClock } from '#tests/fakes/fake-clock.ts'
import { createFakeFiles } from '#tests/fakes/fake-files.ts'
import { newDevice, openTestDb, USER_ID } from '#tests/fakes/fake-db.ts'
import { createFakeLocks } from '#tests/fakes/upload-locks.ts'
import { probe } from '#tests/fixtures/probes.ts'
import { accountFolder } from '#src/local/db/account-files.ts'
import { FACTS, writeFact } from '#src/local/db/facts.ts'
import { silentLog } from '#src/lib/log.ts'
import { err, ok, type Result } from '#src/lib/result.ts'
import { createMaker, type MakerDeps, type MakeWish } from '#src/local/made/maker.ts'
import type { MadeFile, MakeFailure, MakeProgress } from '#src/local/made/make.ts'

const NOW = 1_790_000_000_000
const DAY = 86_400_000
const FILE: MadeFile = {
  fileName: 'beach-teaser.mp4',
  contentType: 'video/mp4',
  blob: new Blob(['film']),
}
const wish: MakeWish = {
  slug: 'teaser-15s',
  payload: undefined,
  video: { uploadId: 'u', source: probe(), open: async () => ok(new File(['a'], 'beach.mp4')) },
  videoName: 'beach.mp4',
  editName: '15s Teaser',
  againId: null,
}
type Answer = Result<readonly MadeFile[], MakeFailure>

async function createWorld(changes: Partial<MakerDeps> = {}) {
  const db = await openTestDb(newDevice())
  const files = createFakeFiles()
  const locks = createFakeLocks()
  const begun: { readonly id: string; readonly answer: (answer: Answer) => void }[] = []
  const progress: ((progress: MakeProgress) => void)[] = []
  let count = 0
  await writeFact(
    db,
    FACTS.me,
    {
      user: { _id: USER_ID, email: 'a@b.c', permissions: [], createdAt: '' },
      flags: {
        isInTrial: true,
        trialEndsAt: new Date(NOW + DAY).toISOString(),
        hasActiveSubscription: false,
      },
    },
    NOW,
  )
  const pageMaker = (page: object) =>
    createMaker({
      media: {
        make: (_file, _request, { id }, onProgress) => {
          progress.push(onProgress)
          return new Promise((answer) => begun.push({ id, answer }))
        },
        cancel: (id) =>
          begun.find((each) => each.id === id)?.answer(err({ code: 'probe/cancelled' })),
      },
      account: () => ({ userId: USER_ID, db }),
      files: files.open,
      storage: {},
      locks: locks.of(page),
      ids: { uuid: () => `made-${(count += 1)}` },
      clock: createFakeClock(NOW),
      log: silentLog,
      ...changes,
    })
  const page = {}
  const stored = async () => {
    const folder = await accountFolder(files.open, USER_ID, 'made')
    const names: string[] = []
    for await (const { name } of folder.values()) names.push(name)
    return names
  }
  return { db, locks, page, pageMaker, maker: pageMaker(page), begun, progress, stored }
}

it('NOW-06 what a device made is a row with its files, also for a page that opens later', async () => {
  const { db, maker, pageMaker, begun, progress, stored } = await createWorld()
  expect(await maker.start(wish)).toEqual(ok('made-1'))
  progress[0]?.({ share: 0.5, passage: 3, passages: 6 })
  expect(maker.current()).toEqual({
    id: 'made-1',
    progress: { share: 0.5, passage: 3, passages: 6 },
  })
  begun[0]?.answer(ok([FILE, { ...FILE, fileName: 'second.gif' }]))
  await expect.poll(() => maker.current()).toBe(null)
  const row = await db.madeFiles.get('made-1')
  expect(row).toMatchObject({
    uploadId: 'u',
    slug: 'teaser-15s',
    state: {
      kind: 'ready',
      files: [
        { fileName: 'beach-teaser.mp4', sizeBytes: 4 },
        { fileName: 'second.gif', sizeBytes: 4 },
      ],
    },
  })
  if (row === undefined) throw new Error('no row')
  const later = pageMaker({})
  expect(await (await later.open(row, 0))?.text()).toBe('film')
  await later.remove('made-1')
  expect([await db.madeFiles.count(), await stored()]).toEqual([0, []])
})

it('PHO-05 names its files plainly where the account chose that', async () => {
  const id = '0198c6b2-1111-7000-8000-00000000019c'
  const { db, maker, begun } = await createWorld({ ids: { uuid: () => id } })
  await writeFact(db, FACTS.profile, { profession: null, discreet: true }, NOW)
  await maker.start(wish)
  begun[0]?.answer(ok([FILE]))
  await expect.poll(() => maker.current()).toBe(null)
  expect((await db.madeFiles.get(id))?.state).toMatchObject({
    files: [{ fileName: 'clip-0412-1.mp4' }],
  })
})

it('NOW-06 one edit is made at a time in all tabs', async () => {
  const { maker, pageMaker, begun } = await createWorld()
  await maker.start(wish)
  expect(await maker.start(wish)).toEqual(err({ code: 'made/busy' }))
  expect(await pageMaker({}).start(wish)).toEqual(err({ code: 'made/busy' }))
  expect(begun).toHaveLength(1)
})

it('NOW-06 what is given up leaves neither row nor file, and a sign-out waits for that', async () => {
  const { db, maker, stored } = await createWorld()
  await maker.start(wish)
  await maker.stop()
  expect([maker.current(), await db.madeFiles.count(), await stored()]).toEqual([null, 0, []])
})

it('NOW-06 an edit that a page left in the middle was not finished, and can be made again', async () => {
  const { db, locks, page, pageMaker, maker, begun, stored } = await createWorld()
  await maker.start(wish)
  const folder = await stored()
  expect(folder).toEqual([])
  const other = pageMaker({})
  const settled = other.settle(new AbortController().signal)
  locks.crash(page)
  await settled
  const state = { kind: 'failed', code: 'made/unfinished' }
  expect(await db.madeFiles.get('made-1')).toMatchObject({ state })

  expect(await other.start({ ...wish, againId: 'made-1' })).toEqual(ok('made-1'))
  begun[1]?.answer(ok([FILE]))
  await expect.poll(() => other.current()).toBe(null)
  expect((await db.madeFiles.toArray()).map((row) => row.state.kind)).toEqual(['ready'])
})

it('NOW-06 files that the browser removed are noted as gone', async () => {
  const files = createFakeFiles()
  const { db, maker, begun } = await createWorld({ files: files.open })
  await maker.start(wish)
  begun[0]?.answer(ok([FILE]))
  await expect.poll(() => maker.current()).toBe(null)
  await files.root.removeEntry('accounts', { recursive: true })
  const row = await db.madeFiles.get('made-1')
  if (row === undefined) throw new Error('no row')
  expect(await maker.open(row, 0)).toBe(null)
  expect(await db.madeFiles.get('made-1')).toMatchObject({ state: { kind: 'gone' } })
  // In the trial too: it is the same edit.
  expect(await maker.start({ ...wish, againId: 'made-1' })).toEqual(ok('made-1'))
})

it('NOW-06 a full disk is told before the start where the browser knows it, else at the end', async () => {
  const estimate = async () => ({ quota: 1_000_000, usage: 0 })
  const full = await createWorld({ storage: { estimate } })
  expect(await full.maker.start(wish)).toMatchObject({
    ok: false,
    error: { code: 'made/no-room', missingBytes: expect.any(Number) },
  })
  expect(full.begun).toHaveLength(0)

  const files = createFakeFiles()
  const { db, maker, begun } = await createWorld({ files: files.open })
  await maker.start(wish)
  const folder = await accountFolder(files.open, USER_ID, 'made')
  folder.getDirectoryHandle = () => Promise.reject(new DOMException('', 'QuotaExceededError'))
  begun[0]?.answer(ok([FILE]))
  await expect.poll(() => maker.current()).toBe(null)
  const state = { kind: 'failed', code: 'made/no-space' }
  expect(await db.madeFiles.get('made-1')).toMatchObject({ state })
})

it('NOW-06 a trial has one edit of the device, also when it was removed', async () => {
  const { maker, begun } = await createWorld()
  await maker.start(wish)
  begun[0]?.answer(ok([FILE]))
  await expect.poll(() => maker.current()).toBe(null)
  await maker.remove('made-1')
  expect(await maker.start(wish)).toEqual(err({ code: 'made/no-right', right: 'trial-used' }))
})

it('NOW-06 a failure keeps its reason and no file', async () => {
  const { db, maker, begun } = await createWorld()
  await maker.start(wish)
  begun[0]?.answer(err({ code: 'make/codec-failed' }))
  await expect.poll(() => maker.current()).toBe(null)
  const state = { kind: 'failed', code: 'make/codec-failed' }
  expect(await db.madeFiles.get('made-1')).toMatchObject({ state })
})

it('NOW-06 a video that cannot be read is told before anything is written', async () => {
  const { db, maker } = await createWorld()
  const video = { ...wish.video, open: async () => err({ code: 'preview/no-file' } as const) }
  expect(await maker.start({ ...wish, video })).toEqual(err({ code: 'preview/no-file' }))
  expect(await db.madeFiles.count()).toBe(0)
})
