import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createFakeClock } from '#tests/fakes/fake-clock.ts'
import { openTestDb, openTestDeviceDb } from '#tests/fakes/fake-db.ts'
import { fakeMediaAsset, fakeMediaJob, fakeUploadRow, idOf } from '#tests/fakes/fake-rows.ts'
import { createIds } from '#src/lib/ids.ts'
import { silentLog } from '#src/lib/log.ts'
import { err } from '#src/lib/result.ts'
import type { AccountDb } from '#src/local/db/account-db.ts'
import { writeIsPlain, type DeviceDb } from '#src/local/db/device-db.ts'
import {
  dropMosaics,
  keepImage,
  leaveMosaicsOnly,
  pictureOf,
  resealedImage,
} from '#src/local/db/images.ts'
import { MOSAIC_WIDTH } from '#src/local/db/mosaic.ts'
import { keepUploadPoster } from '#src/local/db/posters.ts'
import { mediaJobToRow } from '#src/local/db/to-rows.ts'
import { mediaAssets } from '#src/local/nouns/media-assets.ts'
import { deepCheckUpload } from '#src/local/probe/deep-check-upload.ts'
import { saveAssetThumbnails, saveJobThumbnails } from '#src/local/sync/images.ts'

const PROBED = { findings: [] } as never

/** A picture of which only its width is known, as the stand-ins below read it. */
const pictureOfWidth = (width: number) => new Blob([String(width)], { type: 'image/jpeg' })

/** Stand for what the browser makes pictures with; `discreet.test.tsx` has the real ones. */
class FakeCanvas {
  readonly width: number
  constructor(width: number) {
    this.width = width
  }
  getContext() {
    return { drawImage: () => undefined }
  }
  async convertToBlob({ type }: { readonly type: string }) {
    return new Blob([String(this.width)], { type })
  }
}
async function decode(picture: Blob, { resizeWidth }: { readonly resizeWidth: number }) {
  if (Number.isNaN(Number(await picture.text()))) throw new Error('no picture')
  return { width: resizeWidth, height: 14, close: () => undefined }
}

let db: AccountDb
let deviceDb: DeviceDb
beforeEach(async () => {
  vi.stubGlobal('OffscreenCanvas', FakeCanvas)
  vi.stubGlobal('createImageBitmap', decode)
  db = await openTestDb()
  deviceDb = await openTestDeviceDb()
})
afterEach(() => vi.unstubAllGlobals())

const clock = createFakeClock()
const widths = async () =>
  await Promise.all(
    (await db.images.toArray()).map(async (row) => Number(await pictureOf(row).text())),
  )

async function keepOfEachKind(): Promise<void> {
  const deps = {
    db,
    deviceDb,
    clock,
    log: silentLog,
    origin: 'http://onecut.test',
    fetch: async () => new Response(pictureOfWidth(640)),
  }
  const format = { ...fakeMediaAsset().format, thumbnailUrl: '/asset' } as never
  await db.mediaJobs.put(mediaJobToRow(fakeMediaJob({ thumbnailUrl: '/job' }), 1))
  await db.mediaAssets.put(mediaAssets.toRow(fakeMediaAsset({ format }), 1))
  await db.uploads.put(fakeUploadRow({ id: 'u', probe: PROBED }))
  await keepUploadPoster(deps, 'u', pictureOfWidth(640))
  await saveJobThumbnails(deps as never, [idOf(1)])
  await saveAssetThumbnails(deps as never)
  const media = {
    deepCheck: (_file: File, _options: unknown, onPicture: (index: number, of: Blob) => void) => {
      for (const index of [0, 1]) onPicture(index, pictureOfWidth(160))
      return Promise.resolve(err({ code: 'probe/timeout' as const }))
    },
  }
  const locks = {
    ifFree: async (_name: string, work: () => Promise<void>) => {
      await work()
      return true
    },
  }
  await deepCheckUpload(
    { ...deps, ids: createIds(), locks, media: media as never },
    'u',
    new File(['video'], 'scene.mp4'),
  )
}

test('PHO-05 a discreet device stores no picture wider than a mosaic, wherever it comes from', async () => {
  await keepOfEachKind()
  expect((await widths()).toSorted((a, b) => a - b)).toEqual([160, 160, 640, 640, 640])
  await db.images.clear()
  await writeIsPlain(deviceDb, true)
  await keepOfEachKind()
  expect(await widths()).toEqual([1, 2, 3, 4, 5].map(() => MOSAIC_WIDTH))
})

test('PHO-05 what is stored when a device becomes discreet becomes mosaics, and what cannot goes', async () => {
  await keepOfEachKind()
  await keepImage({ db, deviceDb, clock }, 'broken', new Blob(['no picture']))
  await writeIsPlain(deviceDb, true)
  await leaveMosaicsOnly(db)
  expect(await widths()).toEqual([1, 2, 3, 4, 5].map(() => MOSAIC_WIDTH))
  await keepImage({ db, deviceDb, clock }, 'broken', new Blob(['no picture']))
  expect(await db.images.get('broken')).toBeUndefined()
  await writeIsPlain(deviceDb, false)
  await dropMosaics(db)
  expect(await db.images.count()).toBe(0)
  await keepOfEachKind()
  expect(await widths()).toContain(640)
})

test('PHO-05 a device that becomes discreet while a picture is written keeps its mosaic', async () => {
  await keepImage({ db, deviceDb, clock }, 'late', pictureOfWidth(640), async (row) => {
    // Another page, which does not see this row yet.
    await writeIsPlain(deviceDb, true)
    await leaveMosaicsOnly(db)
    await db.images.put(row)
  })
  expect(await widths()).toEqual([MOSAIC_WIDTH])
})

test('PHO-05 a mosaic stays one when the app lock is put on or taken off', async () => {
  await writeIsPlain(deviceDb, true)
  await keepImage({ db, deviceDb, clock }, 'one', pictureOfWidth(640))
  const row = (await db.images.get('one')) ?? { key: '', savedAtEpochMs: 0 }
  const sealed = await resealedImage({} as never, row)
  expect([sealed.isMosaic, sealed.blob, await pictureOf(sealed).text()]).toEqual([
    true,
    undefined,
    String(MOSAIC_WIDTH),
  ])
})
