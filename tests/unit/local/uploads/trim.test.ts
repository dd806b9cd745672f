import 'fake-indexeddb/auto'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createFakeFile, type FakeFile } from '#tests/fakes/upload-bytes.ts'
import { createUploadWorld } from '#tests/fakes/upload-world.ts'
import { movie } from '#tests/fixtures/movies.ts'
import { createStoredBytes } from '#src/local/uploads/adapters/stored-bytes.ts'
import { composedSource } from '#src/local/uploads/file/composed-source.ts'
import { fileSource } from '#src/local/uploads/file/file-source.ts'
import { compareFile, fingerprintOf } from '#src/local/uploads/file/fingerprint.ts'
import { webCryptoDigest } from '#src/local/uploads/file/hash.ts'
import { chooseVideo, type ChooseDeps } from '#src/local/uploads/page/choose.ts'
import { forgetDraft } from '#src/local/uploads/page/drafts.ts'
import { openUpload } from '#src/local/uploads/page/open-upload.ts'
import { readTrimPlaces, setTrim } from '#src/local/uploads/page/trim.ts'
import type { ByteSource } from '#src/local/uploads/ports.ts'
import { createIds } from '#src/lib/ids.ts'
import { silentLog } from '#src/lib/log.ts'
import { err, ok } from '#src/lib/result.ts'
import { openAccountDb, type AccountDb } from '#src/local/db/account-db.ts'
import type { UploadRow } from '#src/local/db/rows.ts'
import type { ProbeReport } from '#src/local/probe/report.ts'

/** A picture each 100 ms, a key each second. */
const film = (seed: number): File => {
  const samples = Array.from({ length: 200 }, (_, at) => ({
    decoded: at * 100,
    lasts: 100,
    later: 0,
    isKey: at % 10 === 0,
    bytes: new Uint8Array(500).fill(at * seed),
  }))
  const bytes = movie([{ kind: 'vide', timeScale: 1000, perChunk: 5, samples }])
  return new File([new Uint8Array(bytes)], 'scene.mp4', { type: 'video/mp4', lastModified: 42 })
}
const FILM = film(1)
const WANTED = { fromMs: 4_930, toMs: 12_060 }
const TRIM = { fromMs: 5_000, toMs: 12_100 }

/** As a probe: how large what it is given is. */
const reportOf = (file: File): ProbeReport => ({
  engine: 'mediabunny',
  container: 'MP4',
  mimeType: 'video/mp4',
  sizeBytes: file.size,
  durationMs: file.size,
  video: null,
  audio: null,
  videoTrackCount: 1,
  audioTrackCount: 0,
  findings: [],
  tookMs: 3,
})

let db: AccountDb
beforeEach(async () => {
  db = await openAccountDb(`user-${createIds().uuid()}`)
})
afterEach(async () => {
  await db.delete()
})

const deps = (different: Partial<ChooseDeps> = {}): ChooseDeps => ({
  db,
  ids: createIds(),
  clock: { now: () => 1_700_000_000_000 },
  log: silentLog,
  digest: webCryptoDigest,
  probe: (file) => Promise.resolve(ok(reportOf(file))),
  own: () => Promise.resolve(),
  findEarlier: () => null,
  findElsewhere: () => Promise.resolve(null),
  ...different,
})

async function rowOf(id: string): Promise<UploadRow> {
  const row = await db.uploads.get(id)
  if (row === undefined) throw new Error('no row')
  return row
}

async function draft(): Promise<UploadRow> {
  const chosen = await chooseVideo(deps(), FILM, null)
  if (!chosen.ok) throw new Error(chosen.error.code)
  return await rowOf(chosen.value.uploadId)
}

async function trimmed() {
  const { id } = await draft()
  const set = await setTrim(deps(), id, FILM, WANTED)
  if (!set.ok) throw new Error(set.error.code)
  return { row: await rowOf(id), ...set.value }
}

/** The handle of the chosen file; the test's database cannot store one. */
async function keepHandle(id: string, file: () => File): Promise<void> {
  db.handles.hook('reading', (stored: object) => ({
    ...stored,
    handle: { getFile: () => Promise.resolve(file()) },
  }))
  await db.handles.put({ uploadId: id, handle: {} as FileSystemFileHandle })
}

const stored = () => createStoredBytes({ db, estimate: null, isInstalled: false })
const touched = (file: File): File =>
  new File([file], file.name, { type: file.type, lastModified: 77 })

async function textOf(source: ByteSource): Promise<string> {
  const read = await source.read(0, source.sizeBytes)
  return read.ok ? Buffer.from(read.value).toString('latin1') : read.error.kind
}

