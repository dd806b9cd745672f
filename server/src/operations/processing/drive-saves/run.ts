import { and, eq } from 'drizzle-orm'
import { inTransaction, type Ctx } from '#server/context.ts'
import type { DriveSaveRow } from '#server/db/rows.ts'
import { driveSaves, mediaJobs, mediaJobTasks, taskOutputs } from '#server/db/schema.ts'
import { WriteFault, type DriveWriter } from '#server/drives/writer.ts'
import { OutgoingError } from '#server/net/outgoing.ts'
import { GIVEN_UP_AFTER_MS, restSeconds } from '#server/operations/core/rest.ts'
import { queueAfterLease, takeLease } from '#server/operations/core/lease.ts'
import { Problem } from '#server/problems.ts'
import { enqueueDueSaves, enqueueSave, isOpenSave } from './enqueue.ts'
import { noteSaving, SaveEnded } from './progress.ts'
import { removeSaved, sendFile, type OpenSave } from './send.ts'

/** A message to save a file; `signal` aborts when the worker stops. */
interface SaveDelivery {
  readonly driveSaveId: string
  readonly signal: AbortSignal
}

/**
 * Saves a file to a drive as far as the drive lets it. One of an account at a time, in any process:
 * a lease of the account says so. Idempotent: [Note: one copy] in send.ts.
 */
export async function runDriveSave(ctx: Ctx, delivery: SaveDelivery): Promise<void> {
  const found = await readOpenSave(ctx, delivery.driveSaveId)
  if (found === null) return
  const { userId } = found.save
  const lease = await takeLease(ctx, { savesOfUserId: userId })
  // The save that runs queues the next one when it ends, unless its process is frozen.
  if (lease === null) {
    const message = { driveSaveId: delivery.driveSaveId }
    return await queueAfterLease(ctx, { savesOfUserId: userId }, 'save-to-drive', message)
  }
  try {
    await advance(ctx, { ...delivery, signal: AbortSignal.any([delivery.signal, lease.lost]) })
  } finally {
    await lease.release()
  }
  await enqueueDueSaves(ctx, { userId })
}

async function advance(ctx: Ctx, { driveSaveId, signal }: SaveDelivery): Promise<void> {
  // Read again under the lease: another process may have come further.
  const open = await readOpenSave(ctx, driveSaveId)
  if (open === null || open.save.problem === 'sign-in' || open.save.nextAt > ctx.clock()) return
  const { save } = open
  const silentMs = ctx.clock().getTime() - save.lastByteAt.getTime()
  if (save.attempts > 0 && silentMs > GIVEN_UP_AFTER_MS) return await fail(ctx, save, 'silent')
  // It may have waited its turn for long; from now on the drive is waited for.
  if (save.attempts === 0) await change(ctx, save, { lastByteAt: ctx.clock() })
  // The keys of the server were taken away.
  if (ctx.driveWriter === null) return await wait(ctx, save)
  await tryOnce(ctx, { ...open, writer: ctx.driveWriter, stop: signal })
}

interface Try extends OpenSave {
  readonly writer: DriveWriter
  readonly stop: AbortSignal
}

async function tryOnce(ctx: Ctx, { stop, ...open }: Try): Promise<void> {
  const { save } = open
  try {
    const outcome = await send(ctx, { stop, ...open })
    if (outcome !== 'saved') return await fail(ctx, save, outcome)
    if (!(await end(ctx, save, { state: 'saved', failure: null }))) throw new SaveEnded()
  } catch (error) {
    // The worker stops, or another one has the right now: the row says what is due.
    stop.throwIfAborted()
    if (error instanceof SaveEnded) return await cleanUp(ctx, { stop, ...open })
    await judge(ctx, save, error)
  }
}

async function send(ctx: Ctx, { stop, ...open }: Try): Promise<'saved' | 'damaged' | 'file-gone'> {
  const { id: driveSaveId, savedBytes } = open.save
  await using progress = noteSaving(ctx, { driveSaveId, savedBytes })
  const signal = AbortSignal.any([stop, progress.ended])
  return await sendFile(ctx, { ...open, progress, signal })
}

