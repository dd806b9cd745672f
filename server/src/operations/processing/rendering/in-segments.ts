import { createHash } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { mkdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { setTimeout } from 'node:timers/promises'
import { findRecipe } from '#recipes/presets.ts'
import { divide, readFor, SEGMENT_FILE, segmentName } from '#recipes/segments.ts'
import type { Stretch } from '#recipes/stretch.ts'
import type { PlanContext, RecipePlan, Segment, SourceProbe } from '#recipes/types.ts'
import type { Ctx } from '#server/context.ts'
import { isLostConnection } from '#server/db/lost-connection.ts'
import type { SegmentRow } from '#server/db/rows.ts'
import type { Ffmpeg } from '#server/media/ffmpeg.ts'
import { outlast } from '#server/object-store/outlast.ts'
import { takeLease, type Lease } from '#server/operations/core/lease.ts'
import { segmentsOf } from '#server/operations/media/storage/keys.ts'
import {
  beginSegments,
  claimSegment,
  dropSegments,
  isHelpFree,
  readSegments,
  saveSegment,
  type ClaimedSegment,
} from '#server/operations/processing/tasks/segments.ts'
import { ToolsEnded } from '#server/tool-guard.ts'
import { contextOf, renderGiven, withGiven, type Given, type Making } from './given.ts'
import { reporter } from './reporter.ts'

/** How often the worker that has the edit looks at its segments. */
const LOOK_MS = 500
const LEAST_LOOK_MS = 50
/** Share of the picture's progress that segments have; joining them has the rest. */
const SEGMENTS_SHARE = 0.92

interface Attempt extends Making {
  readonly onProgress: (ratio: number) => void
}

/** The plan of the whole edit, and what it depends on. */
interface Planned {
  readonly plan: RecipePlan
  readonly context: PlanContext
}

/**
 * Makes an edit in segments where it is long and other workers are free, or where an attempt before
 * had begun so ([Note: divided edits] in tasks/segments.ts). Returns the plan whose files then lie
 * in the folder, not yet checked; null where the edit has to be made whole. Rejects when aborted.
 */
export async function makeInSegments(
  ctx: Ctx,
  attempt: Attempt,
  given: Given,
  { plan, context }: Planned,
): Promise<RecipePlan | null> {
  const { task, recipe, signal, ffmpeg } = attempt
  const { source } = given.material
  const segments = await divideFor(ctx, attempt, given, digestOf(plan, ffmpeg))
  if (segments === null) return null
  try {
    const divided = { kind: 'joined', segments } as const
    const joined = recipe.plan(source, task.payload, { ...context, divided })
    if (!joined.ok) throw new Error(joined.error.message)
    // The sound is made first: it can take as long as some segments, which others make meanwhile.
    const soundShare = shareBeforeLast(joined.value)
    const onSegments = (ratio: number): void =>
      attempt.onProgress(soundShare + (1 - soundShare) * SEGMENTS_SHARE * ratio)
    const beforeLast = async (): Promise<void> => {
      await gatherSegments(ctx, { ...attempt, onProgress: onSegments })
    }
    const how = { plan: joined.value, reads: null, beforeLast } as const
    const made = await renderGiven(ctx, attempt, given, how, attempt.onProgress)
    if (!made.ok) throw new Error(made.error.detail)
    return joined.value
  } catch (error) {
    signal.throwIfAborted()
    if (error instanceof ToolsEnded || isLostConnection(error)) throw error
    ctx.log.warn('segments/not-joined', { taskId: task.id, error })
    await dropSegments(ctx, { taskId: task.id })
    return null
  }
}

/** The segments of the edit, as they stand in its rows; null where it is made whole. */
async function divideFor(
  ctx: Ctx,
  { task, recipe, ffmpeg }: Attempt,
  { material: { source } }: Given,
  planDigest: string,
): Promise<readonly Segment[] | null> {
  const { divideFromMs, segmentMs } = ctx.settings
  const begun = await readSegments(ctx, { taskId: task.id })
  if (begun.length > 0 && begun.every((row) => row.planDigest === planDigest && isSound(row)))
    return begun.map(({ fromMs, toMs }) => ({ fromMs, toMs }))
  if (begun.length > 0) await dropSegments(ctx, { taskId: task.id })
  // An excerpt is short, and its edit may fall back to the video.
  if (source.durationMs < divideFromMs || task.sourceUploadId !== null) return null
  const segments = divide(recipe, source, segmentMs)
  if (segments === null || !(await isHelpFree(ctx, ffmpeg))) return null
  return (await beginSegments(ctx, { task, segments, planDigest })) ? segments : null
}

function isSound({ state }: SegmentRow): boolean {
  return state !== 'failed' && state !== 'dropped'
}

/** Names what a plan makes: another ffmpeg may encode in another way. */
function digestOf(plan: RecipePlan, { version }: Ffmpeg): string {
  return createHash('sha256')
    .update(JSON.stringify([plan, version]))
    .digest('hex')
}

/** Share of the work of a plan that its steps before the last one are. */
function shareBeforeLast({ steps }: RecipePlan): number {
  const all = steps.reduce((sum, { weight }) => sum + weight, 0)
  return 1 - (steps.at(-1)?.weight ?? 0) / all
}

/** Brings the files of all segments into the folder when they are made. Throws where one cannot. */
async function gatherSegments(ctx: Ctx, attempt: Attempt): Promise<void> {
  const rows = await untilMade(ctx, attempt)
  if (rows === null) throw new Error('A segment could not be made')
  for (const row of rows) await fetchSegment(ctx, row, attempt)
}

/** Makes segments beside other workers until all are made; null as soon as one cannot be. */
async function untilMade(ctx: Ctx, attempt: Attempt): Promise<readonly SegmentRow[] | null> {
  const { task, signal } = attempt
  const ended = new AbortController()
  const whileWanted = AbortSignal.any([signal, ended.signal])
  let own: Promise<void> | null = null
  try {
    for (;;) {
      signal.throwIfAborted()
      const rows = await readSegments(ctx, { taskId: task.id })
      if (rows.length === 0 || !rows.every(isSound)) return null
      if (rows.every(({ state }) => state === 'made')) return rows
      attempt.onProgress(shareOf(rows))
      own ??= makeOne(ctx, rows, whileWanted).finally(() => {
        own = null
      })
      await Promise.race([own, setTimeout(LOOK_MS, undefined, { signal })])
      // Also where a segment ends as soon as it has begun.
      await setTimeout(LEAST_LOOK_MS, undefined, { signal })
    }
  } finally {
    ended.abort(new Error('The segments have ended'))
    await own
  }
}

/** How much of all segments is made; they are about as long as each other. */
function shareOf(rows: readonly SegmentRow[]): number {
  const made = rows.map(({ state, progressRatio }) => (state === 'made' ? 1 : progressRatio))
  return made.reduce((sum, ratio) => sum + ratio, 0) / Math.max(1, rows.length)
}

/** Makes the first segment that is free; where none is, waits a little. Never rejects. */
async function makeOne(ctx: Ctx, rows: readonly SegmentRow[], signal: AbortSignal): Promise<void> {
  try {
    for (const { id: segmentId, state } of rows) {
      const lease = state === 'made' ? null : await takeLease(ctx, { segmentId })
      if (lease === null) continue
      try {
        return await renderSegment(ctx, { segmentId, lease, stop: signal, hasSlot: false })
      } finally {
        await lease.release()
      }
    }
    await setTimeout(LOOK_MS, undefined, { signal })
  } catch (error) {
    if (!signal.aborted) ctx.log.warn('segment-cut-off', { error })
  }
}

/** Brings the file of a segment to the others. */
async function fetchSegment(
  ctx: Ctx,
  { n, objectKey }: SegmentRow,
  { folder, signal }: Attempt,
): Promise<void> {
  await outlast(ctx.store, signal, async () => {
    const bytes = await ctx.store.read(objectKey ?? '')
    await pipeline(bytes, createWriteStream(join(folder, segmentName(n))), { signal })
  })
}

/**
 * Makes one segment under its lease and stores it. Idempotent, as an edit is: the attempt's number
 * lets only the newest worker say that it is made. Throws when stopped and when the lease or the
 * connection is lost; then it waits again.
 */
export async function renderSegment(
  ctx: Ctx,
  {
    segmentId,
    lease,
    stop,
    hasSlot = true,
  }: {
    readonly segmentId: string
    readonly lease: Lease
    readonly stop: AbortSignal
    /** False where it is made in the slot of its edit. */
    readonly hasSlot?: boolean
  },
): Promise<void> {
  const claimed = await claimSegment(ctx, { segmentId, hasSlot })
  if (claimed === null) return
  const { segment, task } = claimed
  const folder = join(ctx.settings.scratchDir, `segment-${segment.id}-${segment.attempt}`)
  const overtaken = new AbortController()
  const signal = AbortSignal.any([stop, lease.lost, overtaken.signal])
  try {
    await mkdir(folder, { recursive: true })
    const why = await makeSegment(ctx, claimed, { folder, signal, overtaken })
    if (why === null) return
    ctx.log.warn('segment-failed', { taskId: task.id, n: segment.n, detail: why })
    await saveSegment(ctx, segment, { state: 'failed' })
  } catch (error) {
    if (overtaken.signal.aborted) return
    const isCutOff = signal.aborted || error instanceof ToolsEnded || isLostConnection(error)
    // Another worker can make it, unless this one has the edit. Only what is cut off counts.
    const isOther = error instanceof OtherPlan && hasSlot
    await saveSegment(ctx, segment, {
      state: isCutOff || isOther ? 'waiting' : 'failed',
      attempt: isOther ? segment.attempt - 1 : segment.attempt,
      progressRatio: 0,
    })
    throw error
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** This worker, by its ffmpeg or what it knows of faces, would make what fits no other segment. */
class OtherPlan extends Error {
  constructor() {
    super('This worker plans the edit in another way')
  }
}

interface SegmentRun {
  readonly folder: string
  readonly signal: AbortSignal
  /** Aborted when the segment is not this worker's any more. */
  readonly overtaken: AbortController
}

/** Null when it is stored, or another attempt's; else why it cannot be made, for support. */
async function makeSegment(
  ctx: Ctx,
  claimed: ClaimedSegment,
  { folder, signal, overtaken }: SegmentRun,
): Promise<string | null> {
  const { segment, task } = claimed
  const { ffmpeg } = ctx
  const recipe = findRecipe(task.presetSlug)
  if (ffmpeg === null || recipe === undefined) throw new Error('Segments cannot be made here')
  const making: Making = { ...claimed, ffmpeg, recipe, folder, signal }
  const end = await withGiven(ctx, making, async (given) => {
    const { source } = given.material
    const context = await contextOf(ctx, making, given, [])
    const whole = recipe.plan(source, task.payload, context)
    if (!whole.ok || digestOf(whole.value, ffmpeg) !== segment.planDigest) throw new OtherPlan()
    const divided = { kind: 'segment', segment } as const
    const plan = recipe.plan(source, task.payload, { ...context, divided })
    if (!plan.ok) return plan.error.message
    const report = progressOf(ctx, segment, overtaken)
    try {
      const make = async (reads: readonly Stretch[] | null) =>
        await renderGiven(ctx, making, given, { plan: plan.value, reads }, report)
      // What fails of passages is made of all, as edits are.
      const ofPassages = await make([stretchOf(segment, source)])
      const made = ofPassages.ok || ctx.copies.isHere ? ofPassages : await make(null)
      if (!made.ok) return made.error.detail
    } finally {
      await report.settled()
    }
    await storeSegment(ctx, segment, join(folder, SEGMENT_FILE), signal)
    return null
  })
  return end
}

/** What is read for a segment; who joins them reads all, for the sound. */
function stretchOf(segment: Segment, { durationMs: wholeMs }: SourceProbe): Stretch {
  const { seekMs = 0, durationMs = wholeMs } = readFor(segment)
  return { startMs: seekMs, endMs: seekMs + durationMs }
}

/** Stores the file of a segment; it goes again where the segment is not this attempt's any more. */
async function storeSegment(
  ctx: Ctx,
  segment: SegmentRow,
  path: string,
  signal: AbortSignal,
): Promise<void> {
  const objectKey = `${segmentsOf(segment.taskId)}/${segment.n}-${segment.attempt}.mp4`
  await outlast(ctx.store, signal, async () => {
    await ctx.store.putFile(objectKey, path, 'video/mp4')
  })
  const isOwn = await saveSegment(ctx, segment, { state: 'made', progressRatio: 1, objectKey })
  if (!isOwn) await ctx.store.remove(objectKey)
}

/** Stores the progress of a segment, and ends it where it is no longer wanted. */
function progressOf(ctx: Ctx, segment: SegmentRow, overtaken: AbortController) {
  return reporter(
    async (ratio) => {
      if (!(await saveSegment(ctx, segment, { progressRatio: Math.min(0.99, ratio) })))
        overtaken.abort(new Error('The segment is no longer wanted'))
    },
    (error) => ctx.log.warn('progress-not-saved', { taskId: segment.taskId, error }),
  )
}
