import type { AccountDb } from './account-db.ts'
import type { ImageRow } from './rows.ts'

/** A picture as a row of `images`. Outside of a transaction. */
export async function imageRow(
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
