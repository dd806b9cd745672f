import { readFile, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import {
  planPrints,
  PRINT_BYTES,
  printParts,
  printsOf,
  printSpans,
  printSpansWithin,
  SPAN_PICTURES,
  STEP_MS,
  type PrintPart,
} from '#recipes/picture-print.ts'
import type { KnownPrint, PrintSpan } from '#recipes/recognise.ts'
import type { Stretch } from '#recipes/stretch.ts'
import type { SourceProbe } from '#recipes/types.ts'
import { boundedRun } from '#server/media/bounds.ts'
import { atEachPlace } from '#server/media/each-place.ts'
import type { Ffmpeg } from '#server/media/ffmpeg.ts'
import { glance } from '#server/media/glance.ts'
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
    const run = printRun(source, sitter, [part], SECOND_MS)
    const limits = { outputDurationMs: 0, timeoutMs, cpuSeconds: PART_CPU_S }
    const end = await runFfmpeg(ffmpeg, { ...run, ...limits })
    if (!end.ok && end.error.fault !== null) throw end.error.fault
    const pictures = await takePictures(sitter, 0)
    const from = (part.startMs / SECOND_MS) * PRINT_BYTES
    kept.set(pictures.subarray(0, kept.length - from), from)
  }
  return kept
}

/**
 * The spans of a video by which it is compared with those that are kept; rejects alike.
 * @param stretches of an excerpt: outside of them there are no pictures of its own
 */
export async function takeSpans(
  ffmpeg: Ffmpeg,
  source: SourceProbe,
  sitter: Sitter,
  stretches?: readonly Stretch[],
): Promise<readonly PrintSpan[]> {
  const { durationMs } = source
  const look = async (parts: readonly PrintPart[]): Promise<readonly PrintSpan[] | null> => {
    const end = await glance(ffmpeg, printRun(source, sitter, parts, STEP_MS))
    const spans: PrintSpan[] = []
    for (const [index, { startMs }] of parts.entries())
      spans.push({ startMs, pictures: await takePictures(sitter, index) })
    // One that cannot be read ends the others. Alone it has the pictures before the damage.
    return end.ok || parts.length === 1 ? spans : null
  }
  if (stretches === undefined && durationMs <= WHOLE_BELOW_MS) {
    const [all] = (await look([{ startMs: 0, durationMs }])) ?? []
    const pictures = all?.pictures ?? new Uint8Array()
    return printSpans(durationMs).map(({ startMs }) => {
      const first = startMs / STEP_MS
      const [from, to] = [first * PRINT_BYTES, (first + SPAN_PICTURES) * PRINT_BYTES]
      return { startMs, pictures: pictures.subarray(from, to) }
    })
  }
  const parts = stretches === undefined ? printSpans(durationMs) : printSpansWithin(stretches)
  return await atEachPlace(source, parts, look)
}

function printRun(
  source: SourceProbe,
  { path, folder, signal }: Sitter,
  parts: readonly PrintPart[],
  stepMs: number,
) {
  const { maxBytes, ...plan } = planPrints(parts, stepMs)
  return {
    ...boundedRun(plan, source),
    pathOf: pathsIn({ source: path, folder, assetPaths: new Map() }),
    cwd: folder,
    signal,
    maxFileBytes: maxBytes,
  }
}

/** The pictures that a run has written of a part, which are removed; none where it wrote none. */
async function takePictures(
  { folder }: Pick<Sitter, 'folder'>,
  index: number,
): Promise<Uint8Array> {
  const made = join(folder, printsOf(index))
  const isThere = await stat(made).then(
    () => true,
    () => false,
  )
  if (!isThere) return new Uint8Array()
  const pictures = await readFile(made)
  await rm(made)
  return pictures
}
