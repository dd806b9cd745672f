import type { BrowserSender, HandedPart } from './port.ts'
import type { CommandResult } from '#src/local/uploads/api.ts'
import { compareFile } from '#src/local/uploads/file/fingerprint.ts'
import { sha256Base64 } from '#src/local/uploads/file/hash.ts'
import { commandRow } from '#src/local/uploads/model/command.ts'
import { reduceUpload, type UploadEvent } from '#src/local/uploads/model/machine.ts'
import { missingParts, partRange, partSize } from '#src/local/uploads/model/plan.ts'
import type { ByteSource, ServerPart, UploadDeps, WantedPart } from '#src/local/uploads/ports.ts'
import { isHandedOver } from '#src/local/db/upload-states.ts'
import type { PartPlan, UploadRow } from '#src/local/db/rows.ts'
import { lookAtWork, type WorkSeen } from '#src/lib/browser-work.ts'
import { describeBug } from '#src/lib/describe-bug.ts'
import { err, ok } from '#src/lib/result.ts'
import { SECOND_MS } from '#src/lib/time.ts'

/**
 * [Note: handing over] A page gives the remaining parts of an upload to the browser (Background
 * Fetch), which sends them without a page, and goes on after a restart. While the row is
 * `handing-over` or `handed-over`, no engine drives the upload. Each request carries the hash of
 * its part, so that what the server stored is proven without the file; the service worker records
 * that when the browser has ended. Nothing ends the browser's sending: Chromium 156 crashes in one
 * of three tries (decision 23). Requests for a discarded upload are refused by the server.
 */

/** A part that the browser sent and the server stored. */
export interface FetchedPart {
  readonly partNumber: number
  readonly eTag: string
  readonly sha256: string
}

export interface HandOverDeps extends Pick<
  UploadDeps,
  'clock' | 'store' | 'locks' | 'bytes' | 'digest' | 'log' | 'api'
> {
  readonly sender: BrowserSender
}

/**
 * Gives the remaining parts to the browser. Reads them all to hash them, and the browser copies
 * them: some seconds for each GB. When it fails, the upload goes on here. Refuses:
 * `upload/not-possible`, `upload/not-handed-over`, `upload/not-saved`, `upload/not-found`.
 */
export async function handOver(deps: HandOverDeps, uploadId: string): Promise<CommandResult> {
  const begun = await commandRow(deps.store, uploadId, (row) =>
    reduceUpload(row, { kind: 'hand-over' }, deps.clock.now()),
  )
  if (!begun.ok) return begun
  const row = begun.value
  return deps.locks.withLock(lockOf(uploadId), NEVER, async () => {
    const end = await give(deps, row).catch((thrown: unknown) => {
      deps.log.warn('an upload was not handed over', describeBug(thrown))
      return 'refused' as const
    })
    const event: UploadEvent = { kind: end === 'taken' ? 'handed-over' : 'take-back' }
    const written = await apply(deps, row, event).catch(() => null)
    // The person paused or discarded it meanwhile: the row says what holds now.
    if (written === null && end === 'taken') await forgetUnsent(deps, uploadId)
    return end === 'refused' && written !== null
      ? err({ code: 'upload/not-handed-over' })
      : ok(undefined)
  })
}

/**
 * Follows an upload that is handed over, by whichever page, and calls `onSent` with all bytes that
 * the browser has sent so far. Resolves when the upload is not handed over any more. Takes it back
 * where the browser does not send it ([Note: work of the browser] in `src/lib/browser-work.ts`):
 * Chromium loses a request that begins at the moment when a page closes, and begins none whose page
 * died in `send`.
 */
