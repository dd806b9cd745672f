import { and, eq, isNull } from 'drizzle-orm'
import { inTransaction, type Ctx } from '#server/context.ts'
import type { ImportRow, UploadRow } from '#server/db/rows.ts'
import { uploadImports, uploadRequests } from '#server/db/schema.ts'
import { seal, unseal } from '#server/db/vault.ts'
import { OutgoingError } from '#server/net/outgoing.ts'
import { isUnavailable, Problem } from '#server/problems.ts'
import { GIVEN_UP_AFTER_MS, restSeconds } from '#server/operations/core/rest.ts'
import { queueAfterLease, takeLease } from '#server/operations/core/lease.ts'
import { ImportFault, ImportRefused } from './answers.ts'
import { copyMissingParts, copyWhole } from './copy.ts'
import { enqueueDueImports, enqueueImport } from './enqueue.ts'
import { needsPerson } from '#server/operations/media/uploads/import-facts.ts'
import { LONGEST_LOOK_MS } from './create.ts'
import { kindOf } from './kinds/all.ts'
import { cipherOf } from './cipher.ts'
import { ImportEnded, noteProgress } from './progress.ts'
import { dropParts, failImport, finishImport, type ImportFailure } from './settle.ts'
import { NoPieces } from './source.ts'

/** A message to fetch an import; `signal` aborts when the worker stops. */
interface ImportDelivery {
  readonly uploadRequestId: string
  readonly signal: AbortSignal
}

/** An import and its upload, which takes parts. */
interface OpenImport {
  readonly upload: UploadRow
  readonly row: ImportRow
}

/** Where a host gives no pieces, each break costs the whole file. */
const MAX_WHOLE_TRIES = 3
/** A host may refuse for a moment; a link that has expired is refused each time. */
const MAX_REFUSALS = 3

/**
 * Fetches an import as far as its host lets it, and completes its upload when all parts are here.
 * One import of an account at a time, in any process: a lease of the account says so. Idempotent:
 * it goes on from the parts that are stored.
 */
export async function runImport(
  ctx: Ctx,
  { uploadRequestId, signal }: ImportDelivery,
): Promise<void> {
  const found = await readOpenImport(ctx, uploadRequestId)
  if (found === null) return
  const { userId } = found.upload
  const lease = await takeLease(ctx, { importsOfUserId: userId })
  // The import that runs queues the next one when it ends, unless its process is frozen.
  if (lease === null) {
    const message = { uploadRequestId }
    return await queueAfterLease(ctx, { importsOfUserId: userId }, 'import-upload', message)
  }
  try {
    await advance(ctx, { uploadRequestId, signal: AbortSignal.any([signal, lease.lost]) })
  } finally {
    await lease.release()
  }
  await enqueueDueImports(ctx, { userId })
}

/** Tries until the import ends or has to wait. */
async function advance(ctx: Ctx, delivery: ImportDelivery): Promise<void> {
  for (;;) {
    // Read again each time: it may have been given up, and what a try found out is in its row.
    const open = await readOpenImport(ctx, delivery.uploadRequestId)
    if (open === null || needsPerson(open.row) || open.row.nextAt > ctx.clock()) return
    const outcome = await tryOnce(ctx, open, delivery.signal)
    if (outcome === 'ended') return
    if (outcome === 'complete') return await finishImport(ctx, open)
    if (outcome !== 'again') return await failImport(ctx, { ...open, failure: outcome })
  }
}

type Outcome = 'complete' | 'again' | 'ended' | ImportFailure

