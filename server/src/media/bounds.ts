import { onFileClock } from '#recipes/first-picture.ts'
import { seconds } from '#recipes/naming.ts'
import { onItsTracks } from '#recipes/print-args.ts'
import type {
  AssetSource,
  PlanInput,
  PlanRun,
  PlanStep,
  RecipePlan,
  SourceProbe,
} from '#recipes/types.ts'

/**
 * What a run may read beyond the measured length: the last packet of the sound, and a picture that
 * starts a little late.
 */
const READ_MARGIN_MS = 250
/** How much longer than planned a result may be: a packet of sound and two rounded pictures. */
export const RESULT_MARGIN_MS = 500

/**
 * The run on the tracks of the source, with an end to every input of it: no run reads more of it
 * than was measured and paid for, whatever ffmpeg makes of its headers. It begins with the first
 * picture; where it seeks, it begins early enough, and its times are those of every other run.
 */
export function boundedRun({ inputs, args }: PlanRun, source: SourceProbe): PlanRun {
  const bounded = inputs.map((input) =>
    input.from.kind === 'source' ? boundedInput(input, source) : input,
  )
  const isOnePicture = args.includes('-frames:v')
  return {
    inputs: bounded,
    args: source.leadMs === undefined || isOnePicture ? args : [...onOneClock(bounded), ...args],
  }
}

/**
 * [Note: one clock] ffmpeg counts the times of MPEG-TS and MPEG-PS from the first packet of the
 * streams that a run uses. So what is read from the beginning names both picture and sound, into
 * nothing: otherwise the sound that one run makes does not fit the picture of the next, nor a mask
 * the picture under it, by as much as one of them begins before the other. One picture needs no
 * such thing, and would wait for the end of the file.
 */
function onOneClock(inputs: readonly PlanInput[]): readonly string[] {
  return inputs.flatMap(({ from, seekMs = 0, leadMs = 0 }, index) =>
    from.kind === 'source' && seekMs === leadMs
      ? ['-map', `${index}:V:0?`, '-map', `${index}:a:0?`, '-c', 'copy', '-f', 'null', '-']
      : [],
  )
}

function boundedInput(input: PlanInput, source: SourceProbe): PlanInput {
  const { seekMs = 0, durationMs } = input
  const moved = onFileClock(input, source)
  const leadMs = Math.min(moved.seekMs ?? 0, source.leadMs ?? 0)
  return {
    ...moved,
    ...onItsTracks(source),
    durationMs: durationMs ?? Math.max(0, source.durationMs - seekMs) + READ_MARGIN_MS,
    ...(leadMs > 0 ? { leadMs } : {}),
  }
}

/**
 * The step with an end to every input and to its file. The file may go a little beyond what the
 * check of the result takes, so that a longer one is seen and not only cut. A still has no length:
 * its plan says one picture.
 */
export function boundedStep(
  step: PlanStep,
  source: SourceProbe,
  assets: readonly AssetSource[] = [],
): PlanRun {
  const { inputs: own, args } = boundedRun(step, source)
  const inputs = own.map((input) => {
    const { from } = input
    const asset = from.kind === 'asset' ? assets.find(({ id }) => id === from.id) : undefined
    return asset === undefined ? input : onFileClock(input, asset.probe)
  })
  if (step.outputDurationMs <= 0) return { inputs, args }
  const endMs = step.outputDurationMs + 2 * RESULT_MARGIN_MS
  return {
    inputs: inputs.map((input) => ({ ...input, durationMs: input.durationMs ?? endMs })),
    args: [...args.slice(0, -1), '-t', seconds(endMs), ...args.slice(-1)],
  }
}

/** How long a result of the plan is, in milliseconds; null for stills and archives. */
export function plannedResultMs({ steps }: RecipePlan, name: string): number | null {
  const step = steps.find(({ args }) => {
    const file = args.at(-1)
    return typeof file === 'object' && file.kind === 'output' && file.name === name
  })
  return step === undefined || step.outputDurationMs <= 0 ? null : step.outputDurationMs
}