describe('a trim of a chosen video', () => {
  it('NOW-02 makes all facts of the upload those of what is sent', async () => {
    const places = await readTrimPlaces(FILM)
    if (!places.ok) throw new Error(places.error.code)
    expect(places.value.durationMs).toBe(20_000)
    expect(places.value.snap(WANTED)).toEqual(TRIM)
    const { row, file, trim, report } = await trimmed()
    expect(trim).toMatchObject(TRIM)
    expect(file.size).toBeLessThan(FILM.size / 2)
    expect(Math.abs(places.value.sizeOf(WANTED) - file.size)).toBeLessThan(1_000)
    expect(report).toMatchObject({ sizeBytes: file.size, durationMs: file.size })
    const print = await fingerprintOf(webCryptoDigest, fileSource(file))
    expect(row).toMatchObject({
      state: { kind: 'draft' },
      file: { name: 'scene.mp4', sizeBytes: file.size, lastModifiedEpochMs: 42 },
      probe: { sizeBytes: file.size },
      fingerprint: print.ok && print.value,
      trim: { ...TRIM, wholeDurationMs: 20_000, wholeSizeBytes: FILM.size },
    })
    const opened = await openUpload(db, row, file)
    expect(opened.ok && opened.value.size).toBe(file.size)
  })

  it('NOW-02 is changed and taken back as long as nothing is sent', async () => {
    const whole = await draft()
    await setTrim(deps(), whole.id, FILM, WANTED)
    const other = await setTrim(deps(), whole.id, FILM, { fromMs: 0, toMs: 3_000 })
    expect(other).toMatchObject({ ok: true, value: { trim: { fromMs: 0, toMs: 3_000 } } })
    const back = await setTrim(deps(), whole.id, FILM, null)
    expect(back).toMatchObject({ ok: true, value: { trim: null, file: { size: FILM.size } } })
    expect(await rowOf(whole.id)).toEqual(whole)
    expect(await db.excerpts.count()).toBe(0)
    // Both ends of the whole are no trim.
    await setTrim(deps(), whole.id, FILM, { fromMs: 10, toMs: 19_990 })
    expect(await rowOf(whole.id)).toEqual(whole)
  })

  it('NOW-02 is refused once the upload began, of other files, and of what the check refuses', async () => {
    const whole = await draft()
    const finding = { ruleId: 'A5', verdict: 'block', facts: {} } as const
    const refusing = deps({
      probe: (file) => Promise.resolve(ok({ ...reportOf(file), findings: [finding] })),
    })
    expect(await setTrim(refusing, whole.id, FILM, WANTED)).toEqual(
      err({ code: 'choose/blocked', finding }),
    )
    const text = new File(['not a movie'], 'scene.mp4')
    expect(await setTrim(deps(), whole.id, text, WANTED)).toMatchObject({ ok: false })
    expect(await readTrimPlaces(text)).toEqual(err({ code: 'trim/cannot-be-cut' }))
    expect(await rowOf(whole.id)).toEqual(whole)
    await db.uploads.update(whole.id, { state: { kind: 'preparing' } })
    expect(await setTrim(deps(), whole.id, FILM, WANTED)).toEqual(
      err({ code: 'trim/already-sent' }),
    )
  })

  it('NOW-02 goes with its draft', async () => {
    const { row } = await trimmed()
    await forgetDraft(db, row.id)
    expect(await db.excerpts.count()).toBe(0)
  })
})

