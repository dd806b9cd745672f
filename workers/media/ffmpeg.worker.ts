/**
 * Runs one ffmpeg job and posts what comes out. It blocks while it runs, so the parent holds the watchdog and ends it.
 * Nothing here may outlive a job: the published core loses stack at every run.
 */
import { mountWithReadAhead } from './read-ahead.ts'
import { lookCloser } from './closer-look.ts'
import { loadCore, type FfmpegCore } from './core.ts'
import type { FfmpegJob, FfmpegNews } from './ffmpeg-messages.ts'

const FOLDER = '/in'

self.addEventListener('message', (event: MessageEvent<FfmpegJob>) => {
  run(event.data).then(
    () => say({ kind: 'done' }),
    (thrown: unknown) => say({ kind: 'failed', name: thrown instanceof Error ? thrown.name : 'unknown' }),
  )
})

async function run(job: FfmpegJob): Promise<void> {
  const core = await loadCore(job.coreUrl, job.wasm)
  say({ kind: 'started' })
  // Never the user's name: `%`, `-` and `:` mean something to ffmpeg.
  const input = `${FOLDER}/in.${job.extension}`
  mountWithReadAhead(core, FOLDER, `in.${job.extension}`, job.file)
  if (job.task.kind === 'probe') {
    // Always answers -1; what counts is whether the file it writes can be read.
    core.ffprobe('-v', 'error', '-print_format', 'json', '-show_format', '-show_streams', input, '-o', '/out.json')
    say({ kind: 'probed', json: readText(core, '/out.json') })
    return
  }
  if (job.task.kind === 'look') {
    lookCloser(core, input, job.task.look, say)
    return
  }
  const { atSeconds, width } = job.task
  atSeconds.forEach((seconds, index) => {
    // Raw pixels: the JPEG encoder of this core hangs or crashes at common sizes.
    core.exec('-v', 'error', '-ss', String(seconds), '-i', input, '-an', '-sn', '-frames:v', '1', '-vf', `scale=${width}:-2`, '-f', 'rawvideo', '-pix_fmt', 'rgba', '/out.raw')
    say({ kind: 'picture', index, rgba: take(core, '/out.raw') })
  })
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

function say(news: FfmpegNews): void {
  self.postMessage(news)
}