async function tryOnce(ctx: Ctx, open: OpenImport, stop: AbortSignal): Promise<Outcome> {
  const { upload, row } = open
  const silentMs = ctx.clock().getTime() - row.lastByteAt.getTime()
  if (row.attempts > 0 && silentMs > GIVEN_UP_AFTER_MS)
    return failed(upload, `Nothing came from ${row.host} for 24 hours.`)
  const place = unseal(ctx.secrets.vault, row.linkCipher, cipherOf(upload))
  // The keys were replaced and forgotten.
  if (place === null) return await leaveToOwner(ctx, open, 'gone')
  // It may have waited its turn for long; from now on the host is waited for.
  if (row.attempts === 0) await change(ctx, row, { lastByteAt: ctx.clock() })
  if (!row.takesRanges) {
    if (row.wholeTries >= MAX_WHOLE_TRIES)
      return failed(
        upload,
        `${row.host} cannot go on with a copy that broke off, and it broke off ${MAX_WHOLE_TRIES} times.`,
      )
    // Counted before it begins, so that a process that dies has counted.
    await change(ctx, row, { wholeTries: row.wholeTries + 1 })
  }
  try {
    await copy(ctx, open, place, stop)
    return 'complete'
  } catch (error) {
    // The worker stops, or another one has the right now: the row says what is due.
    stop.throwIfAborted()
    // Our own store was away: that was no try of the host's.
    if (isUnavailable(error)) await change(ctx, row, { wholeTries: row.wholeTries })
    return await judge(ctx, open, { place, error, stop })
  }
}

async function copy(ctx: Ctx, open: OpenImport, place: string, stop: AbortSignal): Promise<void> {
  const { upload, row } = open
  await using progress = noteProgress(ctx, { uploadRequestId: upload.id })
  const { sizeBytes } = upload
  const { validator } = row
  const signal = AbortSignal.any([stop, progress.ended])
  const file = await kindOf(upload).reach(ctx, { place, userId: upload.userId, signal })
  const nowMs = (): number => ctx.clock().getTime()
  const { onBytes, onHeld, onStored } = progress
  const source = { file, nowMs, sizeBytes, validator, signal, onBytes }
  await file.confirm?.(row)
  // Not the validator: another link to the same file may have another one.
  const version = String(row.changes)
  const copying = { upload, source, version, onHeld, onStored }
  await (row.takesRanges ? copyMissingParts : copyWhole)(ctx, copying)
  await file.confirm?.(row)
}

interface Fault {
  readonly place: string
  readonly error: unknown
  readonly stop: AbortSignal
}

/** What follows from what a try ran into. Bugs and a broken disk are thrown again. */
async function judge(ctx: Ctx, open: OpenImport, fault: Fault): Promise<Outcome> {
  const { error } = fault
  if (error instanceof ImportEnded) return 'ended'
  if (error instanceof NoPieces) {
    await change(ctx, open.row, { takesRanges: false })
    return 'again'
  }
  if (error instanceof OutgoingError)
    return error.fault === 'away'
      ? await wait(ctx, open, 'away')
      : await judgeFault(ctx, open, { ...fault, error: new ImportFault('refused') })
  if (error instanceof ImportFault) return await judgeFault(ctx, open, { ...fault, error })
  if (error instanceof ImportRefused) return failed(open.upload, error.message)
  if (!(error instanceof Problem)) throw error
  switch (error.code) {
    case 'parts/upload-ended':
    case 'uploads/held':
      return 'ended'
    case 'uploads/no-space':
      return await wait(ctx, open, 'no-space', error.retryAfterS)
    case 'parts/busy':
    case 'parts/idle':
    case 'parts/superseded':
      return await wait(ctx, open, 'away', error.retryAfterS)
    default:
      throw error
  }
}

async function judgeFault(
  ctx: Ctx,
  open: OpenImport,
  { place, error, stop }: Fault & { readonly error: ImportFault },
): Promise<Outcome> {
  switch (error.kind) {
    case 'gone':
      return await leaveToOwner(ctx, open, 'gone')
    case 'refused':
    // Often a page to log in.
    case 'page':
      return open.row.attempts + 1 >= MAX_REFUSALS
        ? await leaveToOwner(ctx, open, 'gone')
        : await wait(ctx, open, 'refused')
    case 'changed':
      return await beginAgain(ctx, open, place, stop)
    case 'sign-in':
      return await leaveToOwner(ctx, open, 'sign-in')
    case 'encoded':
    case 'away':
      return await wait(ctx, open, 'away', error.retryAfterS)
  }
}

