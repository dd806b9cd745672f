import type { Page } from '@playwright/test'

/** Where the bytes of an upload are after its page forgot them. */
export type Left = 'nowhere' | 'handle'

/**
 * Makes the page use the file input, which a test can answer; the browser's own picker it cannot.
 * Call before the page loads.
 */
export async function breakFilePicker(page: Page): Promise<void> {
  await page.addInitScript(() => {
    Reflect.deleteProperty(window, 'showOpenFilePicker')
  })
}

/**
 * Removes the copy of every upload's file from the device, like a browser that keeps none; with
 * 'handle' a permanent handle to the same bytes replaces it. A reload clears the page's memory.
 */
export async function forgetFile(page: Page, left: Left): Promise<void> {
  await page.evaluate(async (isHandleLeft) => {
    const database = await openAccount()
    const settled = <T>(request: IDBRequest<T>): Promise<T> =>
      new Promise((resolve, reject) => {
        request.onsuccess = () => resolve(request.result)
        request.onerror = () => reject(request.error ?? new Error('refused'))
      })
    const blobs = () => database.transaction('blobs', 'readwrite').objectStore('blobs')
    let copies: { readonly uploadId: string; readonly blob: Blob }[] = []
    // The copy is made while the upload runs and may not be complete yet.
    while (copies.length === 0) copies = await settled(blobs().getAll())
    for (const { uploadId, blob } of copies) {
      if (isHandleLeft) {
        const handle = await (
          await navigator.storage.getDirectory()
        ).getFileHandle(uploadId, { create: true })
        const writable = await handle.createWritable()
        await writable.write(blob)
        await writable.close()
        await settled(
          database
            .transaction('handles', 'readwrite')
            .objectStore('handles')
            .put({ uploadId, handle }),
        )
      }
      await settled(blobs().delete(uploadId))
    }
    database.close()

    async function openAccount(): Promise<IDBDatabase> {
      const name = (await indexedDB.databases())
        .map((found) => found.name ?? '')
        .find((found) => found.startsWith('onecut-account-'))
      const opening = indexedDB.open(name ?? '')
      return new Promise((resolve, reject) => {
        opening.onsuccess = () => resolve(opening.result)
        opening.onerror = () => reject(opening.error ?? new Error('not opened'))
      })
    }
  }, left === 'handle')
}

/** Gives the draft of this device a permanent handle, to a file that `forgetFile` has left. */
export async function giveDraftHandle(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const settled = <T>(request: IDBRequest<T>): Promise<T> =>
      new Promise((resolve, reject) => {
        request.onsuccess = () => resolve(request.result)
        request.onerror = () => reject(request.error ?? new Error('refused'))
      })
    const name = (await indexedDB.databases())
      .map((found) => found.name ?? '')
      .find((found) => found.startsWith('onecut-account-'))
    const database = await settled(indexedDB.open(name ?? ''))
    const rows: { readonly id: string; readonly state: { readonly kind: string } }[] =
      await settled(database.transaction('uploads').objectStore('uploads').getAll())
    const uploadId = rows.find(({ state }) => state.kind === 'draft')?.id
    const root = await navigator.storage.getDirectory()
    for await (const handle of root.values())
      await settled(
        database
          .transaction('handles', 'readwrite')
          .objectStore('handles')
          .put({ uploadId, handle }),
      )
    database.close()
  })
}

/** States of the uploads that this device holds. */
export function readUploads(page: Page): Promise<readonly string[]> {
  return page.evaluate(async () => {
    const name = (await indexedDB.databases())
      .map((found) => found.name ?? '')
      .find((found) => found.startsWith('onecut-account-'))
    if (name === undefined) return []
    const opening = indexedDB.open(name)
    return new Promise<readonly string[]>((resolve, reject) => {
      opening.onerror = () => reject(opening.error ?? new Error('not opened'))
      opening.onsuccess = () => {
        const reading: IDBRequest<{ readonly state: { readonly kind: string } }[]> = opening.result
          .transaction('uploads')
          .objectStore('uploads')
          .getAll()
        reading.onerror = () => reject(reading.error ?? new Error('not read'))
        reading.onsuccess = () => {
          opening.result.close()
          resolve(reading.result.map(({ state }) => state.kind))
        }
      }
    })
  })
}

/** How many copies of files this device keeps for its uploads. */
export function countCopies(page: Page): Promise<number> {
  return page.evaluate(async () => {
    const name = (await indexedDB.databases())
      .map((found) => found.name ?? '')
      .find((found) => found.startsWith('onecut-account-'))
    if (name === undefined) return 0
    const opening = indexedDB.open(name)
    return new Promise<number>((resolve, reject) => {
      opening.onerror = () => reject(opening.error ?? new Error('not opened'))
      opening.onsuccess = () => {
        const counting = opening.result.transaction('blobs').objectStore('blobs').count()
        counting.onerror = () => reject(counting.error ?? new Error('not counted'))
        counting.onsuccess = () => {
          opening.result.close()
          resolve(counting.result)
        }
      }
    })
  })
}
