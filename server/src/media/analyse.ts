import { readFile, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import {
  PICTURES,
  planPiece,
  searchMoments,
  type AnalysisRun,
  type FaceFinder,
} from '#recipes/analysis.ts'
import { partsWithout, type MovingPiece } from '#recipes/moment-video.ts'
import type { Moment, SourceProbe, TimelinePassage } from '#recipes/types.ts'
import { boundedRun } from '#server/media/bounds.ts'
import {
  SEARCH_MS_PER_CPU_S,
  searchCpuSeconds,
  smallPicturesCpuSeconds,
} from '#server/media/cost.ts'
import { canSeeFaces, facesInSmall } from '#server/media/faces/small-pictures.ts'
import type { Ffmpeg } from '#server/media/ffmpeg.ts'
import { pathsIn, type RenderPlaces } from '#server/media/render-plan.ts'
import { runFfmpeg } from '#server/media/run.ts'

/** For one part of a long film: opening a file of 25 GB takes one second. */
const MIN_RUN_CPU_S = 4
/** A part takes so much of what the whole search may, unless it is one of many. */
const SHARE_OF_RUN = 0.25
/** Of a shorter source edits show nearly all, and starting the network costs as much. */
const LEAST_CHOICE_MS = 10_000

/**
 * Looks for good moments of a source, for as long as its pictures and bytes are worth; empty when
 * nothing could be read, which every plan can live with. Rejects when aborted, and with the
 * `ToolFault` of the machine: what is found then says nothing about the file.
 */
export async function analyseMoments(
  ffmpeg: Ffmpeg,
  source: SourceProbe,
  places: RenderPlaces,
  signal: AbortSignal,
  onProgress: (ratio: number) => void,
): Promise<Moment[]> {
  const { look, findFaces } = await beginLooks(ffmpeg, source, places, signal)
  return await searchMoments(source, look, { onProgress, ...findFaces })
}

/**
 * The same, and what was seen in motion, as pieces in the folder: the parts that were looked at,
 * and what edits show by themselves as far as the time of the search lasts.
 * @param onFound keeps the moments and returns what edits show of the source
 */
export async function recordMoments(
  ffmpeg: Ffmpeg,
  source: SourceProbe,
  places: RenderPlaces,
  signal: AbortSignal,
  onFound: (moments: readonly Moment[]) => Promise<readonly TimelinePassage[]>,
): Promise<readonly MovingPiece[]> {
  const { look, findFaces, pieces } = await beginLooks(ffmpeg, source, places, signal)
  const passages = await onFound(
    await searchMoments(source, look, { isRecorded: true, ...findFaces }),
  )
  for (const part of partsWithout(passages, [...pieces]))
    if ((await look(planPiece(source, part))) === null) break
  return pieces
}

interface Looks {
  /** Null when the time of the search is over. */
  look(run: AnalysisRun, onText?: (text: string) => void): Promise<Uint8Array | null>
  /** Empty where faces cannot be looked for, and for a source too short to choose from. */
  readonly findFaces: { readonly findFaces?: FaceFinder }
  /** What the looks have made so far, in their order. */
  readonly pieces: readonly MovingPiece[]
}

async function beginLooks(
  ffmpeg: Ffmpeg,
  source: SourceProbe,
  places: RenderPlaces,
  signal: AbortSignal,
): Promise<Looks> {
  const { size: sizeBytes } = await stat(places.source)
  const budgetS = searchCpuSeconds(source, sizeBytes)
  const endsAt = performance.now() + budgetS * SEARCH_MS_PER_CPU_S
  const pieces: MovingPiece[] = []
  const look = async (
    run: AnalysisRun,
    onText: (text: string) => void = () => undefined,
  ): Promise<Uint8Array | null> => {
    const timeoutMs = endsAt - performance.now()
    if (timeoutMs <= 0) return null
    const share = run.kind === 'survey' ? 1 : SHARE_OF_RUN
    const result = await runFfmpeg(ffmpeg, {
      ...boundedRun(run, source),
      pathOf: pathsIn(places),
      cwd: places.folder,
      signal,
      outputDurationMs: 0,
      cpuSeconds: Math.max(MIN_RUN_CPU_S, Math.ceil(budgetS * share)),
      timeoutMs,
      maxFileBytes: Math.max(1, run.maxBytes),
      onOutput: onText,
    })
    if (!result.ok && result.error.fault !== null) throw result.error.fault
    if (run.piece !== undefined && result.ok) pieces.push(run.piece)
    return await takeFile(join(places.folder, PICTURES), run.maxBytes)
  }
  const findFaces: FaceFinder = async (pictures) => {
    // Time of its own: what it takes depends on their number alone, and on a busy machine the looks
    // use up all that a short video is worth.
    const timeoutMs = smallPicturesCpuSeconds(pictures.length) * SEARCH_MS_PER_CPU_S
    const { width, height } = source
    const { folder } = places
    return await facesInSmall(ffmpeg, { pictures, width, height, folder, signal, timeoutMs })
  }
  const looksForFaces = source.durationMs >= LEAST_CHOICE_MS && canSeeFaces(ffmpeg)
  return { look, pieces, findFaces: looksForFaces ? { findFaces } : {} }
}

/** The bytes of a file that a run may have written, which is removed; none where it did not. */
async function takeFile(path: string, maxBytes: number): Promise<Uint8Array> {
  const size = await stat(path).then(
    (facts) => facts.size,
    () => 0,
  )
  if (size === 0 || size > maxBytes) {
    await rm(path, { force: true })
    return new Uint8Array()
  }
  const bytes = await readFile(path)
  await rm(path)
  return bytes
}