/** Another file: the parts are dropped, once, and only if the new one fits their plan. */
async function beginAgain(
  ctx: Ctx,
  open: OpenImport,
  place: string,
  stop: AbortSignal,
): Promise<Outcome> {
  const { upload, row } = open
  const another = failed(upload, 'The file changed while it was copied.')
  if (row.changes > 0) return another
  const signal = AbortSignal.any([stop, AbortSignal.timeout(LONGEST_LOOK_MS)])
  const found = await kindOf(upload)
    .look(ctx, { place, userId: upload.userId, signal })
    .catch(isAway)
  if (found === 'away') return await wait(ctx, open, 'away')
  if (found?.sizeBytes !== upload.sizeBytes) return another
  await dropParts(ctx, { upload })
  await change(ctx, row, {
    changes: row.changes + 1,
    linkCipher: seal(ctx.secrets.vault, found.place, cipherOf(upload)),
    validator: found.validator,
    headSha256: found.headSha256 ?? null,
    md5: found.md5 ?? null,
    takesRanges: found.takesRanges,
  })
  return 'again'
}

/**
 * A host that does not answer may later; one that refuses has no such file any more. A drive that
 * does not let the server in is the next try's matter.
 */
function isAway(error: unknown): 'away' | null {
  const isFile = error instanceof Problem && !error.code.startsWith('external-auths/')
  return isFile && error.code !== 'uploads/link-away' ? null : 'away'
}

/** Keeps what is here and tries nothing, until a person has done something. */
async function leaveToOwner(
  ctx: Ctx,
  { upload, row }: OpenImport,
  problem: 'gone' | 'sign-in',
): Promise<Outcome> {
  await change(ctx, row, { problem, seenAt: null })
  ctx.log.info(`import-${problem}`, { uploadRequestId: upload.id })
  return 'ended'
}

/** Lets the host rest: longer each time in a row, or as long as it asks for. */
async function wait(
  ctx: Ctx,
  { upload, row }: OpenImport,
  problem: NonNullable<ImportRow['problem']>,
  askedS: number | null | undefined = null,
): Promise<Outcome> {
  const [current] = await ctx.db
    .select({ attempts: uploadImports.attempts })
    .from(uploadImports)
    .where(eq(uploadImports.uploadRequestId, upload.id))
  if (current === undefined) return 'ended'
  const waitS = restSeconds(current.attempts, askedS)
  await inTransaction(ctx, async (ctx) => {
    await ctx.db
      .update(uploadImports)
      .set({
        attempts: current.attempts + 1,
        problem,
        nextAt: new Date(ctx.clock().getTime() + waitS * 1000),
        seenAt: null,
      })
      .where(eq(uploadImports.uploadRequestId, row.uploadRequestId))
    await enqueueImport(ctx, { uploadRequestId: upload.id, startAfterS: waitS })
  })
  return 'ended'
}

async function change(ctx: Ctx, row: ImportRow, to: Partial<ImportRow>): Promise<void> {
  await ctx.db
    .update(uploadImports)
    .set(to)
    .where(eq(uploadImports.uploadRequestId, row.uploadRequestId))
}

async function readOpenImport(
  ctx: Pick<Ctx, 'db'>,
  uploadRequestId: string,
): Promise<OpenImport | null> {
  const [found] = await ctx.db
    .select({ upload: uploadRequests, row: uploadImports })
    .from(uploadImports)
    .innerJoin(uploadRequests, eq(uploadRequests.id, uploadImports.uploadRequestId))
    .where(
      and(
        eq(uploadRequests.id, uploadRequestId),
        eq(uploadRequests.state, 'open'),
        isNull(uploadRequests.heldAt),
      ),
    )
  return found ?? null
}

function failed(upload: UploadRow, what: string): ImportFailure {
  return { message: `${what} ${kindOf(upload).advice}` }
}
