import { stat } from 'node:fs/promises'
import { err, ok, type Result } from '#recipes/result.ts'
import type { PlannedOutput } from '#recipes/types.ts'
import type { Ffmpeg } from '#server/media/ffmpeg.ts'
import { NAMED_INPUT_FLAGS } from '#server/media/formats.ts'
import { glance } from '#server/media/glance.ts'
import { probeFile } from '#server/media/probe.ts'

/** Facts of a finished file that the user sees. */
export interface OutputFacts {
  readonly sizeBytes: number
  readonly widthPx: number | null
  readonly heightPx: number | null
  readonly durationMs: number | null
}

/**
 * Checks a result before the creator can see it: the file is there, opens, is no longer than
 * `longestMs` (null = it has no length), and a frame of it decodes.
 */
export async function checkOutput(
  ffmpeg: Ffmpeg,
  output: PlannedOutput,
  longestMs: number | null,
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
  const { kind, source, claimedMs } = probed.value
  const isMoving = output.kind !== 'image'
  if (kind === 'audio' || source.width === 0 || (isMoving && source.durationMs <= 0))
    return err(`${output.name} has no picture or no length`)
  // Only ffmpeg wrote the file, so its headers say what is in it.
  if (longestMs !== null && claimedMs > longestMs)
    return err(`${output.name} lasts ${claimedMs} ms, at most ${longestMs} ms were planned`)
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
