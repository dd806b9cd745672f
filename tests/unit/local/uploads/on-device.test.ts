import 'fake-indexeddb/auto'
import { openAsBlob } from 'node:fs'
import { mkdtemp, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { fakeUploadRow, idOf } from '#tests/fakes/fake-rows.ts'
import { createFakeClock } from '#tests/fakes/fake-clock.ts'
import { createDexieStore } from '#src/local/uploads/adapters/dexie-store.ts'
import { createStoredBytes } from '#src/local/uploads/adapters/stored-bytes.ts'
import { chooseVideo, isShortVideo, type ChooseDeps } from '#src/local/uploads/page/choose.ts'
import { openUpload } from '#src/local/uploads/page/open-upload.ts'
import { webCryptoDigest } from '#src/local/uploads/file/hash.ts'
import { reduceUpload } from '#src/local/uploads/model/machine.ts'
import { LOCAL_FILE_MAX_BYTES, SHORT_VIDEO_WARNING_BYTES } from '#spec/numbers.ts'
import { createIds } from '#src/lib/ids.ts'
import { silentLog } from '#src/lib/log.ts'
import { err, ok } from '#src/lib/result.ts'
import { openAccountDb, type AccountDb } from '#src/local/db/account-db.ts'
import { FACTS, writeFact } from '#src/local/db/facts.ts'
import type { UploadPartRow } from '#src/local/db/rows.ts'
import { earlierUpload } from '#src/local/probe/earlier-upload.ts'
import type { ProbeReport } from '#src/local/probe/report.ts'
import { chooseRefusalCopy } from '#src/components/upload-words/failure-copy.ts'

let db: AccountDb
beforeEach(async () => {
  db = await openAccountDb(`user-${createIds().uuid()}`)
})
afterEach(async () => {
  await db.delete()
})

const REPORT: ProbeReport = {
  engine: 'mediabunny',
  container: 'MP4',
  mimeType: 'video/mp4',
  sizeBytes: 5,
  durationMs: 60_000,
  video: null,
  audio: null,
  videoTrackCount: 1,
  audioTrackCount: 0,
  findings: [{ ruleId: 'A12', verdict: 'warn', facts: {} }],
  tookMs: 3,
}
function deps(probe: ChooseDeps['probe'] = () => Promise.resolve(ok(REPORT))): ChooseDeps {
  return {
    db,
    ids: createIds(),
    clock: { now: () => 1_700_000_000_000 },
    log: silentLog,
    digest: webCryptoDigest,
    probe,
    own: () => Promise.resolve(),
    findEarlier: earlierUpload,
    findElsewhere: () => Promise.resolve(null),
  }
}
const FILE = new File(['video bytes'], 'scene.mp4', { type: 'video/mp4', lastModified: 42 })

async function draft() {
  const chosen = await chooseVideo(deps(), FILE, null)
  if (!chosen.ok) throw new Error(chosen.error.code)
  const row = await db.uploads.get(chosen.value.uploadId)
  if (row === undefined) throw new Error('no row')
  return row
}
const part = (uploadId: string, partNumber: number): UploadPartRow => ({
  uploadId,
  partNumber,
  eTag: `e${partNumber}`,
  sizeBytes: 4,
  sha256: '',
  safeAtEpochMs: 1,
})

describe('choosing a video', () => {
  it('UPL-08 makes a draft with a key of random string and timestamp, and sends nothing', async () => {
    const row = await draft()
    expect(row).toMatchObject({
      state: { kind: 'draft' },
      uploadRequestId: null,
      file: { name: 'scene.mp4', sizeBytes: 11, lastModifiedEpochMs: 42, type: 'video/mp4' },
      probe: REPORT,
    })
    expect(row.idempotencyKey).toMatch(/^[0-9a-f-]{36}-1700000000000$/)
    expect(row.fingerprint?.head).toMatch(/^[0-9a-f]{64}$/)
  })

  it('UPL-03 refuses what is empty, unreadable or forbidden by a check, and names why', async () => {
    expect(await chooseVideo(deps(), new File([], 'empty.mp4'), null)).toEqual({
      ok: false,
      error: { code: 'choose/empty' },
    })
    const photo = await chooseVideo(
      deps(() => Promise.resolve(err({ code: 'probe/no-video', facts: { kind: 'photo' } }))),
      FILE,
      null,
    )
    expect(
      photo.ok ? null : chooseRefusalCopy(photo.error, { purpose: 'media-job', file: FILE }).title,
    ).toBe('This is a photo, not a video.')
    const large = Object.defineProperty(new File(['x'], 'large.mp4'), 'size', {
      value: LOCAL_FILE_MAX_BYTES + 1,
    })
    expect(await chooseVideo(deps(), large, null)).toMatchObject({
      ok: false,
      error: { code: 'choose/too-large', maxBytes: LOCAL_FILE_MAX_BYTES },
    })
    expect(await db.uploads.count()).toBe(0)
  })

  it('UPL-03 names an earlier upload of the same video only while the server has it', async () => {
    const { id } = await draft()
    const sent = { uploadRequestId: idOf(2), state: { kind: 'done', doneAtEpochMs: 1 } } as const
    await db.uploads.update(id, sent)
    const rulesOfNext = async () => {
      const chosen = await chooseVideo(deps(), FILE, null)
      return chosen.ok ? chosen.value.notices.map(({ ruleId }) => ruleId) : []
    }
    expect(await rulesOfNext()).toEqual(['A12', 'B8'])
    const listed = {
      uploadRequestId: idOf(2),
      name: 'scene.mp4',
      sizeBytes: FILE.size,
      hasEnded: true,
      isValidated: true,
      isFailed: false,
      isDeleted: true,
      createdAt: '2026-11-21T09:30:00.000Z',
    }
    await writeFact(db, FACTS.uploads, [listed], 1)
    expect(await rulesOfNext()).toEqual(['A12'])
  })

  it('takes a file that could not be checked here, and says so', async () => {
    const chosen = await chooseVideo(
      deps(() => Promise.resolve(err({ code: 'probe/timeout' }))),
      FILE,
      null,
    )
    expect(chosen).toMatchObject({
      ok: true,
      value: { report: null, notices: [{ ruleId: 'B10', verdict: 'warn' }] },
    })
  })

  it('UPL-04 asks below 100 MB, to the byte', () => {
    expect([
      isShortVideo(SHORT_VIDEO_WARNING_BYTES - 1),
      isShortVideo(SHORT_VIDEO_WARNING_BYTES),
      isShortVideo(SHORT_VIDEO_WARNING_BYTES + 1),
    ]).toEqual([true, false, false])
  })
})

describe('uploads in the database', () => {
  it('refuse a writer with an older epoch', async () => {
    const store = createDexieStore(db, silentLog, createFakeClock())
    const { id } = await draft()
    await store.change(id, null, (row) => ({ ...row, epoch: row.epoch + 1 }))
    expect(await store.putPart(0, part(id, 1), 4)).toBeNull()
    expect(await store.change(id, 0, (row) => reduceUpload(row, { kind: 'start' }, 1))).toBeNull()
    expect(await store.parts(id)).toEqual([])
    expect(await store.putPart(1, part(id, 1), 4)).toMatchObject({ safeBytes: 4 })
  })

  it('lower the safe bytes only when the server lost a part', async () => {
    const store = createDexieStore(db, silentLog, createFakeClock())
    const { id } = await draft()
    await store.putPart(0, part(id, 1), 4)
    await store.putPart(0, part(id, 2), 8)
    expect(await store.replaceParts(id, 0, [part(id, 2)])).toMatchObject({ safeBytes: 4 })
    expect(await store.parts(id)).toEqual([part(id, 2)])
  })

  it('count parts that the row does not include yet as soon as a driver claims it or a command changes it', async () => {
    const store = createDexieStore(db, silentLog, createFakeClock())
    const { id } = await draft()
    await store.change(id, 0, (row) => ({
      ...row,
      uploadRequestId: 'request',
      plan: { partSizeBytes: 4, partCount: 2, sizeBytes: 8 },
      state: { kind: 'uploading' },
    }))
    await store.putPart(0, part(id, 1), 4)
    expect(await store.putPart(0, part(id, 2), null)).toMatchObject({ safeBytes: 4 })
    expect(
      await store.change(id, null, (row) => reduceUpload(row, { kind: 'pause' }, 1)),
    ).toMatchObject({ safeBytes: 8, state: { kind: 'paused' } })
  })

  it('forget parts, copy and handle at the end, and everything when removed', async () => {
    const store = createDexieStore(db, silentLog, createFakeClock())
    const { id } = await draft()
    await store.putPart(0, part(id, 1), 4)
    await db.blobs.add({ uploadId: id, blob: FILE })
    await store.dropBytes(id)
    expect([
      await db.uploadParts.count(),
      await db.blobs.count(),
      await db.uploads.count(),
    ]).toEqual([0, 0, 1])
    await store.remove(id)
    expect(await db.uploads.count()).toBe(0)
  })

  it('report every change', async () => {
    const store = createDexieStore(db, silentLog, createFakeClock())
    const { id } = await draft()
    const seen: string[] = []
    const { promise, resolve } = Promise.withResolvers<void>()
    const stop = store.watch(id, (row) => {
      seen.push(row?.state.kind ?? 'none')
      if (row?.state.kind === 'draft')
        void store.change(id, null, (current) => reduceUpload(current, { kind: 'start' }, 1))
      if (row?.state.kind === 'preparing') resolve()
    })
    await promise
    stop()
    expect(seen).toEqual(['draft', 'preparing'])
  })
})

describe('the bytes of an upload', () => {
  it('are read from memory, then from the copy, else the person is asked', async () => {
    const row = await draft()
    const bytes = createStoredBytes({
      db,
      estimate: () => Promise.resolve({ quota: 1e9, usage: 0 }),
      isInstalled: false,
    })
    expect(await bytes.open(row)).toEqual({ ok: false, error: { kind: 'no-handle' } })
    bytes.hold(row.id, FILE)
    expect(await bytes.open(row)).toMatchObject({ ok: true, value: { sizeBytes: 11 } })
    await bytes.keepCopy(row)
    bytes.letGo(row.id)
    const later = await createStoredBytes({ db, estimate: null, isInstalled: false }).open(row)
    expect(later).toMatchObject({
      ok: true,
      value: { sizeBytes: 11, file: { name: 'scene.mp4', type: 'video/mp4' } },
    })
  })

  it('are not copied when less than twice their size is free', async () => {
    const row = await draft()
    const bytes = createStoredBytes({
      db,
      estimate: () => Promise.resolve({ quota: 21, usage: 0 }),
      isInstalled: false,
    })
    bytes.hold(row.id, FILE)
    await bytes.keepCopy(row)
    expect(await db.blobs.count()).toBe(0)
  })

  it('are read from the copy, or by the handle, when the chosen file was touched', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'touched-'))
    onTestFinished(() => rm(folder, { recursive: true }))
    const path = join(folder, 'scene.mp4')
    await writeFile(path, 'eleven bytes')
    const held = new File([await openAsBlob(path)], 'scene.mp4')
    // As Chromium, Node reads nothing of a file whose time has changed.
    await utimes(path, 1, 1)
    await expect(held.slice(0, 1).arrayBuffer()).rejects.toMatchObject({ name: 'NotReadableError' })
    const row = await draft()
    const bytes = createStoredBytes({ db, estimate: null, isInstalled: false })
    bytes.hold(row.id, held)
    expect(await bytes.open(row)).toEqual({ ok: false, error: { kind: 'changed' } })
    // The test's database cannot store a handle, so this one takes its place when it is read.
    const handle = { getFile: () => Promise.resolve(FILE) }
    db.handles.hook('reading', (stored: object) => ({ ...stored, handle }))
    await db.handles.put({ uploadId: row.id, handle: {} as FileSystemFileHandle })
    expect(await bytes.open(row)).toMatchObject({ ok: true, value: { sizeBytes: FILE.size } })
    await db.blobs.add({ uploadId: row.id, blob: new Blob(['kept bytes!']) })
    const opened = await bytes.open(row)
    const read = opened.ok ? await opened.value.read(0, 11) : opened
    expect(read.ok ? new TextDecoder().decode(read.value) : read.error).toBe('kept bytes!')
  })
})

it('NOW-06 makes nothing of another file that was chosen for an upload', async () => {
  const needsFile = fakeUploadRow({ state: { kind: 'needs-file', why: 'no-handle' } })
  expect(await openUpload(db, needsFile, FILE)).toMatchObject({ ok: true })
  const differs = reduceUpload(needsFile, { kind: 'file-differs' }, 1)
  expect(await openUpload(db, differs, FILE)).toEqual(err({ code: 'probe/changed' }))
})
