import type { RenderStep } from './ffmpeg-messages.ts'
import { printArgs, type PathOf } from '#recipes/print-args.ts'
import type { PlanStep, PlanTool } from '#recipes/types.ts'

/** Tools of plans that run in the browser too. */
export const BROWSER_TOOLS: ReadonlySet<PlanTool | undefined> = new Set([undefined, 'voice-filter'])

/** A step of a plan as the ffmpeg worker runs it. */
export function renderStep(
  step: Pick<PlanStep, 'inputs' | 'args' | 'tool' | 'secret'>,
  pathOf: PathOf,
): RenderStep {
  const args = printArgs(step, pathOf)
  if (step.tool !== 'voice-filter') return { tool: 'ffmpeg', args }
  const [, from = '', to = ''] = args
  return { tool: 'voice-filter', from, to, secret: step.secret ?? '' }
}
