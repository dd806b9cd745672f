import type { FfmpegJobs } from '#workers/media/ffmpeg-jobs.ts'
import type { ScratchFile } from '#workers/media/ffmpeg-messages.ts'
import { openInput } from '#workers/media/open-file.ts'
import { renderStep, shareOf } from '#workers/media/render-steps.ts'
import { scratchFiles } from '#workers/media/scratch-files.ts'
import { workPaths } from '#workers/media/work-paths.ts'
import { createPlaneReader } from './draw.ts'
import type { KeptPieces } from './kept-pieces.ts'
import { makeLoop } from './make-loop.ts'
import { DecoderFailed, letGo, nextInTime, picturesRead, sourcePicture } from './frames.ts'
import type { SourcePicture } from './frames.ts'
import { matrixOf } from '#recipes/picture.ts'
import type { PlanInput, PlanStep, RecipePlan, SourceProbe } from '#recipes/types.ts'
import { err, ok, type Result } from '#src/lib/result.ts'
import type { MadeFile, MakeFailure, MakeProgress } from '#src/local/made/make.ts'

/**
 * [Note: edits of pictures] Stills and GIFs are made by the steps of their plan as they are, in
 * ffmpeg.wasm, so sizes, colours and palettes are those of the server. Only the pictures come from
 * the browser's decoder: decoding full HD takes ffmpeg.wasm four times as long as it is shown. They
 * are given as a file of plain pictures in the place of the video, each step its own. A loop is
 * encoded by the browser where it can ([Note: loops]).
 */
export interface PicturesJob {
  readonly file: File
  readonly source: SourceProbe
  readonly plan: RecipePlan
  readonly signal: AbortSignal
  readonly pieces: KeptPieces
  readonly onProgress: (progress: MakeProgress) => void
}

/** Of one step, with much to spare for a phone. */
const STEP_LIMIT_MS = 5 * 60_000
/** Says the demuxer nothing: the format is given. */
const RAW = 'yuv'

/**
 * All files of a plan whose steps read `pictures` alone, without archives. What a step writes is
 * kept. Rejects where the file cannot be read and where its decoder gives up.
 */
export async function makeOfPictures(
  jobs: FfmpegJobs,
  { file, source, plan, signal, pieces, onProgress }: PicturesJob,
): Promise<Result<readonly MadeFile[], MakeFailure>> {
  const input = openInput(file)
  const standAt = (index: number, outputMs: number): MakeProgress => ({
    share: shareOf(plan, index, outputMs),
    passage: 1,
    passages: 1,
  })
  try {
    const files = await scratchFiles(plan, signal)
    if (files === null) return err({ code: 'probe/engine-unavailable' })
    const picture = await sourcePicture(input, source)
    if (picture === null) return err({ code: 'make/codec-failed' })
    const made = new Map<string, Bytes>()
    for (const [index, step] of plan.steps.entries()) {
      if (isSkipped(step, made) || (await readKept(step, index, pieces, made))) continue
      const onOutputMs = (outputMs: number): void => onProgress(standAt(index, outputMs))
      onOutputMs(0)
      const reads = { picture, source, signal }
      const ran =
        (await runLoop(step, reads, onOutputMs)) ??
        (await runStep(jobs, step, {
          file: await picturesOf(step, reads),
          files: [...files, ...[...made].map(([name, bytes]) => ({ name, bytes }))],
          signal,
          onOutputMs,
        }))
      if (!ran.ok) return ran
      for (const { name, bytes } of ran.value) {
        made.set(name, bytes)
        await pieces.keep(pieceOf(index, name), new Blob([bytes]), standAt(index, Infinity))
      }
    }
    onProgress(standAt(plan.steps.length - 1, Infinity))
    return ok(filesOf(plan, made))
  } finally {
    input.dispose()
  }
}

function pieceOf(index: number, name: string): string {
  return `step-${index}-${name}`
}

/** Takes what a step wrote before; false where not all of it is kept. */
async function readKept(
  step: PlanStep,
  index: number,
  pieces: KeptPieces,
  made: Map<string, Bytes>,
): Promise<boolean> {
  const written = new Map<string, Bytes>()
  for (const name of outputsOf(step)) {
    const piece = await pieces.read(pieceOf(index, name))
    if (piece === null) return false
    written.set(name, new Uint8Array(await piece.arrayBuffer()))
  }
  for (const [name, bytes] of written) made.set(name, bytes)
  return written.size > 0
}