export async function followHandedOver(
  deps: HandOverDeps,
  uploadId: string,
  onSent: (sentBytes: number, row: UploadRow) => void,
): Promise<void> {
  const { clock, api } = deps
  const looking = { clock, forgottenAfterMs: FORGOTTEN_MS, isAnswering: () => api.ping(NEVER) }
  let last: WorkSeen | undefined
  for (;;) {
    const row = await deps.store.read(uploadId)
    if (row === null || !isHandedOver(row.state.kind)) return
    const sentBytes = await sentBytesOf(deps, uploadId)
    if (sentBytes !== null && sentBytes !== last?.bytes) {
      onSent(sentBytes, row)
      if (sentBytes > 0) await apply(deps, row, { kind: 'handed-over' })
    }
    last = await lookAtWork(looking, sentBytes, last)
    if (last.isOver)
      // Held by the page that hands over, or by the service worker while it records.
      await deps.locks.withFreeLock(lockOf(uploadId), async () => {
        await forgetUnsent(deps, row.id)
        await apply(deps, row, { kind: 'take-back' })
      })
    await clock.sleep(SECOND_MS)
  }
}

/** What has begun is left to end by itself: see [Note: handing over]. */
async function forgetUnsent(
  { sender }: Pick<HandOverDeps, 'sender'>,
  uploadId: string,
): Promise<void> {
  const sending = await sender.sending(uploadId)
  if (sending?.sentBytes === 0) await sending.forget()
}

/** Null while the browser knows nothing of the upload. */
async function sentBytesOf(
  { sender }: Pick<HandOverDeps, 'sender'>,
  uploadId: string,
): Promise<number | null> {
  return (await sender.sending(uploadId))?.sentBytes ?? null
}

/**
 * Records what the browser sent, and gives the rest back to the engine. An upload that was taken
 * back meanwhile is left alone.
 * @param wasEnded whether the person ended it in the browser's own list: then the upload is paused
 */
export async function recordFetched(
  deps: Pick<UploadDeps, 'clock' | 'store' | 'locks'>,
  uploadId: string,
  fetched: readonly FetchedPart[],
  wasEnded: boolean,
): Promise<void> {
  await deps.locks.withLock(lockOf(uploadId), NEVER, async () => {
    const row = await deps.store.read(uploadId)
    if (row === null || row.plan === null || !isHandedOver(row.state.kind)) return
    await recordParts(deps, row, row.plan, fetched)
    await apply(deps, row, { kind: wasEnded ? 'pause' : 'take-back' })
  })
}

/** Records parts that the server stored, with the hashes that they were sent with. */
async function recordParts(
  { store, clock }: Pick<UploadDeps, 'clock' | 'store'>,
  { id, epoch }: UploadRow,
  plan: PartPlan,
  stored: readonly FetchedPart[],
): Promise<void> {
  const safe = new Map(
    (await store.parts(id)).map(({ partNumber, sizeBytes }) => [partNumber, sizeBytes]),
  )
  for (const part of stored) {
    if (part.partNumber < 1 || part.partNumber > plan.partCount) continue
    const sizeBytes = partSize(plan, part.partNumber)
    safe.set(part.partNumber, sizeBytes)
    await store.putPart(
      epoch,
      { ...part, uploadId: id, sizeBytes, safeAtEpochMs: clock.now() },
      Array.from(safe.values()).reduce((sum, bytes) => sum + bytes, 0),
    )
  }
}

/** Hashes the missing parts and gives them to the browser. `needless`: the server has them all. */
async function give(deps: HandOverDeps, row: UploadRow): Promise<'taken' | 'refused' | 'needless'> {
  const { plan, uploadRequestId } = row
  if (plan === null || uploadRequestId === null) return 'refused'
  const source = await deps.bytes.open(row)
  if (!source.ok) return 'refused'
  const hashes = await hashMissing(deps, row, plan, source.value)
  if (hashes === null) return 'refused'
  const wanted = Array.from(hashes, ([partNumber, sha256]) => ({ partNumber, sha256 }))
  const listed = await longPartUrls(deps, uploadRequestId, wanted)
  if (listed === null) return 'refused'
  const parts: HandedPart[] = []
  const stored: FetchedPart[] = []
  for (const { partNumber, url, headers, eTag, sha256: storedSha256 } of listed) {
    const sha256 = hashes.get(partNumber) ?? ''
    const { start, end } = partRange(plan, partNumber)
    if (eTag !== null && storedSha256 === sha256) stored.push({ partNumber, eTag, sha256 })
    else if (url === null) return 'refused'
    else parts.push({ url, headers, body: source.value.slice(start, end), sha256 })
  }
  // They were in flight when the engine let go.
  await recordParts(deps, row, plan, stored)
  if (parts.length === 0) return 'needless'
  if (!(await deps.sender.send(row.id, parts))) return 'refused'
  await untilFirstByte(deps, row)
  return 'taken'
}

