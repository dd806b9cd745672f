import { and, desc, eq, gt, ne, or, sql } from 'drizzle-orm'
import type { components } from '#openapi/schema.gen.ts'
import { sampledRecipe } from '#recipes/sample.ts'
import { SAMPLE_LIFE_MS, SAMPLES_PER_DAY } from '#server/budgets.ts'
import { inTransaction, type ReadCtx, type TxCtx, type UserCtx } from '#server/context.ts'
import { onlyRow } from '#server/db/only-row.ts'
import type { SampleRow } from '#server/db/rows.ts'
import { samples } from '#server/db/schema.ts'
import { readStoredProbe } from '#server/media/stored-probe.ts'
import { countOrRefuse } from '#server/operations/core/limits.ts'
import { checkTasks } from '#server/operations/media/media-jobs/create.ts'
import { refuseSoundless } from '#server/operations/media/media-jobs/refuse-soundless.ts'
import { sampleKeyOf } from '#server/operations/media/storage/keys.ts'
import { findUpload } from '#server/operations/media/uploads/find.ts'
import { refuseBeyondProcessorTime } from '#server/operations/media/uploads/processor-time.ts'
import { refuseDead } from '#server/operations/media/uploads/refuse-dead.ts'
import { requirePermission } from '#server/policies/require-permission.ts'
import { notFound, Problem } from '#server/problems.ts'

type Asked = components['schemas']['CreateSampleBody']['sample']

/** Failed ones are tried again, and older ones go soon: a page may still show them. */
const REUSED_MS = SAMPLE_LIFE_MS / 2
/** Longer than all tries take: what waits since then has no message in the queue any more. */
const LONGEST_WAIT_MS = 20 * 60_000
const LOST = 'The server was interrupted while it made this preview.'

/**
 * Asks for a sample of an edit, once for the same edit with the same options, so that a repeated
 * call is harmless. Needs create:orders. Refuses: `uploads/not-complete` before the video is
 * checked, `presets/not-offered` for an edit of passages, `presets/needs-sound`,
 * `request/too-many`, and what `createMediaJob` refuses of uploads, presets and their options.
 */
export async function askForSample(
  ctx: UserCtx,
  { id, sample: asked }: { readonly id: string; readonly sample: Asked },
): Promise<SampleRow> {
  requirePermission(ctx.user, 'create:orders')
  return await inTransaction(ctx, async (ctx) => {
    // The lock makes a double click wait for itself.
    const upload = await findUpload(ctx, { id, lock: 'update' })
    refuseDead(upload)
    const source = readStoredProbe(upload.probe)
    if (upload.purpose !== 'media-job' || upload.state !== 'validated' || source === null)
      throw new Problem(
        'uploads/not-complete',
        'The server makes previews once your video has arrived and was checked.',
      )
    const slug = asked.mediaJobTaskPresetSlug
    if (sampledRecipe(slug) === null)
      throw new Problem('presets/not-offered', 'The passages of this edit show what it makes.', {
        fields: { 'sample.mediaJobTaskPresetSlug': 'Not an edit of the whole video.' },
      })
    const tasks = await checkTasks(ctx, { upload, requests: [asked], fieldOf: () => 'sample' })
    refuseSoundless(upload, tasks)
    const { presetSlug, payload } = onlyRow(tasks)
    const edit = { uploadRequestId: id, presetSlug, payload, sound: source.tracks?.sound ?? 0 }
    const known = await findSame(ctx, edit)
    if (known !== undefined) return known
    await refuseBeyondProcessorTime(ctx)
    await countOrRefuse(ctx, {
      key: `samples:${ctx.user.id}`,
      limit: SAMPLES_PER_DAY,
      windowMs: SAMPLE_LIFE_MS,
      what: 'previews were made today',
    })
    const row = { id: ctx.newId(), ...edit, state: 'waiting' as const, createdAt: ctx.clock() }
    const sample = onlyRow(await ctx.db.insert(samples).values(row).returning())
    await queueSample(ctx, { sampleId: sample.id })
    return sample
  })
}

/** Queues the making of a sample, unless it waits already. */
export async function queueSample(
  ctx: Pick<TxCtx, 'db' | 'queue'>,
  { sampleId }: { readonly sampleId: string },
  startAfterS?: number,
): Promise<void> {
  const later = startAfterS === undefined ? {} : { startAfterS }
  await ctx.queue.enqueue(ctx.db, 'make-sample', { sampleId }, { singletonKey: sampleId, ...later })
}

async function findSame(
  ctx: Pick<TxCtx, 'db' | 'clock'>,
  edit: Pick<SampleRow, 'uploadRequestId' | 'presetSlug' | 'payload' | 'sound'>,
): Promise<SampleRow | undefined> {
  const [row] = await ctx.db
    .select()
    .from(samples)
    .where(
      and(
        or(ne(samples.state, 'waiting'), gt(samples.createdAt, sinceOf(ctx, LONGEST_WAIT_MS))),
        eq(samples.uploadRequestId, edit.uploadRequestId),
        eq(samples.presetSlug, edit.presetSlug),
        eq(samples.sound, edit.sound),
        ne(samples.state, 'failed'),
        gt(samples.createdAt, sinceOf(ctx, REUSED_MS)),
        sql`${samples.payload} = ${JSON.stringify(edit.payload)}::jsonb`,
      ),
    )
    .orderBy(desc(samples.createdAt))
    .limit(1)
  return row
}

function sinceOf({ clock }: Pick<TxCtx, 'clock'>, agoMs: number): Date {
  return new Date(clock().getTime() - agoMs)
}

interface Named {
  /** Of the upload. */
  readonly id: string
  readonly sampleId: string
}

/**
 * One of the user's samples; one that a server left in its last try has failed. Refuses:
 * `uploads/not-found`, `uploads/held`, `samples/not-found`.
 */
export async function findSample(ctx: UserCtx, { id, sampleId }: Named): Promise<SampleRow> {
  const upload = await findUpload(ctx, { id })
  const row = await readSample(ctx, { sampleId })
  if (row?.uploadRequestId !== upload.id) throw notFound('samples/not-found')
  const isLost = row.state === 'waiting' && row.createdAt <= sinceOf(ctx, LONGEST_WAIT_MS)
  return isLost ? { ...row, state: 'failed', message: LOST } : row
}

/** A sample of any user. */
export async function readSample(
  ctx: Pick<ReadCtx, 'db'>,
  { sampleId }: Pick<Named, 'sampleId'>,
): Promise<SampleRow | undefined> {
  const [row] = await ctx.db.select().from(samples).where(eq(samples.id, sampleId))
  return row
}

/** Refuses: `uploads/not-found`, `uploads/held`, `samples/not-found` also before it is ready. */
export async function findSampleVideo(
  ctx: UserCtx,
  { side, ...named }: Named & { readonly side: 'before' | 'after' },
): Promise<{ readonly objectKey: string; readonly tag: string; readonly contentType: string }> {
  const sample = await findSample(ctx, named)
  if (sample.state !== 'ready') throw notFound('samples/not-found')
  return {
    objectKey: sampleKeyOf(sample, side),
    tag: `${sample.id}-${side}`,
    contentType: 'video/mp4',
  }
}