/** What follows from what a try ran into. Bugs and a broken disk are thrown again. */
async function judge(ctx: Ctx, save: DriveSaveRow, error: unknown): Promise<void> {
  if (error instanceof WriteFault)
    switch (error.kind) {
      case 'token':
        return await change(ctx, save, { problem: 'sign-in' })
      case 'full':
        return await fail(ctx, save, 'drive-full')
      case 'refused':
        return await fail(ctx, save, 'refused')
      case 'away':
        return await wait(ctx, save, error.retryAfterS)
    }
  // No answer, or an address that the drive itself named and that is not its own.
  if (error instanceof OutgoingError) return await wait(ctx, save)
  if (!(error instanceof Problem)) throw error
  switch (error.code) {
    case 'external-auths/permission-missing':
    case 'external-auths/refresh-expired':
      return await change(ctx, save, { problem: 'sign-in' })
    case 'external-auths/not-found':
      return void (await end(ctx, save, { state: 'canceled', failure: null }))
    case 'external-auths/away':
      return await wait(ctx, save, error.retryAfterS)
    default:
      throw error
  }
}

/** What was cancelled leaves nothing in the drive; what is held goes on once it is released. */
async function cleanUp(ctx: Ctx, { save, writer, stop }: Try): Promise<void> {
  const [current] = await ctx.db.select().from(driveSaves).where(eq(driveSaves.id, save.id))
  if (current?.state === 'canceled') await removeSaved(ctx, { save: current, writer, signal: stop })
}

/** Lets the drive rest: longer each time in a row, or as long as it asks for. */
async function wait(ctx: Ctx, { id }: DriveSaveRow, askedS?: number | null): Promise<void> {
  await inTransaction(ctx, async (ctx) => {
    // Read again: the try may have brought it forward.
    const [current] = await ctx.db
      .select()
      .from(driveSaves)
      .where(and(eq(driveSaves.id, id), eq(driveSaves.state, 'open')))
      .for('update')
    if (current === undefined) return
    const waitS = restSeconds(current.attempts, askedS)
    const nextAt = new Date(ctx.clock().getTime() + waitS * 1000)
    await ctx.db
      .update(driveSaves)
      .set({ attempts: current.attempts + 1, problem: 'away', nextAt, seenAt: null })
      .where(eq(driveSaves.id, id))
    await enqueueSave(ctx, { driveSaveId: id, startAfterS: waitS })
  })
}

async function fail(
  ctx: Ctx,
  save: DriveSaveRow,
  failure: NonNullable<DriveSaveRow['failure']>,
): Promise<void> {
  await end(ctx, save, { state: 'failed', failure })
}

/** Ends a save, which forgets where its bytes went; false where it is not open any more. */
async function end(
  ctx: Ctx,
  { id }: DriveSaveRow,
  to: Pick<DriveSaveRow, 'state' | 'failure'>,
): Promise<boolean> {
  const { rowCount } = await ctx.db
    .update(driveSaves)
    .set({ ...to, problem: null, sessionCipher: null, seenAt: null })
    .where(and(eq(driveSaves.id, id), isOpenSave(ctx)))
  if (rowCount === 0) return false
  ctx.log.info('drive-save-ended', { driveSaveId: id, ...to })
  return true
}

async function change(
  ctx: Pick<Ctx, 'db'>,
  { id }: DriveSaveRow,
  to: Partial<DriveSaveRow>,
): Promise<void> {
  await ctx.db.update(driveSaves).set(to).where(eq(driveSaves.id, id))
}

async function readOpenSave(ctx: Pick<Ctx, 'db'>, driveSaveId: string): Promise<OpenSave | null> {
  const [found] = await ctx.db
    .select({ save: driveSaves, output: taskOutputs, job: mediaJobs })
    .from(driveSaves)
    .innerJoin(taskOutputs, eq(taskOutputs.id, driveSaves.outputId))
    .innerJoin(mediaJobTasks, eq(mediaJobTasks.id, taskOutputs.taskId))
    .innerJoin(mediaJobs, eq(mediaJobs.id, mediaJobTasks.mediaJobId))
    .where(and(eq(driveSaves.id, driveSaveId), isOpenSave(ctx)))
  return found ?? null
}
