import { handedLock, keptFetchesOf, settle } from './by-browser.ts'
import { isOfFile, readSteps } from './fetch-step.ts'
import type { KeptBytes } from './kept-bytes.ts'
import type { AccountDb } from '#src/local/db/account-db.ts'
import type { HandedFile, KeptFileRow } from '#src/local/db/rows.ts'
import type { BackgroundFetchRegistration } from '#src/lib/background-fetch.ts'
import type { Locks } from '#src/lib/locks.ts'

export interface RecordDeps {
  readonly db: AccountDb
  readonly bytes: KeptBytes
  readonly locks: Locks
  readonly userId: string
}

/**
 * Copies what the browser has got of a file, for the account that is signed in: see
 * [Note: got by the browser]. What is missing then is the loop's; a file that a person has ended in
 * the browser's own list waits for a press. Call it in the event that ends the registration: the
 * browser forgets its records afterwards.
 */
export async function recordFetched(
  deps: RecordDeps,
  registration: Pick<BackgroundFetchRegistration, 'id' | 'failureReason' | 'matchAll'>,
): Promise<void> {
  const { db, locks, userId } = deps
  const own = keptFetchesOf(userId)
  if (!registration.id.startsWith(own)) return
  const outputId = registration.id.slice(own.length)
  // Where it is not free, a page takes the file back.
  await locks.ifFree(handedLock(userId, outputId), async () => {
    const row = await db.keptFiles.get(outputId)
    // It is not wanted any more, or it was taken back.
    if (row?.handed === undefined) return
    const [record] = await registration.matchAll()
    const answer = (await record?.responseReady.catch(() => null)) ?? null
    const isHere =
      answer !== null &&
      isOfFile(answer, outputId) &&
      (await copy(deps, row, row.handed, answer).catch(() => false))
    if (isHere) await settle(db, outputId, { state: 'kept', gotBytes: row.sizeBytes })
    else if (registration.failureReason !== 'aborted')
      await settle(db, outputId, { state: 'queued' })
    else await settle(db, outputId, { state: 'failed', fault: 'stopped' })
  })
}

/** Whether all of it is here. */
async function copy(
  { db, bytes }: RecordDeps,
  { outputId, sizeBytes }: KeptFileRow,
  { fromBytes }: HandedFile,
  answer: Response,
): Promise<boolean> {
  let at = fromBytes
  for await (const step of readSteps(answer, fromBytes, sizeBytes)) {
    await bytes.write(outputId, at, step)
    at += step.size
    // It was removed meanwhile.
    if ((await db.keptFiles.get(outputId)) !== undefined) continue
    await bytes.remove(outputId)
    return false
  }
  return at === sizeBytes
}
