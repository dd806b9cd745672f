import { handedLock, keptFetchesOf, settle, type HandedRow } from './by-browser.ts'
import { isOfFile, readSteps } from './fetch-step.ts'
import type { KeptBytes } from './kept-bytes.ts'
import type { AccountDb } from '#src/local/db/account-db.ts'
import type { KeptFileRow } from '#src/local/db/rows.ts'
import type { BackgroundFetchRegistration } from '#src/lib/background-fetch.ts'
import { describeBug } from '#src/lib/describe-bug.ts'
import type { Log } from '#src/lib/log.ts'
import type { Locks } from '#src/lib/locks.ts'

export interface CopyDeps {
  readonly db: AccountDb
  readonly bytes: KeptBytes
  readonly locks: Locks
  readonly log: Log
  readonly userId: string
}

/**
 * Copies what the browser has got of a file, for the account that is signed in: see
 * [Note: got by the browser]. What is missing then is the loop's; a file that a person has ended in
 * the browser's own list waits for a press. Call it in the event that ends the registration: the
 * browser forgets its records afterwards.
 */
export async function copyFetched(
  deps: CopyDeps,
  registration: Pick<BackgroundFetchRegistration, 'id' | 'failureReason' | 'matchAll'>,
): Promise<void> {
  const { db, locks, log, userId } = deps
  const own = keptFetchesOf(userId)
  if (!registration.id.startsWith(own)) return
  const [outputId = '', atEpochMs] = registration.id.slice(own.length).split(':')
  // Where it is not free, a page takes the file back.
  await locks.ifFree(handedLock(userId, outputId), async () => {
    const row = await db.keptFiles.get(outputId)
    // It is not wanted any more, or it was taken back, maybe to be given to the browser again.
    if (row?.handed === undefined || String(row.handed.atEpochMs) !== atEpochMs) return
    const handedRow = { ...row, handed: row.handed }
    const [record] = await registration.matchAll()
    const answer = (await record?.responseReady.catch(() => null)) ?? null
    const isHere =
      answer !== null &&
      isOfFile(answer, outputId) &&
      (await copy(deps, handedRow, answer).catch((thrown: unknown) => {
        log.warn('copying what the browser got failed', describeBug(thrown))
        return false
      }))
    if (isHere) await settle(db, handedRow, { state: 'kept', gotBytes: row.sizeBytes })
    else if (registration.failureReason !== 'aborted')
      await settle(db, handedRow, { state: 'queued' })
    else await settle(db, handedRow, { state: 'failed', fault: 'stopped' })
  })
}

/**
 * Whether all of it is here. Pages remove the file, and the account, beside this: nothing is
 * written or left without a row.
 */
async function copy(
  { db, bytes }: CopyDeps,
  { outputId, sizeBytes, handed: { fromBytes, atEpochMs } }: HandedRow,
  answer: Response,
): Promise<boolean> {
  const isWanted = async () => (await rowOrNull(db, outputId))?.handed?.atEpochMs === atEpochMs
  let at = fromBytes
  try {
    for await (const step of readSteps(answer, fromBytes, sizeBytes)) {
      if (!(await isWanted())) return false
      await bytes.write(outputId, at, step)
      at += step.size
      if (!(await isWanted())) return false
    }
    return at === sizeBytes
  } finally {
    if ((await rowOrNull(db, outputId)) === null) await bytes.remove(outputId)
  }
}

/** Null also where the account was removed or locked, which closes or seals its database. */
async function rowOrNull(db: AccountDb, outputId: string): Promise<KeptFileRow | null> {
  return db.keptFiles.get(outputId).then(
    (row) => row ?? null,
    () => null,
  )
}