/** What a step writes, by name. */
function outputsOf({ args }: PlanStep): readonly string[] {
  return args.flatMap((arg) =>
    typeof arg !== 'string' && (arg.kind === 'output' || arg.kind === 'scratch') ? [arg.name] : [],
  )
}

type Bytes = Uint8Array<ArrayBuffer>

/** A try that is not needed, because one before it made a file within the limit. */
function isSkipped({ skipWithin }: PlanStep, made: ReadonlyMap<string, Bytes>): boolean {
  const before = skipWithin === undefined ? undefined : made.get(skipWithin.name)
  return before !== undefined && before.byteLength <= (skipWithin?.bytes ?? 0)
}

function filesOf({ outputs }: RecipePlan, made: ReadonlyMap<string, Bytes>): readonly MadeFile[] {
  return outputs
    .filter(({ kind }) => kind !== 'archive')
    .map(({ name, fileName, contentType }) => {
      const bytes = made.get(name)
      if (bytes === undefined) throw new TypeError(`no step made ${name}`)
      return { fileName, contentType, blob: new Blob([bytes], { type: contentType }) }
    })
}

type Written = Result<readonly { readonly name: string; readonly bytes: Bytes }[], MakeFailure>

/** What a step would write that makes a loop, by the browser's codecs; null where they do not. */
async function runLoop(
  step: PlanStep,
  { picture, signal }: PictureReads,
  onOutputMs: (outputMs: number) => void,
): Promise<Written | null> {
  const { loop } = step
  const [input] = step.inputs
  const [name] = outputsOf(step)
  if (loop === undefined || input?.pictures === undefined || name === undefined) return null
  const read = { ...input, pictures: input.pictures }
  const movie = await makeLoop(loop, picture, read, signal, onOutputMs)
  return movie === null ? null : ok([{ name, bytes: new Uint8Array(await movie.arrayBuffer()) }])
}

/** Runs a step. @returns what it wrote */
async function runStep(
  jobs: FfmpegJobs,
  step: PlanStep,
  {
    file,
    files,
    signal,
    onOutputMs,
  }: {
    readonly file: File
    readonly files: readonly ScratchFile[]
    readonly signal: AbortSignal
    readonly onOutputMs: (outputMs: number) => void
  },
): Promise<Written> {
  const outputs = outputsOf(step)
  const run = { ...step, inputs: step.inputs.map(asRaw) }
  const task = { kind: 'render', files, steps: [renderStep(run, workPaths(RAW))], outputs } as const
  const written: { readonly name: string; readonly bytes: Bytes }[] = []
  const ran = await jobs.run({ file, task, limitMs: STEP_LIMIT_MS, signal }, (news) => {
    if (news.kind === 'progress') onOutputMs(news.outputMs)
    if (news.kind === 'output') written.push(news)
  })
  return ran.ok ? ok(written) : ran
}

/** The input as it reads plain pictures: they begin where it would seek. */
function asRaw(input: PlanInput): PlanInput {
  const { from, pictures } = input
  if (from.kind !== 'source' || pictures === undefined) return input
  const { width, height } = pictures.size
  const rate = pictures.frameRate?.text ?? '25'
  const format = `-f rawvideo -pixel_format yuv420p -video_size ${width}x${height}`.split(' ')
  return { from, flags: [...format, '-framerate', rate] }
}

/** The pictures that a step reads of the video, one after another; an empty file for none. */
async function picturesOf(
  { inputs }: PlanStep,
  { picture, source, signal }: PictureReads,
): Promise<File> {
  const reads = inputs.find(({ pictures }) => pictures !== undefined)
  const parts: Blob[] = []
  if (reads?.pictures !== undefined) {
    const { size } = reads.pictures
    const turn = await picture.track.getRotation()
    const planesOf = createPlaneReader({ size, matrix: matrixOf(source), turn })
    const shown = picturesRead(picture, { ...reads, pictures: reads.pictures })
    try {
      for (let next = await nextInTime(shown, signal); next.done !== true;) {
        // A Blob each: the browser keeps many of them outside the memory of the page.
        parts.push(new Blob([(await planesOf({ frame: next.value, crop: undefined })).bytes]))
        next = await nextInTime(shown, signal)
      }
    } finally {
      letGo(shown)
    }
    if (parts.length === 0) throw new DecoderFailed('no picture at this place')
  }
  return new File(parts, `pictures.${RAW}`)
}

interface PictureReads {
  readonly picture: SourcePicture
  readonly source: SourceProbe
  readonly signal: AbortSignal
}
