import { intermediateAudio, MOST_RATE, needs, steadyFrameRate, withoutTraces } from './encoding.ts'
import { seconds } from './naming.ts'
import { steadyTiming } from './picture-timing.ts'
import { ok, type Result } from './result.ts'
import type {
  PlanInput,
  PlanPlace,
  PlanProblem,
  PlanStep,
  RecipePlan,
  SourceProbe,
} from './types.ts'

const STEADY: PlanPlace = { kind: 'scratch', name: 'steady.mov' }

/**
 * A passage reads half a second more than it shows, so it finds a picture where none stays for
 * longer than this. A higher number would leave passages without one, a lower one would have long
 * videos of cameras encoded for the sake of a few seconds.
 */
const LONGEST_STAY_MS = 2000

/**
 * The plan for a source in which pictures stay for seconds: a seek between two of them would find
 * the later one, or none, although the earlier one is shown there. So what seeks reads a copy in
 * which the picture is shown again and again. Any other plan is returned as it is.
 */
export function onSteadySource(
  planned: Result<RecipePlan, PlanProblem>,
  source: SourceProbe,
): Result<RecipePlan, PlanProblem> {
  const stays = (source.longestStayMs ?? 0) > LONGEST_STAY_MS
  if (!stays || !planned.ok || !planned.value.steps.some(({ inputs }) => inputs.some(seeks)))
    return planned
  const plan = planned.value
  const steady = (input: PlanInput): PlanInput =>
    input.from.kind === 'source' ? { ...input, from: STEADY } : input
  const steps = plan.steps.map((step) => ({ ...step, inputs: step.inputs.map(steady) }))
  return ok({ ...plan, steps: [steadyStep(source), ...steps] })
}

function seeks({ from, seekMs = 0 }: PlanInput): boolean {
  return from.kind === 'source' && seekMs > 0
}

/** Nothing of the picture changes but its times, so it is encoded fast and fine. */
function steadyStep(source: SourceProbe): PlanStep {
  // The steps after it put late pictures on time.
  const { chain, filters } = steadyTiming(
    { ...source, pictureLateMs: 0 },
    null,
    steadyFrameRate(source, MOST_RATE),
  )
  const sound = source.hasAudio
    ? [
        '-map',
        '0:a:0',
        '-af',
        `aresample=48000:async=1:first_pts=0,apad,atrim=end=${seconds(source.durationMs)}`,
        ...intermediateAudio,
      ]
    : []
  return {
    id: 'steady',
    inputs: [{ from: { kind: 'source' } }],
    args: [
      '-map',
      '0:V:0',
      '-vf',
      chain.slice(0, -1),
      ...'-c:v libx264 -preset ultrafast -crf 10 -g 30'.split(' '),
      ...sound,
      ...withoutTraces,
      '-f',
      'mov',
      STEADY,
    ],
    outputDurationMs: source.durationMs,
    weight: source.durationMs / 4,
    needs: needs(
      [...filters, ...(source.hasAudio ? ['aresample', 'apad', 'atrim'] : [])],
      ['libx264', ...(source.hasAudio ? ['pcm_s16le'] : [])],
    ),
  }
}
