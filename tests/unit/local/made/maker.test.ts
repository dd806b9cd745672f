import { expect, it } from 'vitest'
import { createFakeClock } from '#tests/fakes/fake-clock.ts'
import { createFakeFiles } from '#tests/fakes/fake-files.ts'
import { newDevice, openTestDb, USER_ID } from '#tests/fakes/fake-db.ts'
import { createFakeLocks } from '#tests/fakes/upload-locks.ts'
import { probe } from '#tests/fixtures/probes.ts'
import { newDataKey, sealKeysOf } from '#src/local/db/seal.ts'
import { createMadeBytes } from '#src/local/made/made-bytes.ts'
import { accountFolder } from '#src/local/db/account-files.ts'
import { FACTS, writeFact } from '#src/local/db/facts.ts'
import { silentLog } from '#src/lib/log.ts'
import { err, ok, type Result } from '#src/lib/result.ts'
import { createMaker } from '#src/local/made/maker.ts'
import type { MakerDeps, MakeWish } from '#src/local/made/making.ts'
import type {
  MadeFile,
  MakeFailure,
  MakeOptions,
  MakePieces,
  MakeProgress,
  MakeRequest,
  PieceStand,
} from '#src/local/made/make.ts'

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

/** What a worker was asked for. */
interface Begun {
  readonly request: MakeRequest
  readonly options: MakeOptions
  readonly pieces: MakePieces
  readonly answer: (answer: Answer) => void
}

/** How far an edit of six passages is with one of them. */
const standAt = (passage: number): PieceStand => ({
  rung: 'now',
  progress: { share: passage / 6, passage, passages: 6 },
})

async function createWorld(changes: Partial<MakerDeps> = {}) {
  const db = await openTestDb(newDevice())
  const files = createFakeFiles()
  const locks = createFakeLocks()
  const begun: Begun[] = []
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
        make: (_file, request, options, onProgress, pieces) => {
          progress.push(onProgress)
          return new Promise((answer) => begun.push({ request, options, pieces, answer }))
        },
        cancel: (id) =>
          begun
            .findLast((each) => each.options.id === id)
            ?.answer(err({ code: 'probe/cancelled' })),
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
  const folder = () => accountFolder(changes.files ?? files.open, USER_ID, 'made')
  const stored = async () => {
    const names: string[] = []
    for await (const { name } of (await folder()).values()) names.push(name)
    return names
  }
  return { db, locks, page, pageMaker, maker: pageMaker(page), begun, progress, folder, stored }
}

