import type { FfmpegJobs } from '#workers/media/ffmpeg-jobs.ts'
import { levelledStep, shareOf } from '#workers/media/render-steps.ts'
import { onFileClock } from '#recipes/first-picture.ts'
import { onTracksOf } from '#recipes/print-args.ts'
import type { RecipePlan, SourceProbe } from '#recipes/types.ts'
import { err, ok, type Result } from '#src/lib/result.ts'
import type { ProbeFailure } from '#src/local/probe/report.ts'

export interface PlanRunJob {
  readonly file: File
  readonly source: SourceProbe
  readonly plan: RecipePlan
  readonly limitMs: number
  readonly signal: AbortSignal
  /** 0 to 1. */
  readonly onShare: (share: number) => void
}

/** Of the sound of 90 s, with much to spare for a phone. */
export const SOUND_LIMIT_MS = 10 * 60_000

/**
 * Runs a plan of one output in ffmpeg.wasm, which levels its sound as the server does: filters,
 * gain and encoder are the recipe's own. The bytes of the output.
 */
export async function runPlan(
  jobs: FfmpegJobs,
  { file, source, plan, limitMs, signal, onShare }: PlanRunJob,
): Promise<Result<Uint8Array<ArrayBuffer>, ProbeFailure>> {
  const [output] = plan.outputs
  if (output === undefined) return err({ code: 'probe/engine-crashed' })
  const steps = plan.steps.map((step) => {
    const own = onTracksOf(source, step)
    const inputs = own.inputs.map((input) =>
      input.from.kind === 'source' ? onFileClock(input, source) : input,
    )
    return levelledStep({ ...own, inputs })
  })
  const files = plan.files.map(({ name, text }) => ({
    name,
    bytes: new TextEncoder().encode(text),
  }))
  const task = { kind: 'render', files, steps, outputs: [output.name] } as const
  let made: Uint8Array<ArrayBuffer> | null = null
  const ran = await jobs.run({ file, task, limitMs, signal }, (news) => {
    if (news.kind === 'progress') onShare(shareOf(plan, news.step, news.outputMs))
    if (news.kind === 'output') made = news.bytes
  })
  if (!ran.ok) return ran
  return made === null ? err({ code: 'probe/engine-crashed' }) : ok(made)
}
