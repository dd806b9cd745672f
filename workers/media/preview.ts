import fontUrl from '#recipes/fonts/watermark.ttf?url'
import { extensionOf, type FfmpegJobs } from './ffmpeg-jobs.ts'
import {
  INPUT_FOLDER,
  sourceName,
  WORK_FOLDER,
  type FfmpegJob,
  type ScratchFile,
} from './ffmpeg-messages.ts'
import { moveToKeyFrame } from './preview-key-frame.ts'
import { cutMezzanine } from './preview-mezzanine.ts'
import { findRecipe } from '#recipes/presets.ts'
import { PREVIEW_PICTURE_MS, windowInside } from '#recipes/preview-steps.ts'
import { resolveArgs, type PathOf } from '#recipes/resolve.ts'
import type { PlanStep, RecipePlan, SourceProbe } from '#recipes/types.ts'
import { err, ok, type Result } from '#src/lib/result.ts'
import type { PreviewFailure, PreviewOutput, PreviewRequest } from '#src/local/probe/preview.ts'

export interface PreviewJob {
  readonly file: File
  readonly request: PreviewRequest
  readonly signal: AbortSignal
  /** 0 to 1. */
  readonly onShare: (share: number) => void
}

const FONT_FILE = 'font.ttf'
/** A preview takes seconds; what takes so long hangs. */
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
/** Codecs of which the core has no decoder, by the names of reports. */
const NOT_IN_CORE: ReadonlySet<string> = new Set(['av1', 'vvc'])

/**
 * Makes the files of a recipe's own preview plan: the same filters as the server's, in ffmpeg.wasm.
 * A video that the core cannot decode is first cut to a small one by this browser's decoders, if
 * they can.
 */
export async function makePreview(
  jobs: FfmpegJobs,
  { file, request: asked, signal, onShare }: PreviewJob,
): Promise<Result<readonly PreviewOutput[], PreviewFailure>> {
  const recipe = findRecipe(asked.slug)
  const exact = planOf(asked, asked.source)
  if (!exact.ok) return exact
  const request = await atKeyFrame(file, asked, exact.value, signal)
  const planned = planOf(request, request.source)
  if (!planned.ok) return planned
  if (!NOT_IN_CORE.has(request.source.videoCodec)) {
    const direct = await render(jobs, { file, signal, onShare }, planned.value)
    if (direct.ok || direct.error.code !== 'probe/engine-crashed') return direct
  }
  const window = windowInside(
    request.source,
    request.window,
    recipe?.previewLimitMs ?? PREVIEW_PICTURE_MS,
  )
  const small = await cutMezzanine(file, request.source, window, signal, (share) =>
    onShare(share / 2),
  )
  if (signal.aborted) return err({ code: 'probe/cancelled' })
  if (small === null) return err({ code: 'preview/undecodable' })
  const replanned = planOf(request, small.source)
  if (!replanned.ok) return replanned
  return render(
    jobs,
    { file: small.file, signal, onShare: (share) => onShare(0.5 + share / 2) },
    movedPlan(replanned.value, small.startMs),
  )
}

/** The request, moved to where a key frame is near; sound needs none. */
async function atKeyFrame(
  file: File,
  request: PreviewRequest,
  plan: RecipePlan,
  signal: AbortSignal,
): Promise<PreviewRequest> {
  const window = windowInside(
    request.source,
    request.window,
    findRecipe(request.slug)?.previewLimitMs ?? PREVIEW_PICTURE_MS,
  )
  if (plan.outputs.every(({ kind }) => kind === 'audio')) return request
  // Steps that do not seek read what others made.
  const seeks = plan.steps.flatMap(({ args }) =>
    args.flatMap((arg, index) => (args[index - 1] === '-ss' ? [Number(arg) * 1_000] : [])),
  )
  const seekMs = Math.min(...seeks)
  const movedMs = await moveToKeyFrame(
    file,
    request.source,
    { seekMs, endMs: window.startMs + window.durationMs },
    signal,
  )
  return movedMs === 0
    ? request
    : { ...request, window: { ...window, startMs: window.startMs + movedMs } }
}

function planOf(
  { slug, payload, window }: PreviewRequest,
  source: SourceProbe,
): Result<RecipePlan, PreviewFailure> {
  const plan = findRecipe(slug)?.preview?.(source, payload, window)
  if (plan === undefined) return err({ code: 'preview/none', message: null })
  if (!plan.ok) return err({ code: 'preview/none', message: plan.error.message })
  const isSafe = plan.value.steps.every(({ needs }) =>
    needs.encoders.every((encoder) => SAFE_ENCODERS.has(encoder)),
  )
  return isSafe ? plan : err({ code: 'preview/none', message: null })
}

/**
 * A plan for a file that begins at `startMs` of the source. Only its seeks move: a watermark goes
 * on where the whole video has it.
 */
function movedPlan(plan: RecipePlan, startMs: number): RecipePlan {
  const moved = (args: PlanStep['args']): PlanStep['args'] =>
    args.map((arg, index) =>
      args[index - 1] === '-ss' && typeof arg === 'string'
        ? Math.max(0, Number(arg) - startMs / 1_000).toFixed(3)
        : arg,
    )
  return { ...plan, steps: plan.steps.map((step) => ({ ...step, args: moved(step.args) })) }
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
    steps: plan.steps.map(({ args }) => resolveArgs(args, pathsFor(file.name))),
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

/** The plan's own files and the fonts it draws with; null when a font cannot be had. */
async function scratchFiles(
  plan: RecipePlan,
  signal: AbortSignal,
): Promise<readonly ScratchFile[] | null> {
  const texts = plan.files.map(({ name, text }) => ({
    name,
    bytes: new TextEncoder().encode(text),
  }))
  if (
    !plan.steps.some(({ args }) =>
      args.some(
        (arg) =>
          typeof arg !== 'string' &&
          arg.kind === 'filter' &&
          arg.parts.some((part) => typeof part !== 'string' && part.kind === 'font'),
      ),
    )
  )
    return texts
  try {
    const answer = await fetch(fontUrl, { signal })
    return answer.ok
      ? [...texts, { name: FONT_FILE, bytes: new Uint8Array(await answer.arrayBuffer()) }]
      : null
  } catch {
    return null
  }
}

function pathsFor(fileName: string): PathOf {
  return (place) => {
    switch (place.kind) {
      case 'source':
        return `${INPUT_FOLDER}/${sourceName(extensionOf(fileName))}`
      case 'font':
        return `${WORK_FOLDER}/${FONT_FILE}`
      case 'scratch':
      case 'output':
        return `${WORK_FOLDER}/${place.name}`
      // Assets live at the server; a preview's plan has none.
      case 'asset':
        return `${WORK_FOLDER}/missing-asset`
    }
  }
}

/** How much of a plan is done when step `step` has made `outputMs`. */
function shareOf({ steps }: RecipePlan, step: number, outputMs: number): number {
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
