import { join } from 'node:path'
import { deliveryMp4, needs, steadyFrameRate, withoutTraces } from '#recipes/encoding.ts'
import { fitInside, toStandardPicture } from '#recipes/picture.ts'
import { err, ok, type Result } from '#recipes/result.ts'
import type { PlanStep, SourceProbe } from '#recipes/types.ts'
import { boundedStep } from '#server/media/bounds.ts'
import { heaviestOf, stepCpuSeconds } from '#server/media/cost.ts'
import type { Ffmpeg } from '#server/media/ffmpeg.ts'
import { runFfmpeg } from '#server/media/run.ts'

/** A checked asset, and the empty folder that gets its short piece. */
interface AssetToShow {
  readonly path: string
  readonly kind: 'video' | 'audio'
  readonly probe: SourceProbe
  readonly scratchDir: string
  readonly signal: AbortSignal
}

const SOUND_MS = 30_000
const PICTURE_MS = 6000
/** For one picture, as the check of an upload waits. */
const TIMEOUT_MS = 5 * 60_000
/** Far more than 6 s of 480p or 30 s of sound take. */
const MAX_BYTES = 32 << 20
const NAME = 'preview.mp4'

/**
 * The path of the short piece that shows an asset: of a sound its first 30 s, of a video the first
 * 6 s at 480p without sound. Else what ffmpeg said. Rejects with the `ToolFault` of the machine.
 */
export async function makeAssetPreview(
  ffmpeg: Ffmpeg,
  { path, kind, probe, scratchDir, signal }: AssetToShow,
): Promise<Result<string, string>> {
  const step = kind === 'audio' ? soundStep(probe) : pictureStep(ffmpeg, probe)
  const bounded = boundedStep(step, probe)
  const end = await runFfmpeg(ffmpeg, {
    ...bounded,
    pathOf: (place) => (place.kind === 'output' ? join(scratchDir, place.name) : path),
    cwd: scratchDir,
    signal,
    outputDurationMs: step.outputDurationMs,
    timeoutMs: TIMEOUT_MS,
    maxFileBytes: MAX_BYTES,
    cpuSeconds: stepCpuSeconds({ ...step, ...bounded }, heaviestOf(probe, [])),
  })
  if (end.ok) return ok(join(scratchDir, NAME))
  if (end.error.fault !== null) throw end.error.fault
  return err(end.error.detail)
}

function soundStep(probe: SourceProbe): PlanStep {
  const outputDurationMs = Math.min(SOUND_MS, probe.durationMs)
  return {
    id: 'preview',
    inputs: [{ from: { kind: 'source' }, durationMs: outputDurationMs }],
    args: [
      '-map',
      '0:a:0',
      '-c:a',
      'aac',
      '-b:a',
      '96k',
      '-ar',
      '48000',
      '-ac',
      '2',
      ...withoutTraces,
      ...deliveryMp4,
      { kind: 'output', name: NAME },
    ],
    outputDurationMs,
    weight: 1,
    needs: needs([], ['aac']),
  }
}

function pictureStep(ffmpeg: Ffmpeg, probe: SourceProbe): PlanStep {
  const outputDurationMs = Math.min(PICTURE_MS, probe.durationMs)
  const size = fitInside(probe, 854, 480)
  const standard = toStandardPicture(probe, size, { availableFilters: ffmpeg.filters })
  return {
    id: 'preview',
    inputs: [{ from: { kind: 'source' }, durationMs: outputDurationMs }],
    args: [
      '-map',
      '0:V:0',
      '-an',
      '-vf',
      `fps=${steadyFrameRate(probe).text},${standard.chain}`,
      '-c:v',
      'libx264',
      '-preset',
      'veryfast',
      '-crf',
      '26',
      '-maxrate',
      '2M',
      '-bufsize',
      '4M',
      '-pix_fmt',
      'yuv420p',
      ...withoutTraces,
      ...deliveryMp4,
      { kind: 'output', name: NAME },
    ],
    outputDurationMs,
    weight: 1,
    needs: needs(standard.filters, ['libx264']),
  }
}
