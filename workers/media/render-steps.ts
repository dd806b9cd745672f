import type { RenderStep } from './ffmpeg-messages.ts'
import { printArgs, type PathOf } from '#recipes/print-args.ts'
import type { PlanStep, PlanTool, RecipePlan } from '#recipes/types.ts'

/** Tools of plans that run in the browser too. */
export const BROWSER_TOOLS: ReadonlySet<PlanTool | undefined> = new Set([undefined, 'voice-filter'])

/** Codecs of which the core has no decoder, by the names of reports. */
export const NOT_IN_CORE: ReadonlySet<string> = new Set(['av1', 'vvc'])

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

/** The same of a plan whose sound is levelled; it has no program of ours. */
export function levelledStep({ id, tool, inputs, args }: PlanStep): RenderStep {
  return {
    tool: 'levelled',
    run: { inputs, args },
    measures: tool === 'loudness-meter' ? id : null,
  }
}

/** How much of a plan is done when step `step` has made `outputMs`. */
export function shareOf({ steps }: RecipePlan, step: number, outputMs: number): number {
  const all = steps.reduce((sum, { weight }) => sum + weight, 0)
  const before = steps.slice(0, step).reduce((sum, { weight }) => sum + weight, 0)
  const { weight = 0, outputDurationMs = 0 } = steps[step] ?? {}
  const part =
    outputMs === Infinity
      ? 1
      : outputDurationMs > 0
        ? Math.min(1, Math.max(0, outputMs / outputDurationMs))
        : 0
  return all === 0 ? 0 : (before + weight * part) / all
}
