import { setImmediate } from 'node:timers/promises'
import { and, asc, gt, isNotNull } from 'drizzle-orm'
import { compareVideos, isSameVideo, MIN_COMPARED, type Agreement } from '#recipes/recognise.ts'
import type { Stretch } from '#recipes/stretch.ts'
import type { SourceProbe } from '#recipes/types.ts'
import type { Ctx } from '#server/context.ts'
import { knownVideos } from '#server/db/schema.ts'
import { takeSpans } from '#server/media/picture-print.ts'

/** A video that a new one was made from, as far as their pictures say. */
export interface Recognised extends Agreement {
  readonly uploadRequestId: string
}

/** A checked video and a folder for what the look at it writes. */
interface Sitter {
  readonly path: string
  readonly probe: SourceProbe
  readonly folder: string
  readonly signal: AbortSignal
}

/**
 * The held or removed video that a new one was made from, by its pictures (docs/reports.md says how
 * surely); else null. Looks at the file only when there is such a video at all. Rejects with the
 * `ToolFault` of the machine and the reason of `signal`.
 */
export async function recognise(
  ctx: Pick<Ctx, 'db' | 'ffmpeg'>,
  { path, probe, folder, signal }: Sitter,
): Promise<Recognised | null> {
  const known = await nextKnown(ctx, null)
  if (known === undefined || ctx.ffmpeg === null) return null
  const spans = await takeSpans(ctx.ffmpeg, probe, { path, folder, signal })
  return await findAmong(ctx, { known, spans, signal })
}

/**
 * Whether an excerpt may be of a held or removed video: it is recognised, or shows too little to
 * tell. As `recognise`.
 * @param stretches where it has pictures of its own
 */
export async function mayBeKnown(
  ctx: Pick<Ctx, 'db' | 'ffmpeg'>,
  { path, probe, folder, signal }: Sitter,
  stretches: readonly Stretch[],
): Promise<boolean> {
  const known = await nextKnown(ctx, null)
  if (known === undefined || ctx.ffmpeg === null) return false
  const spans = await takeSpans(ctx.ffmpeg, probe, { path, folder, signal }, stretches)
  return spans.length < MIN_COMPARED || (await findAmong(ctx, { known, spans, signal })) !== null
}

type KnownVideo = NonNullable<Awaited<ReturnType<typeof nextKnown>>>

/** @param known the first of those that are compared */
async function findAmong(
  ctx: Pick<Ctx, 'db'>,
  {
    known: first,
    spans,
    signal,
  }: {
    readonly known: KnownVideo
    readonly spans: Awaited<ReturnType<typeof takeSpans>>
    readonly signal: AbortSignal
  },
): Promise<Recognised | null> {
  let known: KnownVideo | undefined = first
  while (known !== undefined) {
    const { uploadRequestId, pictures } = known
    const found = pictures && (await compareVideos(pictures, spans, () => pause(signal)))
    if (found !== null && isSameVideo(found)) return { ...found, uploadRequestId }
    known = await nextKnown(ctx, uploadRequestId)
  }
  return null
}

/** One at a time: an hour of video has half a megabyte. */
async function nextKnown({ db }: Pick<Ctx, 'db'>, after: string | null) {
  const [known] = await db
    .select()
    .from(knownVideos)
    .where(
      and(
        isNotNull(knownVideos.pictures),
        after === null ? undefined : gt(knownVideos.uploadRequestId, after),
      ),
    )
    .orderBy(asc(knownVideos.uploadRequestId))
    .limit(1)
  return known
}

async function pause(signal: AbortSignal): Promise<void> {
  await setImmediate()
  signal.throwIfAborted()
}
