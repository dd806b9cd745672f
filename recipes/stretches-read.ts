import type { Stretch } from './stretch.ts'
import type { PlanInput, PlanStep, RecipePlan } from './types.ts'

/** A step that makes one picture reads on to the end of that picture, which is not long. */
const ONE_PICTURE_MS = 2000

/**
 * What a plan reads of the source, in the order of its steps; null where it may read all of it. An
 * excerpt of a video is enough for a plan of which it holds all stretches.
 */
export function stretchesRead({ steps }: RecipePlan): readonly Stretch[] | null {
  const stretches = steps.flatMap((step) =>
    step.inputs
      .filter(({ from }) => from.kind === 'source')
      .map((input) => stretchOf(input, makesOnePicture(step))),
  )
  return stretches.every((each) => each !== null) ? stretches : null
}

function stretchOf(
  { seekMs, leadMs = 0, durationMs }: PlanInput,
  isOnePicture: boolean,
): Stretch | null {
  const lengthMs = durationMs ?? (isOnePicture ? ONE_PICTURE_MS : null)
  return seekMs === undefined || lengthMs === null
    ? null
    : { startMs: Math.floor(seekMs - leadMs), endMs: Math.ceil(seekMs + lengthMs) }
}

function makesOnePicture({ args }: PlanStep): boolean {
  const at = args.indexOf('-frames:v')
  return at !== -1 && args[at + 1] === '1'
}

/** Whether these stretches hold all of others. */
export function holdAll(held: readonly Stretch[], wanted: readonly Stretch[]): boolean {
  return wanted.every(({ startMs, endMs }) =>
    held.some((each) => each.startMs <= startMs && endMs <= each.endMs),
  )
}
