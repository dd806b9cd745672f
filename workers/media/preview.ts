import { extensionOf, type FfmpegJobs } from './ffmpeg-jobs.ts'
import type { FfmpegJob } from './ffmpeg-messages.ts'
import { moveToKeyFrame } from './preview-key-frame.ts'
import { cutMezzanine } from './preview-mezzanine.ts'
import { BROWSER_TOOLS, NOT_IN_CORE, renderStep, shareOf } from './render-steps.ts'
import { scratchFiles } from './scratch-files.ts'
import { workPaths } from './work-paths.ts'
import { findRecipe } from '#recipes/presets.ts'
import { onFileClock } from '#recipes/first-picture.ts'
import { PREVIEW_PICTURE_MS, windowInside } from '#recipes/preview-steps.ts'
import { onTracksOf } from '#recipes/print-args.ts'
import type { Recipe } from '#recipes/recipe.ts'
import type { PlanInput, PreviewWindow, RecipePlan, SourceProbe } from '#recipes/types.ts'
import { err, ok, type Result } from '#src/lib/result.ts'
import type { PreviewFailure, PreviewOutput, PreviewRequest } from '#src/local/previews/preview.ts'

export interface PreviewJob {
  readonly file: File
  readonly request: PreviewRequest
  readonly signal: AbortSignal
  /** 0 to 1. */
  readonly onShare: (share: number) => void
}

/** A preview takes seconds; one that takes this long hangs. */
const LIMIT_MS = 90_000
/**
 * What @ffmpeg/core 0.12.10 encodes without crashing or hanging (its stack is 64 KiB:
 * ffmpeg.wasm#768, #591).
 */
const SAFE_ENCODERS: ReadonlySet<string> = new Set([
  'libx264',
  'gif',
  'png',
  'libwebp',
  'libwebp_anim',
  'aac',
  'libmp3lame',
  'flac',
  'pcm_s16le',
  'wrapped_avframe',
])

/**
 * Makes the files of a recipe's own preview plan: the same filters as the server's, in ffmpeg.wasm.
 * If the core cannot decode the video, this browser's decoders cut it to a small one first.
 */
export async function makePreview(
  jobs: FfmpegJobs,
  { file, request, signal, onShare }: PreviewJob,
): Promise<Result<readonly PreviewOutput[], PreviewFailure>> {
  const { source } = request
  const recipe = findRecipe(request.slug)
  const limitMs = recipe?.previewLimitMs ?? PREVIEW_PICTURE_MS
  const asked = windowInside(source, request.window, limitMs)
  const planAt = (window: PreviewWindow, seen: SourceProbe) =>
    safePlan(
      recipe?.preview?.(seen, request.payload, window, {
        secret: request.secret,
        moments: request.moments ?? [],
      }),
      seen,
    )

  const exact = planAt(asked, source)
  if (!exact.ok) return exact
  const window = await atKeyFrame(file, source, { window: asked, plan: exact.value }, signal)
  const planned = window === asked ? exact : planAt(window, source)
  if (!planned.ok) return planned
  const isHeard = isSound(planned.value)
  if (isHeard || !NOT_IN_CORE.has(source.videoCodec)) {
    const whole = withInputs(planned.value, (input) => onFileClock(input, source))
    const direct = await render(jobs, { file, signal, onShare }, whole)
    if (direct.ok || direct.error.code !== 'probe/engine-crashed') return direct
  }
  const cut = isHeard ? { ...readBy(planned.value), isSound: true } : window
  const small = await cutMezzanine(file, source, cut, signal, (share) => onShare(share / 2))
  if (signal.aborted) return err({ code: 'probe/cancelled' })
  if (small === null) return err({ code: 'preview/undecodable' })
  // The small video has another codec and no HDR, so it needs other filters.
  const ofSmall = planAt(window, small.source)
  if (!ofSmall.ok) return ofSmall
  return render(
    jobs,
    { file: small.file, signal, onShare: (share) => onShare(0.5 + share / 2) },
    withInputs(ofSmall.value, (input) => movedTo(input, small.startMs)),
  )
}

