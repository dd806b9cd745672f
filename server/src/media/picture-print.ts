import { readFile, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import {
  planPrints,
  PRINT_BYTES,
  printParts,
  PRINTS,
  printSpans,
  SPAN_PICTURES,
  STEP_MS,
  type PrintPart,
} from '#recipes/picture-print.ts'
import type { KnownPrint, PrintSpan } from '#recipes/recognise.ts'
import type { SourceProbe } from '#recipes/types.ts'
import { boundedRun } from '#server/media/bounds.ts'
import { GLANCE_CPU_S, GLANCE_WALL_MS } from '#server/media/cost.ts'
import type { Ffmpeg } from '#server/media/ffmpeg.ts'
import { pathsIn } from '#server/media/render-plan.ts'
import { runFfmpeg } from '#server/media/run.ts'

/** The longest that a held video is read: an hour of 4K takes about as long. */
export const LONGEST_KEEP_S = 30 * 60
const SECOND_MS = 1000
/** One run through a short video takes less than a seek for each span. */
const WHOLE_BELOW_MS = 30_000
/** A minute of the largest pictures that are let in takes less. */
const PART_CPU_S = 300

interface Sitter {
  readonly path: string
  readonly folder: string
  readonly signal: AbortSignal
}

/**
 * One picture of each second of a video, in order; seconds that could not be read, or not in time,
 * are zero. Rejects with the `ToolFault` of the machine, and when aborted.
 */
export async function keepPictures(
  ffmpeg: Ffmpeg,
  source: SourceProbe,
  sitter: Sitter,
): Promise<KnownPrint> {
  const { durationMs } = source
  const kept = new Uint8Array(Math.ceil(durationMs / SECOND_MS) * PRINT_BYTES)
  const endsAt = performance.now() + LONGEST_KEEP_S * SECOND_MS
  for (const part of printParts(durationMs)) {
    const timeoutMs = endsAt - performance.now()
    if (timeoutMs <= 0) break
    const limits = { timeoutMs, cpuSeconds: PART_CPU_S }
    const pictures = await takePictures(ffmpeg, source, sitter, part, {
      stepMs: SECOND_MS,
      ...limits,
    })
    const from = (part.startMs / SECOND_MS) * PRINT_BYTES
    kept.set(pictures.subarray(0, kept.length - from), from)
  }
  return kept
}

/** The spans of a video by which it is compared with those that are kept; rejects alike. */
export async function takeSpans(
  ffmpeg: Ffmpeg,
  source: SourceProbe,
  sitter: Sitter,
): Promise<readonly PrintSpan[]> {
  const { durationMs } = source
  const spans: PrintSpan[] = []
  const limits = { timeoutMs: GLANCE_WALL_MS, cpuSeconds: GLANCE_CPU_S }
  if (durationMs <= WHOLE_BELOW_MS) {
    const whole = { startMs: 0, durationMs }
    const pictures = await takePictures(ffmpeg, source, sitter, whole, {
      stepMs: STEP_MS,
      ...limits,
    })
    return printSpans(durationMs).map(({ startMs }) => {
      const first = startMs / STEP_MS
      const [from, to] = [first * PRINT_BYTES, (first + SPAN_PICTURES) * PRINT_BYTES]
      return { startMs, pictures: pictures.subarray(from, to) }
    })
  }
  for (const part of printSpans(durationMs)) {
    const pictures = await takePictures(ffmpeg, source, sitter, part, {
      stepMs: STEP_MS,
      ...limits,
    })
    spans.push({ startMs: part.startMs, pictures })
  }
  return spans
}

async function takePictures(
  ffmpeg: Ffmpeg,
  source: SourceProbe,
  { path, folder, signal }: Sitter,
  part: PrintPart,
  limits: { readonly stepMs: number; readonly timeoutMs: number; readonly cpuSeconds: number },
): Promise<Uint8Array> {
  const { maxBytes, ...plan } = planPrints(part, limits.stepMs)
  const end = await runFfmpeg(ffmpeg, {
    ...boundedRun(plan, source),
    pathOf: pathsIn({ source: path, folder, assetPaths: new Map() }),
    cwd: folder,
    signal,
    outputDurationMs: 0,
    timeoutMs: limits.timeoutMs,
    cpuSeconds: limits.cpuSeconds,
    maxFileBytes: maxBytes,
  })
  if (!end.ok && end.error.fault !== null) throw end.error.fault
  const made = join(folder, PRINTS)
  const isThere = await stat(made).then(
    () => true,
    () => false,
  )
  if (!isThere) return new Uint8Array()
  const pictures = await readFile(made)
  await rm(made)
  return pictures
}
