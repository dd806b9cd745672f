import type { AccountDb } from '#src/local/db/account-db.ts'
import { pictureOf } from '#src/local/db/images.ts'

const PREFIX = 'filmstrip:'

/** Keys in `images` of an upload's strip, in order. */
export function filmstripPrefix(uploadId: string): string {
  return `${PREFIX}${uploadId}:`
}

/** The strip of an upload in order, as far as it is made; empty when there is none. */
export async function readFilmstrip(db: AccountDb, uploadId: string): Promise<readonly Blob[]> {
  const rows = await db.images.where('key').startsWith(filmstripPrefix(uploadId)).toArray()
  return rows.toSorted((a, b) => numberOf(a.key) - numberOf(b.key)).map(pictureOf)
}

/** Forgets the strips of uploads that are not on this device any more. */
export async function dropStrayPictures(db: AccountDb): Promise<void> {
  await db.transaction('rw', db.images, db.uploads, async () => {
    const known = new Set<string>(await db.uploads.toCollection().primaryKeys())
    const keys = await db.images.where('key').startsWith(PREFIX).primaryKeys()
    await db.images.bulkDelete(keys.filter((key) => !known.has(key.split(':')[1] ?? '')))
  })
}

function numberOf(key: string): number {
  return Number(key.slice(key.lastIndexOf(':') + 1))
}