/** The window moved to where a key frame is near; the same object when it stays. */
async function atKeyFrame(
  file: File,
  source: SourceProbe,
  { window, plan }: { readonly window: PreviewWindow; readonly plan: RecipePlan },
  signal: AbortSignal,
): Promise<PreviewWindow> {
  // Sound starts anywhere.
  if (isSound(plan)) return window
  const seekMs = readBy(plan).startMs
  const endMs = window.startMs + window.durationMs
  const movedMs = await moveToKeyFrame(file, source, { seekMs, endMs }, signal)
  return movedMs === 0 ? window : { ...window, startMs: window.startMs + movedMs }
}

function isSound({ outputs }: RecipePlan): boolean {
  return outputs.every(({ kind }) => kind === 'audio')
}

/** From where to where a plan reads the source. */
function readBy({ steps }: RecipePlan): PreviewWindow {
  const reads = steps
    .flatMap(({ inputs }) => inputs)
    .filter(({ from }) => from.kind === 'source')
    .map(({ seekMs = 0, durationMs = 0 }) => ({ seekMs, endMs: seekMs + durationMs }))
  const startMs = Math.min(...reads.map(({ seekMs }) => seekMs))
  return { startMs, durationMs: Math.max(...reads.map(({ endMs }) => endMs)) - startMs }
}

/** A plan that the core can run; why there is none otherwise. */
function safePlan(
  plan: ReturnType<NonNullable<Recipe['preview']>> | undefined,
  source: SourceProbe,
): Result<RecipePlan, PreviewFailure> {
  if (plan === undefined) return err({ code: 'preview/none', message: null })
  if (!plan.ok) return err({ code: 'preview/none', message: plan.error.message })
  const isSafe = plan.value.steps.every(
    ({ tool, needs }) =>
      BROWSER_TOOLS.has(tool) && needs.encoders.every((encoder) => SAFE_ENCODERS.has(encoder)),
  )
  return isSafe
    ? ok({ ...plan.value, steps: plan.value.steps.map((step) => onTracksOf(source, step)) })
    : err({ code: 'preview/none', message: null })
}

/**
 * The plan with other inputs of the source. Only its seeks move: the text of a watermark stays
 * where the whole video has it.
 */
function withInputs(plan: RecipePlan, change: (input: PlanInput) => PlanInput): RecipePlan {
  const changed = (input: PlanInput): PlanInput =>
    input.from.kind === 'source' ? change(input) : input
  return {
    ...plan,
    steps: plan.steps.map((step) => ({ ...step, inputs: step.inputs.map(changed) })),
  }
}

/** The input of a file that begins at `startMs` of the source. */
function movedTo(input: PlanInput, startMs: number): PlanInput {
  return input.seekMs === undefined
    ? input
    : { ...input, seekMs: Math.max(0, input.seekMs - startMs) }
}

async function render(
  jobs: FfmpegJobs,
  { file, signal, onShare }: Omit<PreviewJob, 'request'>,
  plan: RecipePlan,
): Promise<Result<readonly PreviewOutput[], PreviewFailure>> {
  const files = await scratchFiles(plan, signal)
  if (files === null)
    return err({ code: signal.aborted ? 'probe/cancelled' : 'probe/engine-unavailable' })
  const made = new Map<string, Uint8Array<ArrayBuffer>>()
  // Archives are made of other outputs; here they are shown one by one.
  const outputs = plan.outputs.filter(({ kind }) => kind !== 'archive')
  const task: FfmpegJob['task'] = {
    kind: 'render',
    files,
    outputs: outputs.map(({ name }) => name),
    steps: plan.steps.map((step) => renderStep(step, workPaths(extensionOf(file.name)))),
  }
  const ran = await jobs.run({ file, task, limitMs: LIMIT_MS, signal }, (news) => {
    if (news.kind === 'progress') onShare(shareOf(plan, news.step, news.outputMs))
    if (news.kind === 'output') made.set(news.name, news.bytes)
  })
  if (!ran.ok) return ran
  return ok(
    outputs.flatMap(({ name, kind, contentType }) => {
      const bytes = made.get(name)
      return bytes === undefined
        ? []
        : [{ name, kind, blob: new Blob([bytes], { type: contentType }) }]
    }),
  )
}
