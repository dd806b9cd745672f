import 'fake-indexeddb/auto'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Stretch } from '#recipes/stretch.ts'
import { createIds } from '#src/lib/ids.ts'
import { silentLog } from '#src/lib/log.ts'
import { ok } from '#src/lib/result.ts'
import { openAccountDb, type AccountDb } from '#src/local/db/account-db.ts'
import type { UploadRow, UploadState } from '#src/local/db/rows.ts'
import { webCryptoDigest } from '#src/local/uploads/file/hash.ts'
import { excerptsOf, heldBy, shownExcerpt } from '#src/local/uploads/page/excerpt-rows.ts'
import { createExcerpts, type Excerpts } from '#src/local/uploads/page/send-excerpt.ts'
import { fakeUploadRow, idOf } from '#tests/fakes/fake-rows.ts'
import { fragmentedMovie } from '#tests/fixtures/fragments.ts'
import { movie, type WrittenTrack } from '#tests/fixtures/movies.ts'
import { atom } from '#tests/fixtures/picture-boxes.ts'

let db: AccountDb
let nowMs = 1000
beforeEach(async () => {
  db = await openAccountDb(`user-${createIds().uuid()}`)
})
afterEach(() => db.delete())

const track = (kind: string, codec: string, size: number): WrittenTrack => ({
  kind,
  timeScale: 1000,
  perChunk: 5,
  samples: Array.from({ length: 1000 }, (_, at) => ({
    decoded: at * 100,
    lasts: 100,
    later: 0,
    isKey: kind === 'soun' || at % 10 === 0,
    bytes: Buffer.alloc(size, at),
  })),
  entry: atom(codec, Buffer.alloc(78)),
})
const picture = track('vide', 'avc1', 300)
const sound = track('soun', 'mp4a', 5)
const spatial = track('soun', 'apac', 5)

/** A video of 100 s that this device sends. */
async function onItsWay(bytes: Buffer): Promise<{ excerpts: Excerpts; discarded: string[] }> {
  const file = new File([new Uint8Array(bytes)], 'beach.mp4')
  const { name, size, type, lastModified } = file
  await db.uploads.add(
    fakeUploadRow({
      uploadRequestId: idOf(2),
      file: { name, sizeBytes: size, type, lastModifiedEpochMs: lastModified },
    }),
  )
  const discarded: string[] = []
  const excerpts = createExcerpts(() => ({
    db,
    ids: createIds(),
    clock: { now: () => (nowMs += 1) },
    log: silentLog,
    digest: webCryptoDigest,
    open: () => Promise.resolve(ok(file)),
    discard: async (id) => {
      discarded.push(id)
      await db.uploads.update(id, { state: { kind: 'discarded' } })
    },
  }))
  return { excerpts, discarded }
}

const ID = fakeUploadRow().id
const at = (startMs: number): readonly Stretch[] => [{ startMs, endMs: startMs + 3000 }]
const present = async (): Promise<readonly UploadRow[]> => await excerptsOf(db, ID)
const sees = async (id: string | undefined, state: UploadState): Promise<void> => {
  await db.uploads.update(id ?? '', { state })
}

describe('the excerpts of a video on its way', () => {
  it('NOW-01 are one for each order, each added once', async () => {
    const { excerpts, discarded } = await onItsWay(movie([picture, sound]))
    const both = [at(10_000), at(50_000)]
    expect(await excerpts.send(ID, at(10_000), [at(10_000)])).toBe(true)
    expect(await excerpts.send(ID, at(10_000), [at(10_000)])).toBe(false)
    const [first] = await present()
    expect(await excerpts.send(ID, at(50_000), both)).toBe(true)
    await sees(first?.id, { kind: 'done', doneAtEpochMs: 1 })
    expect(await excerpts.send(ID, at(10_000), both)).toBe(false)
    const rows = await present()
    expect(rows.map(heldBy)).toEqual(both)
    expect(shownExcerpt(rows)?.id).toBe(rows[1]?.id)
    expect(discarded).toEqual([])
  })

  it('NOW-08 begin with the keys of the pictures, whose times count from the first one', async () => {
    const late = { ...picture, samples: picture.samples.map((each) => ({ ...each, later: 700 })) }
    for (const bytes of [movie([picture, sound]), movie([late])]) {
      const { excerpts } = await onItsWay(bytes)
      const keys = await excerpts.keyTimes(ID)
      expect(keys).toEqual(Array.from({ length: 100 }, (_, key) => key * 1000))
      await db.uploads.clear()
    }
  })

  it('NOW-08 have no known keys where each picture is one, or the file is no movie', async () => {
    const all = { ...picture, samples: picture.samples.map((each) => ({ ...each, isKey: true })) }
    for (const bytes of [movie([all, sound]), Buffer.alloc(5000, 7)]) {
      const { excerpts } = await onItsWay(bytes)
      expect(await excerpts.keyTimes(ID)).toEqual([])
      await db.uploads.clear()
    }
    expect(await createExcerpts(() => null).keyTimes(ID)).toEqual([])
  })

  it('NOW-01 are given up where nothing of them is asked for any more', async () => {
    const { excerpts, discarded } = await onItsWay(movie([picture, sound]))
    await excerpts.send(ID, at(10_000), [at(10_000)])
    const [first] = await present()
    expect(await excerpts.send(ID, at(50_000), [at(50_000)])).toBe(false)
    expect(discarded).toEqual([first?.id])
    await db.uploads.delete(first?.id ?? '')
    expect(await excerpts.send(ID, at(50_000), [at(50_000)])).toBe(true)
    expect(discarded).toHaveLength(1)
  })

  it('NOW-01 have half of the bytes of their video together', async () => {
    const { excerpts } = await onItsWay(movie([picture, sound]))
    const long = (startMs: number) => [{ startMs, endMs: startMs + 30_000 }]
    expect(await excerpts.send(ID, long(10_000), [long(10_000)])).toBe(true)
    const tooLarge = { ok: false, error: { code: 'excerpt/too-large' } }
    expect(await excerpts.weigh(ID, long(60_000))).toEqual(tooLarge)
    expect(await excerpts.weigh(ID, at(60_000))).toMatchObject({ ok: true })
    expect(await excerpts.send(ID, long(60_000), [long(10_000), long(60_000)])).toBe(false)
  })

  it.each([
    ['an MP4 with one sound', movie([picture, sound]), { hasSeveralSounds: false }],
    [
      'one with spatial sound beside',
      movie([picture, sound, spatial]),
      { hasSeveralSounds: false },
    ],
    ['one with two sounds', movie([picture, sound, sound]), { hasSeveralSounds: true }],
    ['two pictures', movie([picture, picture, sound]), 'excerpt/several-pictures'],
    ['Matroska', Buffer.from('1a45dfa3a3428681014286', 'hex'), 'excerpt/not-a-movie'],
    ['fragments', fragmentedMovie([picture, sound]), { hasSeveralSounds: false }],
  ] as const)('NOW-01 are possible, or it is known why not: %s', async (_name, bytes, expected) => {
    const { excerpts } = await onItsWay(bytes)
    expect(await excerpts.weigh(ID, at(10_000))).toMatchObject(
      typeof expected === 'string' ? { error: { code: expected } } : { value: expected },
    )
  })
})
