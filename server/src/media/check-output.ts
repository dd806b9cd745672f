import { stat } from 'node:fs/promises'
import { err, ok, type Result } from '#recipes/result.ts'
import type { PlannedOutput } from '#recipes/types.ts'
import { RESULT_MARGIN_MS } from '#server/media/bounds.ts'
import type { Ffmpeg } from '#server/media/ffmpeg.ts'
import { NAMED_INPUT_FLAGS } from '#server/media/formats.ts'
import { glance } from '#server/media/glance.ts'
import type { FileProbe } from '#server/media/file-probe.ts'
import { probeFile } from '#server/media/probe.ts'

/** Facts of a finished file that the user sees. */
export interface OutputFacts {
  readonly sizeBytes: number
  readonly widthPx: number | null
  readonly heightPx: number | null
  readonly durationMs: number | null
}

/**
 * How much shorter a track may be than planned: pictures that keep their own times end up to two of
 * them early, and those of a GIF are rounded.
 */
const SHORTER_MS = 250

/**
 * Checks a result before the creator can see it: the file is there, opens, each of its tracks is as
 * long as `plannedMs` (null = it has no length), and a frame of it decodes.
 */
export async function checkOutput(
  ffmpeg: Ffmpeg,
  output: PlannedOutput,
  plannedMs: number | null,
  path: string,
  cwd: string,
  signal: AbortSignal,
): Promise<Result<OutputFacts, string>> {
  const sizeBytes = await stat(path).then(
    (facts) => facts.size,
    () => 0,
  )
  if (sizeBytes === 0) return err(`${output.name} is empty`)
  if (output.kind === 'archive')
    return ok({ sizeBytes, widthPx: null, heightPx: null, durationMs: null })
  const probed = await probeFile(ffmpeg, path, output.fileName, cwd, signal, NAMED_INPUT_FLAGS)
  if (!probed.ok) return err(`${output.name}: ${probed.error.detail}`)
  const { kind, source } = probed.value
  const isMoving = output.kind !== 'image'
  if (kind === 'audio' || source.width === 0 || (isMoving && source.durationMs <= 0))
    return err(`${output.name} has no picture or no length`)
  // Only ffmpeg wrote the file, so its headers say what is in it.
  const complaint = plannedMs === null ? null : complaintOfLength(probed.value, plannedMs)
  if (complaint !== null) return err(`${output.name} ${complaint}`)
  const decoded = await glance(ffmpeg, {
    inputs: [{ from: { kind: 'asset', id: output.name } }],
    args: ['-map', '0:v:0', '-frames:v', '1', '-f', 'null', '-'],
    pathOf: () => path,
    cwd,
    signal,
  })
  if (!decoded.ok) return err(`${output.name}: ${decoded.error.detail}`)
  return ok({
    sizeBytes,
    widthPx: source.width,
    heightPx: source.height,
    durationMs: isMoving ? source.durationMs : null,
  })
}

/** What is wrong with the length of a file or of one of its tracks; null where nothing is. */
function complaintOfLength(
  { source, claimedMs, deep }: Pick<FileProbe, 'source' | 'claimedMs' | 'deep'>,
  plannedMs: number,
): string | null {
  const longestMs = plannedMs + RESULT_MARGIN_MS
  if (claimedMs > longestMs) return `lasts ${claimedMs} ms, at most ${longestMs} ms were planned`
  const shortestMs = plannedMs - SHORTER_MS
  const { startsLateMs, endsEarlyMs } = deep.sound ?? { startsLateMs: 0, endsEarlyMs: 0 }
  if (source.durationMs < shortestMs)
    return `has a picture of ${source.durationMs} ms, at least ${shortestMs} ms were planned`
  return Math.max(Math.abs(startsLateMs), Math.abs(endsEarlyMs)) > SHORTER_MS
    ? `has sound that begins ${startsLateMs} ms after its picture and ends ${endsEarlyMs} ms before it`
    : null
}
