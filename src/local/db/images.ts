import type { AccountDb } from './account-db.ts'
import { readIsPlain, type DeviceDb } from './device-db.ts'
import { mosaicOf } from './mosaic.ts'
import type { ImageRow } from './rows.ts'
import type { Clock } from '#src/lib/time.ts'

/**
 * [Note: mosaics] Where the user of a device is discreet, no picture of a video lies on it: what is
 * stored is a mosaic, and a picture itself is in memory only, while its owner looks at it. This
 * file writes every row of `images`, so that no list, pull or check can forget it, and
 * `components/pictures/ListPicture.tsx` draws them.
 *
 * The choice is read when a picture has come, and again after its row is written: a page that
 * becomes discreet meanwhile has looked through the table before the row was there. Each page looks
 * through it when it starts as well (`leaveMosaicsOnly`): one that was killed may have left
 * pictures, and so may a version of the app that did not know mosaics.
 */

export interface ImageDeps {
  readonly db: AccountDb
  readonly deviceDb: DeviceDb
  readonly clock: Pick<Clock, 'now'>
}

/**
 * Stores a picture of this device, or its mosaic. Where no mosaic can be made, nothing is stored.
 * Outside of a transaction; rejects where the device cannot keep it.
 * @param put writes the row, where that takes more than the row itself
 */
export async function keepImage(
  { db, deviceDb, clock }: ImageDeps,
  key: string,
  picture: Blob,
  put: (row: ImageRow) => Promise<unknown> = (row) => db.images.put(row),
): Promise<void> {
  const isPlain = await readIsPlain(deviceDb)
  const kept = isPlain ? await mosaicOf(picture) : picture
  if (kept === null) return
  await put({ ...(await imageRow(db, key, kept, clock.now())), ...(isPlain ? MOSAIC : {}) })
  if (!isPlain && (await readIsPlain(deviceDb))) await leaveMosaicsOnly(db)
}

const MOSAIC = { isMosaic: true } as const

/** Puts a mosaic in the place of each picture; takes away those of which none can be made. */
export async function leaveMosaicsOnly(db: AccountDb): Promise<void> {
  for (const key of await db.images.toCollection().primaryKeys()) {
    const row = await db.images.get(key)
    if (row === undefined || row.isMosaic === true) continue
    const mosaic = await mosaicOf(pictureOf(row))
    const next = mosaic === null ? null : await imageRow(db, key, mosaic, row.savedAtEpochMs)
    await db.transaction('rw', db.images, async () => {
      // One that has gone meanwhile stays gone.
      if ((await db.images.get(key)) === undefined) return
      await (next === null ? db.images.delete(key) : db.images.put({ ...next, ...MOSAIC }))
    })
  }
}

/** Forgets all mosaics, so that the next pull brings the pictures themselves. */
export async function dropMosaics(db: AccountDb): Promise<void> {
  await db.images.filter(({ isMosaic }) => isMosaic === true).delete()
}

/** The row as the app lock wants it now. Outside of a transaction. */
export async function resealedImage(keys: AccountDb['keys'], row: ImageRow): Promise<ImageRow> {
  const next = await imageRow({ keys }, row.key, pictureOf(row), row.savedAtEpochMs)
  return { ...next, ...(row.isMosaic === true ? MOSAIC : {}) }
}

async function imageRow(
  { keys }: Pick<AccountDb, 'keys'>,
  key: string,
  picture: Blob,
  savedAtEpochMs: number,
): Promise<ImageRow> {
  if (keys === null) return { key, blob: picture, savedAtEpochMs }
  const bytes = new Uint8Array(await picture.arrayBuffer())
  return { key, sealable: { bytes, contentType: picture.type }, savedAtEpochMs }
}

/** The picture of a row. */
export function pictureOf({ blob, sealable }: ImageRow): Blob {
  if (blob !== undefined) return blob
  return new Blob([sealable?.bytes ?? ''], { type: sealable?.contentType ?? '' })
}
