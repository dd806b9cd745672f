import type { ApiClient } from '#src/api/client.ts'
import { codeOf, statusOf } from '#src/api/errors.ts'
import { send } from '#src/api/send.ts'
import type { AccountDb } from '#src/local/db/account-db.ts'
import {
  addLeftUploads,
  forgetLeftUploads,
  readLeftUploads,
  type DeviceDb,
  type LeftUpload,
} from '#src/local/db/device-db.ts'
import type { UploadState } from '#src/local/db/rows.ts'
import { DAY_MS, type Clock } from '#src/lib/time.ts'

/**
 * The server removes an unfinished upload 7 days after its last part; a day more, since clocks
 * differ.
 */
export const FORGOTTEN_AFTER_MS = 8 * DAY_MS
/**
 * The whole file has arrived, or may have: it stays at the server for the account's other devices.
 */
const WHOLE: ReadonlySet<UploadState['kind']> = new Set<UploadState['kind']>([
  'finalising',
  'verifying',
  'done',
])

export interface LeftUploadsDeps {
  readonly api: ApiClient
  readonly deviceDb: DeviceDb
  readonly clock: Pick<Clock, 'now'>
  /** SHA-256. */
  readonly digest: (bytes: ArrayBuffer) => Promise<ArrayBuffer>
}

/**
 * [Note: left uploads] A sign-out takes the bytes and rows of unfinished uploads off this device,
 * so no page can finish them: the server may delete their parts. What could not be reported to the
 * server is remembered in the device's database, as the upload's id and a hash that only the id of
 * its owner gives. It is reported in the session that was left, while that lives, or when the owner
 * signs in again. The server refuses to delete what a job uses (409), so nothing ordered is lost.
 */

/**
 * Remembers the unfinished uploads of an account that is about to be wiped. Local only. @returns
 * how many there are
 */
export async function rememberLeftUploads(
  deps: Omit<LeftUploadsDeps, 'api'>,
  userId: string,
  db: AccountDb,
): Promise<number> {
  const ids = await leftIds(db)
  const left = await Promise.all(
    ids.map(async (uploadRequestId): Promise<LeftUpload> => ({
      uploadRequestId,
      ownerHash: await ownerHash(deps.digest, uploadRequestId, userId),
      leftAtEpochMs: deps.clock.now(),
    })),
  )
  if (left.length > 0) await addLeftUploads(deps.deviceDb, left)
  return left.length
}

/**
 * Asks the server to delete what was left, as far as the present session may; what the server
 * confirmed is forgotten. Remote and local, idempotent, does not reject without an answer.
 * @param userId whose session it is; null when only the cookie knows, after a sign-out that was not
 * reported to the server
 */
export async function abortLeftUploads(
  deps: LeftUploadsDeps,
  userId: string | null,
  signal?: AbortSignal,
): Promise<void> {
  const left = await readLeftUploads(deps.deviceDb)
  const over: string[] = []
  await Promise.all(
    left.map(async ({ uploadRequestId, ownerHash: hash, leftAtEpochMs }) => {
      const isTooOld = deps.clock.now() - leftAtEpochMs > FORGOTTEN_AFTER_MS
      const isOwn =
        userId === null || (await ownerHash(deps.digest, uploadRequestId, userId)) === hash
      if (
        isTooOld ||
        (isOwn && (await isGivenUp(deps.api, uploadRequestId, userId !== null, signal)))
      )
        over.push(uploadRequestId)
    }),
  )
  if (over.length > 0) await forgetLeftUploads(deps.deviceDb, over)
}

async function leftIds(db: AccountDb): Promise<readonly string[]> {
  const [uploads, intentions] = await Promise.all([db.uploads.toArray(), db.outbox.toArray()])
  const unfinished = uploads.filter(
    ({ state }) =>
      !WHOLE.has(state.kind) && !(state.kind === 'failed' && state.code === 'upload/invalid-file'),
  )
  const discarded = intentions.flatMap(({ intent }) =>
    intent.kind === 'abort-upload' ? [intent.uploadRequestId] : [],
  )
  return [
    ...new Set([
      ...unfinished.flatMap(({ uploadRequestId }) => uploadRequestId ?? []),
      ...discarded,
    ]),
  ]
}

/** @param isOwn with another's session 404 says nothing */
async function isGivenUp(
  api: ApiClient,
  id: string,
  isOwn: boolean,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  const answer = await send(
    api.DELETE('/v1/upload-requests/{id}', {
      params: { path: { id } },
      ...(signal === undefined ? {} : { signal }),
    }),
  )
  return (
    answer.ok ||
    codeOf(answer.error) === 'uploads/in-use' ||
    (isOwn && statusOf(answer.error) === 404)
  )
}

async function ownerHash(
  digest: LeftUploadsDeps['digest'],
  uploadRequestId: string,
  userId: string,
): Promise<string> {
  const hash = await digest(new TextEncoder().encode(`${uploadRequestId}:${userId}`).buffer)
  return Array.from(new Uint8Array(hash), (byte) => byte.toString(16).padStart(2, '0')).join('')
}
