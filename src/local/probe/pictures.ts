import type { AccountDb } from '#src/local/db/account-db.ts'

/** Key in `images` of the first picture of an upload. */
export function posterKey(uploadId: string): string {
  return `poster:${uploadId}`
}

/** Keys in `images` of an upload's strip, in order. */
export function filmstripPrefix(uploadId: string): string {
  return `filmstrip:${uploadId}:`
}

/** The strip of an upload in order, as far as it is made; empty when there is none. */
export async function readFilmstrip(db: AccountDb, uploadId: string): Promise<readonly Blob[]> {
  const rows = await db.images.where('key').startsWith(filmstripPrefix(uploadId)).toArray()
  return rows.toSorted((a, b) => numberOf(a.key) - numberOf(b.key)).map((row) => row.blob)
}

/** Forgets the pictures of uploads that are not on this device any more. */
export async function dropStrayPictures(db: AccountDb): Promise<void> {
  await db.transaction('rw', db.images, db.uploads, async () => {
    const known = new Set(await db.uploads.toCollection().primaryKeys())
    const keys = (await Promise.all(['poster:', 'filmstrip:'].map((prefix) => db.images.where('key').startsWith(prefix).primaryKeys()))).flat()
    await db.images.bulkDelete(keys.filter((key) => !known.has(key.split(':')[1] ?? '')))
  })
}

function numberOf(key: string): number {
  return Number(key.slice(key.lastIndexOf(':') + 1))
}
