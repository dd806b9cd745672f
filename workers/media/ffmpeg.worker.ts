/**
 * Runs one ffmpeg job and posts what comes out. It blocks while it runs, so the parent holds the
 * watchdog and ends it. Nothing here may outlive a job: the published core loses stack at every
 * run.
 */
import { letEnd } from './let-end.ts'
import { mountWithReadAhead } from './read-ahead.ts'
import { deepCheck } from './deep-check.ts'
import { loadCore, type FfmpegCore } from './core.ts'
import { maskVoices } from './mask-voices.ts'
import {
  INPUT_FOLDER,
  sourceName,
  WORK_FOLDER,
  type FfmpegJob,
  type FfmpegNews,
  type RenderStep,
} from './ffmpeg-messages.ts'
import { workPaths } from './work-paths.ts'
import { gainAfter, loudnessIn } from '#recipes/loudness.ts'
import { printArgs } from '#recipes/print-args.ts'

type Task<K extends FfmpegJob['task']['kind']> = Extract<FfmpegJob['task'], { kind: K }>

type Say = (news: FfmpegNews) => void

/**
 * The page starts this worker, the media worker gives the job and gets the news: each has its own
 * end of the line.
 */
self.addEventListener('message', ({ data: port }: MessageEvent<MessagePort>) => {
  const say: Say = (news) =>
    port.postMessage(news, news.kind === 'output' ? [news.bytes.buffer] : [])
  port.addEventListener('message', ({ data: job }: MessageEvent<FfmpegJob>) => {
    run(job, say).then(
      () => say({ kind: 'done' }),
      (thrown: unknown) =>
        say({ kind: 'failed', name: thrown instanceof Error ? thrown.name : 'unknown' }),
    )
  })
  port.start()
})

async function run(job: FfmpegJob, say: Say): Promise<void> {
  const core = await loadCore(job.coreUrl, job.wasm)
  say({ kind: 'started' })
  const input = `${INPUT_FOLDER}/${sourceName(job.extension)}`
  mountWithReadAhead(core, INPUT_FOLDER, sourceName(job.extension), job.file)
  switch (job.task.kind) {
    case 'probe':
      return probe(core, input, say)
    case 'pictures':
      return takePictures(core, input, job.task, say)
    case 'deep-check':
      return deepCheck(core, input, job.task.check, say)
    case 'render':
      return render(core, job.extension, job.task, say)
  }
}

function probe(core: FfmpegCore, input: string, say: Say): void {
  // Always answers -1; what counts is whether the file it writes can be read.
  core.ffprobe(
    '-v',
    'error',
    '-print_format',
    'json',
    '-show_format',
    '-show_streams',
    input,
    '-o',
    '/out.json',
  )
  say({ kind: 'probed', json: readText(core, '/out.json') })
}

async function takePictures(
  core: FfmpegCore,
  input: string,
  { atSeconds, width, tracks }: Task<'pictures'>,
  say: Say,
): Promise<void> {
  for (const [index, seconds] of atSeconds.entries()) {
    await letEnd()
    // The JPEG encoder of this core hangs or crashes at common sizes, so pictures are raw pixels.
    // The seek is rounded down, because it must not pass over a picture at exactly this time.
    core.exec(
      '-v',
      'error',
      ...printArgs(
        {
          inputs: [{ from: { kind: 'source' }, seekMs: Math.floor(seconds * 1_000), tracks }],
          args: [
            '-map',
            '0:V:0',
            '-frames:v',
            '1',
            '-vf',
            `scale=${width}:-2`,
            '-f',
            'rawvideo',
            '-pix_fmt',
            'rgba',
            '/out.raw',
          ],
        },
        () => input,
      ),
    )
    say({ kind: 'picture', index, rgba: take(core, '/out.raw') })
  }
}

async function render(
  core: FfmpegCore,
  extension: string,
  { files, steps, outputs }: Task<'render'>,
  say: Say,
): Promise<void> {
  const level = createLeveller(core, extension)
  core.FS.mkdir(WORK_FOLDER)
  for (const { name, bytes } of files) core.FS.writeFile(`${WORK_FOLDER}/${name}`, bytes)
  for (const [index, step] of steps.entries()) {
    await letEnd()
    const onOutputMs = (outputMs: number): void => say({ kind: 'progress', step: index, outputMs })
    if (step.tool === 'levelled') level(step, onOutputMs)
    else await runStep(core, step, onOutputMs)
    say({ kind: 'progress', step: index, outputMs: Infinity })
  }
  for (const name of outputs) {
    const bytes = take(core, `${WORK_FOLDER}/${name}`)
    if (bytes === null)
      throw Object.assign(new Error('ffmpeg wrote nothing'), { name: 'StepError' })
    say({ kind: 'output', name, bytes })
  }
}

type StepOf<T extends RenderStep['tool']> = Extract<RenderStep, { readonly tool: T }>

async function runStep(
  core: FfmpegCore,
  step: StepOf<'ffmpeg' | 'voice-filter'>,
  onOutputMs: (outputMs: number) => void,
): Promise<void> {
  if (step.tool === 'voice-filter') return maskVoices(core, step, onOutputMs)
  core.setProgress(({ time }) => onOutputMs(time / 1_000))
  exec(core, step.args)
}

function exec(core: FfmpegCore, args: readonly string[]): void {
  if (core.exec('-v', 'error', ...args) !== 0)
    throw Object.assign(new Error('ffmpeg gave up'), { name: 'StepError' })
}

/** The limiter takes some of a gain away again, so the server measures as often too. */
const MEASUREMENTS = 2
/** A meter prints a line for each tenth of a second; the last one counts. */
const LAST_CHARS = 4096

/** Runs steps that measure sounds, and those that level them by what was measured. */
function createLeveller(core: FfmpegCore, extension: string) {
  const gains = new Map<string, number>()
  return ({ run, measures }: StepOf<'levelled'>, onOutputMs: (outputMs: number) => void): void => {
    const print = (): string[] =>
      printArgs(run, workPaths(extension), undefined, ({ of }) => gains.get(of) ?? 0)
    core.setProgress(({ time }) => onOutputMs(time / 1_000))
    if (measures === null) return exec(core, print())
    for (let count = 0; count < MEASUREMENTS; count += 1) {
      let printed = ''
      core.setLogger(({ type, message }) => {
        if (type === 'stdout') printed = `${printed}${message}\n`.slice(-LAST_CHARS)
      })
      exec(core, print())
      gains.set(measures, gainAfter(gains.get(measures) ?? 0, loudnessIn(printed)))
    }
    core.setLogger(() => undefined)
  }
}

function readText(core: FfmpegCore, path: string): string {
  const bytes = take(core, path)
  return bytes === null ? '' : new TextDecoder().decode(bytes)
}

function take(core: FfmpegCore, path: string): Uint8Array<ArrayBuffer> | null {
  if (!core.FS.analyzePath(path).exists) return null
  const bytes = Uint8Array.from(core.FS.readFile(path))
  core.FS.unlink(path)
  return bytes.byteLength === 0 ? null : bytes
}