describe('the bytes of a trim', () => {
  it('NOW-02 are the same from memory, from the copy and by the handle', async () => {
    const { row, file } = await trimmed()
    const wanted = await textOf(fileSource(file))
    expect(await stored().open(row)).toEqual(err({ kind: 'no-handle' }))
    await keepHandle(row.id, () => FILM)
    const byHandle = await stored().open(row)
    expect(byHandle.ok && (await textOf(byHandle.value))).toBe(wanted)
    const bytes = createStoredBytes({
      db,
      estimate: () => Promise.resolve({ quota: 1e9, usage: 0 }),
      isInstalled: false,
    })
    bytes.hold(row.id, file)
    await bytes.keepCopy(row)
    expect((await db.blobs.get(row.id))?.blob.size).toBe(file.size)
    await db.handles.clear()
    const copied = await stored().open(row)
    expect(copied.ok && (await textOf(copied.value))).toBe(wanted)
    const whole = stored()
    whole.hold(row.id, FILM)
    const held = await whole.open(row)
    expect(held.ok && (await textOf(held.value))).toBe(wanted)
  })

  it('NOW-02 are found in the whole of another time, and in no other file', async () => {
    const { row, file } = await trimmed()
    let chosen = touched(FILM)
    await keepHandle(row.id, () => chosen)
    const opened = await stored().open(row)
    if (!opened.ok) throw new Error(opened.error.kind)
    expect(await textOf(opened.value)).toBe(await textOf(fileSource(file)))
    expect(await compareFile(webCryptoDigest, opened.value, row, [])).toEqual(ok('touched'))
    chosen = touched(film(3))
    expect(await stored().open(row)).toEqual(err({ kind: 'changed' }))
    const bytes = stored()
    bytes.hold(row.id, chosen)
    const other = await bytes.open(row)
    if (!other.ok) throw new Error(other.error.kind)
    expect(await compareFile(webCryptoDigest, other.value, row, [])).toEqual(ok('differs'))
  })

  it('NOW-02 are cut again of another file, when the creator begins again with it', async () => {
    const { row } = await trimmed()
    const other = film(3)
    const again = await stored().cutAgain(row, fileSource(other))
    expect(again?.trim).toMatchObject({ ...TRIM, wholeSizeBytes: other.size })
    const cut = await db.excerpts.get(row.id)
    if (again === null || cut === undefined) throw new Error('it was not cut')
    expect(await textOf(again.source)).toBe(await textOf(composedSource(fileSource(other), cut)))
    expect(await stored().cutAgain(row, fileSource(new File(['text'], 'a.mp4')))).toBeNull()
  })
})

const PART = 4_000
const HOUR = 3_600_000

describe('an upload with a trim', () => {
  /** A draft of a trim, whose whole every context can read, as by a handle. */
  async function sending() {
    const { row } = await trimmed()
    const cut = await db.excerpts.get(row.id)
    if (cut === undefined) throw new Error('no cut')
    const world = createUploadWorld(PART)
    world.server.network = { totalBytesPerMs: 5, connectionBytesPerMs: null, bufferBytes: 0 }
    const whole: FakeFile = {
      ...createFakeFile('scene.mp4', 0),
      bytes: new Uint8Array(await FILM.arrayBuffer()),
      modifiedEpochMs: 42,
    }
    const composed = composedSource(fileSource(FILM), cut)
    const wanted = await composed.slice(0, composed.sizeBytes).arrayBuffer()
    const { id } = world.addDraft(whole, { ...row, id: 'trimmed' })
    world.cuts.set(id, cut)
    world.kept.set(id, whole)
    const tab = await world.openTab()
    void tab.commands.start(id, null)
    return { world, tab, id, whole, wanted: new Uint8Array(wanted) }
  }

  it.each([0, 2, 5])('NOW-02 goes on after a crash with %i parts safe', async (parts) => {
    const { world, tab, id, wanted } = await sending()
    await world.clock.run(HOUR, () => (world.disk.parts.get(id)?.size ?? 0) >= parts)
    tab.crash()
    await world.openTab()
    expect(await world.clock.run(HOUR, () => world.row(id).state.kind === 'done')).toBe(true)
    expect(world.server.content('server-1')).toEqual(wanted)
    expect(world.row(id).file.sizeBytes).toBe(wanted.byteLength)
    expect(world.server.ledger.creates).toBe(1)
  })

  it('NOW-02 takes the whole when it is chosen again, and no other file', async () => {
    const { world, tab, id, whole, wanted } = await sending()
    await world.clock.run(HOUR, () => (world.disk.parts.get(id)?.size ?? 0) >= 3)
    tab.crash()
    world.kept.delete(id)
    const next = await world.openTab()
    await world.clock.run(HOUR, () => world.row(id).state.kind === 'needs-file')
    world.kept.set(id, { ...whole, bytes: new Uint8Array(await film(3).arrayBuffer()) })
    // The page composes it, as `openUpload` does.
    void next.commands.provideFile(id, film(3), null)
    await world.clock.run(HOUR, () => world.row(id).state.kind === 'conflict')
    expect(world.row(id).state.kind).toBe('conflict')
    world.kept.set(id, whole)
    const sent = new File([wanted], 'scene.mp4', { type: 'video/mp4', lastModified: 42 })
    void next.commands.provideFile(id, sent, null)
    expect(await world.clock.run(HOUR, () => world.row(id).state.kind === 'done')).toBe(true)
    expect(world.server.content('server-1')).toEqual(wanted)
    expect(world.server.ledger.creates).toBe(1)
  })
})