/**
 * Waits until the browser sends, so that no page is closed at the moment when the first
 * requests begin: Chromium loses these until its next start. Offline it begins none.
 */
async function untilFirstByte(deps: HandOverDeps, { id, epoch }: UploadRow): Promise<void> {
  const untilMs = deps.clock.now() + FIRST_BYTE_MS
  while (deps.clock.now() < untilMs && (await sentBytesOf(deps, id)) === 0) {
    if ((await deps.store.read(id))?.epoch !== epoch) return
    await deps.clock.sleep(FIRST_BYTE_MS / 40)
  }
}

/**
 * The hashes of the missing parts by number. Null when the file cannot be read or is another one,
 * and when a command came in between.
 */
async function hashMissing(
  { store, digest }: Pick<HandOverDeps, 'store' | 'digest'>,
  row: UploadRow,
  plan: PartPlan,
  source: ByteSource,
): Promise<ReadonlyMap<number, string> | null> {
  const safe = await store.parts(row.id)
  const compared = await compareFile(digest, source, row, safe)
  if (!compared.ok || compared.value === 'differs') return null
  const hashes = new Map<number, string>()
  for (const partNumber of missingParts(plan, new Set(safe.map((part) => part.partNumber)))) {
    if ((await store.read(row.id))?.epoch !== row.epoch) return null
    const { start, end } = partRange(plan, partNumber)
    const bytes = await source.read(start, end)
    if (!bytes.ok) return null
    hashes.set(partNumber, await sha256Base64(digest, bytes.value))
  }
  return hashes
}

/** The server's words on these parts, with URLs that live for a day; null when it has none now. */
async function longPartUrls(
  { api }: Pick<HandOverDeps, 'api'>,
  uploadRequestId: string,
  wanted: readonly WantedPart[],
): Promise<readonly ServerPart[] | null> {
  const listed: ServerPart[] = []
  for (let from = 0; from < wanted.length; from += NUMBERS_A_CALL) {
    const some = wanted.slice(from, from + NUMBERS_A_CALL)
    const bare = some.map(({ partNumber }) => ({ partNumber, sha256: null }))
    let answer = await api.partUrls(uploadRequestId, bare, NEVER, URL_LIFE_S)
    if (answer.ok && answer.value.some(({ url }) => url === null))
      answer = await api.partUrls(uploadRequestId, some, NEVER, URL_LIFE_S)
    if (!answer.ok) return null
    listed.push(...answer.value)
  }
  return listed
}

/** Applies an event, unless another command came in between: then null. */
function apply(
  { store, clock }: Pick<HandOverDeps, 'store' | 'clock'>,
  { id, epoch }: UploadRow,
  event: UploadEvent,
): Promise<UploadRow | null> {
  return store.change(id, epoch, (row) => reduceUpload(row, event, clock.now()))
}

/** Most numbers that one call takes. */
const NUMBERS_A_CALL = 100
/** Chromium sends the first byte 2 to 3 s after it took over. */
const FIRST_BYTE_MS = 10 * SECOND_MS
/** The longest life of a part URL that the server gives. */
const URL_LIFE_S = 24 * 3600

/**
 * The service worker records within this time what the browser has ended; the browser forgets it at
 * the moment when it tells the service worker.
 */
const FORGOTTEN_MS = 5 * SECOND_MS

/** Holders of an upload's lock let go as soon as they see a new epoch. */
const NEVER = new AbortController().signal

function lockOf(uploadId: string): string {
  return `upload:${uploadId}`
}