it('NOW-06 what a device made is a row with its files, also for a page that opens later', async () => {
  const { db, maker, pageMaker, begun, progress, stored } = await createWorld()
  expect(await maker.start(wish)).toEqual(ok('made-1'))
  progress[0]?.({ share: 0.5, passage: 3, passages: 6 })
  expect(maker.current()).toEqual({
    id: 'made-1',
    progress: { share: 0.5, passage: 3, passages: 6 },
    hasFallenBack: false,
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
  // Its last word comes late.
  progress[0]?.({ share: 1, passage: 6, passages: 6 })
  expect(maker.current()).toBe(null)
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

it('NOW-06 an edit that a page left in the middle goes on with its pieces, options and moments', async () => {
  const { db, locks, page, pageMaker, maker, begun, folder, stored } = await createWorld()
  const moments: MakeRequest['moments'] = [
    {
      atMs: 1_000,
      lengthMs: 4_000,
      shows: 'lively',
      score: 1,
      startsShot: true,
      stillMs: 2_000,
      likeness: '',
    },
  ]
  await maker.start({ ...wish, payload: { a: 1 }, moments })
  expect(begun[0]?.options).toMatchObject({ from: null, isLower: false })
  await begun[0]?.pieces.keep('k.sound', new Blob(['hum']), { rung: 'now', progress: null })
  await begun[0]?.pieces.keep('k.passage-1', new Blob(['one']), standAt(1))
  await begun[0]?.pieces.keep('k.passage-2', new Blob(['two']), standAt(2))
  // The page ends while it begins to write the third one.
  const pieces = await (await folder()).getDirectoryHandle('made-1.pieces')
  await pieces.getFileHandle('k.passage-3', { create: true })
  const other = pageMaker({})
  const settled = other.settle(new AbortController().signal)
  locks.crash(page)
  await settled
  const row = await db.madeFiles.get('made-1')
  expect(row).toMatchObject({
    state: { kind: 'failed', code: 'made/unfinished' },
    kept: { passage: 2, passages: 6, rung: 'now' },
  })
  if (row === undefined) throw new Error('no row')

  const again = { ...row, video: { ...wish.video, uploadId: 'chosen-again' } }
  expect(await other.start({ ...again, againId: 'made-1', goesOn: true })).toEqual(ok('made-1'))
  // It shows how far it is before its worker has read anything.
  expect(other.current()?.progress).toMatchObject({ passage: 2, passages: 6 })
  expect(begun[1]).toMatchObject({
    request: { payload: { a: 1 }, moments },
    options: { id: 'made-1', from: 'now', isLower: false },
  })
  const read = async (name: string) => (await begun[1]?.pieces.read(name))?.text()
  expect(await read('k.passage-2')).toBe('two')
  expect(await read('k.sound')).toBe('hum')
  expect(await read('k.passage-3')).toBe(undefined)
  begun[1]?.answer(ok([FILE]))
  await expect.poll(() => other.current()).toBe(null)
  expect(await db.madeFiles.toArray()).toMatchObject([
    { state: { kind: 'ready' }, uploadId: 'chosen-again', kept: null },
  ])
  expect(await stored()).toEqual(['made-1'])
})

it('NOW-06 pieces that were made of something else go when there is another one', async () => {
  const { maker, begun, stored } = await createWorld()
  await maker.start(wish)
  await begun[0]?.pieces.keep('old.passage-1', new Blob(['one']), standAt(1))
  await begun[0]?.pieces.keep('new.passage-1', new Blob(['uno']), standAt(1))
  expect(await begun[0]?.pieces.read('old.passage-1')).toBe(null)
  expect(await (await begun[0]?.pieces.read('new.passage-1'))?.text()).toBe('uno')
  begun[0]?.answer(err({ code: 'make/codec-failed' }))
  await expect.poll(() => maker.current()).toBe(null)
  // With other options it is another edit.
  await maker.start({ ...wish, againId: 'made-1' })
  expect(begun[1]?.options).toMatchObject({ from: null })
  expect(await begun[1]?.pieces.read('new.passage-1')).toBe(null)
  maker.cancel()
  await expect.poll(() => maker.current()).toBe(null)
  expect(await stored()).toEqual([])
})

it('NOW-06 an edit whose pieces fit no more says that it fell back, and keeps nothing that is not true', async () => {
  const { db, maker, begun, progress } = await createWorld()
  const at = (share: number, passage: number) => progress.at(-1)?.({ share, passage, passages: 6 })
  await maker.start(wish)
  for (const passage of [1, 2, 3])
    await begun[0]?.pieces.keep(`old.passage-${passage}`, new Blob(['a']), standAt(passage))
  // What a worker says of a passage may come after the passage was kept.
  at(2.5 / 6, 3)
  expect(maker.current()).toMatchObject({ hasFallenBack: false })
  begun[0]?.answer(err({ code: 'make/codec-failed' }))
  await expect.poll(() => maker.current()).toBe(null)
  const row = await db.madeFiles.get('made-1')
  if (row === undefined) throw new Error('no row')
  const again = { ...wish, ...row, video: wish.video, againId: row.id, goesOn: true }
  await maker.start(again)
  at(3 / 6, 4)
  expect(maker.current()).toMatchObject({ hasFallenBack: false })
  maker.cancel()
  await expect.poll(() => maker.current()).toBe(null)

  await db.madeFiles.put(row)
  await maker.start(again)
  at(0, 1)
  expect(maker.current()).toMatchObject({ progress: { passage: 1 }, hasFallenBack: true })
  await expect.poll(async () => (await db.madeFiles.get('made-1'))?.kept).toBe(null)
  await begun[2]?.pieces.keep('new.passage-1', new Blob(['a']), standAt(1))
  at(1 / 6, 2)
  expect(maker.current()).toMatchObject({ hasFallenBack: true })
  begun[2]?.answer(err({ code: 'make/codec-failed' }))
  await expect.poll(() => maker.current()).toBe(null)
  expect(await db.madeFiles.get('made-1')).toMatchObject({ kept: { passage: 1 } })
})

it('NOW-07 a worker that dies is started again from its pieces, the third time a rung lower', async () => {
  const { db, maker, begun } = await createWorld()
  await maker.start(wish)
  await begun[0]?.pieces.keep('k.passage-1', new Blob(['one']), standAt(1))
  begun[0]?.answer(err({ code: 'probe/engine-crashed' }))
  await expect.poll(() => begun.length).toBe(2)
  expect(await (await begun[1]?.pieces.read('k.passage-1'))?.text()).toBe('one')
  // One that hangs is ended by the page.
  begun[1]?.answer(err({ code: 'probe/timeout' }))
  await expect.poll(() => begun.length).toBe(3)
  expect(begun.map(({ options: { from, isLower } }) => [from, isLower])).toEqual([
    [null, false],
    ['now', false],
    ['now', true],
  ])
  begun[2]?.answer(err({ code: 'probe/engine-crashed' }))
  await expect.poll(() => maker.current()).toBe(null)
  expect(await db.madeFiles.get('made-1')).toMatchObject({
    state: { kind: 'failed', code: 'made/worker-died' },
    kept: { passage: 1 },
  })
  expect(begun).toHaveLength(3)
})

it('NOW-07 what is given up while its worker dies is not begun again', async () => {
  const { db, maker, begun, stored } = await createWorld()
  await maker.start(wish)
  await begun[0]?.pieces.keep('k.passage-1', new Blob(['one']), standAt(1))
  begun[0]?.answer(err({ code: 'probe/engine-crashed' }))
  await maker.stop()
  expect([begun.length, await db.madeFiles.count(), await stored()]).toEqual([1, 0, []])
})

it('NOW-07 a disk that is full in the middle ends it with the room that is missing, and it goes on after that', async () => {
  const files = createFakeFiles()
  const room = { quota: 2_000_000_000, usage: 0 }
  const storage = { estimate: async () => room }
  const { db, maker, begun } = await createWorld({ files: files.open, storage })
  await maker.start(wish)
  await begun[0]?.pieces.keep('k.passage-1', new Blob(['one']), standAt(1))
  const folder = await accountFolder(files.open, USER_ID, 'made')
  const pieces = await folder.getDirectoryHandle('made-1.pieces')
  const write = pieces.getFileHandle
  pieces.getFileHandle = () => Promise.reject(new DOMException('', 'QuotaExceededError'))
  room.usage = room.quota
  await begun[0]?.pieces.keep('k.passage-2', new Blob(['two']), standAt(2))
  await expect.poll(() => maker.current()).toBe(null)
  const row = await db.madeFiles.get('made-1')
  expect(row).toMatchObject({
    state: { kind: 'failed', code: 'made/no-space', missingBytes: expect.any(Number) },
    kept: { passage: 1 },
  })
  if (row?.state.kind !== 'failed') throw new Error('it did not end')
  expect(row.state.missingBytes).toBeGreaterThan(200_000_000)
  pieces.getFileHandle = write
  const again = { ...wish, ...row, video: wish.video, againId: row.id, goesOn: true }
  expect(await maker.start(again)).toMatchObject({ error: { code: 'made/no-room' } })
  // So much is enough.
  room.usage -= row.state.missingBytes ?? 0
  await expect.poll(() => maker.start(again)).toEqual(ok('made-1'))
  // What was finished when the disk was full is not made again, while the page stands.
  for (const [name, text] of Object.entries({ 'k.passage-1': 'one', 'k.passage-2': 'two' }))
    expect(await (await begun[1]?.pieces.read(name))?.text()).toBe(text)
})

it('NOW-06 a log-out forgets pieces of an edit that has ended on a full disk', async () => {
  const files = createFakeFiles()
  const { db, maker, begun } = await createWorld({ files: files.open })
  await maker.start(wish)
  await begun[0]?.pieces.keep('k.passage-1', new Blob(['one']), standAt(1))
  const folder = await accountFolder(files.open, USER_ID, 'made')
  const pieces = await folder.getDirectoryHandle('made-1.pieces')
  const write = pieces.getFileHandle
  pieces.getFileHandle = () => Promise.reject(new DOMException('', 'QuotaExceededError'))
  await begun[0]?.pieces.keep('k.passage-2', new Blob(['two']), standAt(2))
  await expect.poll(() => maker.current()).toBe(null)
  pieces.getFileHandle = write
  const row = await db.madeFiles.get('made-1')
  if (row === undefined) throw new Error('no row')
  await maker.stop()
  await maker.start({ ...wish, ...row, video: wish.video, againId: row.id, goesOn: true })
  expect(await begun[1]?.pieces.read('k.passage-2')).toBe(null)
  maker.cancel()
  await expect.poll(() => maker.current()).toBe(null)
})

it('NOW-07 a disk that is full at the end keeps all pieces', async () => {
  const files = createFakeFiles()
  const { db, maker, begun, stored } = await createWorld({ files: files.open })
  await maker.start(wish)
  await begun[0]?.pieces.keep('k.passage-6', new Blob(['six']), standAt(6))
  const folder = await accountFolder(files.open, USER_ID, 'made')
  const open = folder.getDirectoryHandle.bind(folder)
  folder.getDirectoryHandle = (name, options) =>
    name === 'made-1' && options?.create === true
      ? Promise.reject(new DOMException('', 'QuotaExceededError'))
      : open(name, options)
  begun[0]?.answer(ok([FILE]))
  await expect.poll(() => maker.current()).toBe(null)
  expect(await db.madeFiles.get('made-1')).toMatchObject({
    // A browser that does not say how much room there is has none for all of it.
    state: { code: 'made/no-space', missingBytes: expect.any(Number) },
    kept: { passage: 6 },
  })
  expect(await stored()).toEqual(['made-1.pieces'])
})

it('NOW-06 pieces of a sealed account are sealed', async () => {
  const files = createFakeFiles()
  const bytes = createMadeBytes(files.open, USER_ID, await sealKeysOf(newDataKey()))
  const piece = new Blob(['a'.repeat(600_000)])
  await bytes.writePiece('m', 'k.passage-1', piece)
  const folder = await accountFolder(files.open, USER_ID, 'made')
  const stored = await (await folder.getDirectoryHandle('m.pieces')).getFileHandle('k.passage-1')
  expect(await (await stored.getFile()).text()).not.toContain('aaaa')
  expect(await (await bytes.openPiece('m', 'k.passage-1'))?.text()).toBe(await piece.text())
  // Of another account, it is not there.
  const other = createMadeBytes(files.open, USER_ID, await sealKeysOf(newDataKey()))
  expect(await other.openPiece('m', 'k.passage-1')).toBe(null)
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

it('NOW-06 a full disk is told before the start where the browser knows it', async () => {
  const estimate = async () => ({ quota: 1_000_000, usage: 0 })
  const full = await createWorld({ storage: { estimate } })
  expect(await full.maker.start(wish)).toMatchObject({
    ok: false,
    error: { code: 'made/no-room', missingBytes: expect.any(Number) },
  })
  expect(full.begun).toHaveLength(0)
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
