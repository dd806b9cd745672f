import type { FfmpegNews } from '#workers/media/ffmpeg-messages.ts'
import type { FfmpegWorker } from '#workers/media/run-in-worker.ts'

/**
 * Starts ffmpeg as the page does for the app, but from the measuring worker; in Chromium only
 * (workers/media/page-worker.ts says why).
 */
export function startFfmpeg(): FfmpegWorker {
  const worker = new Worker(new URL('../../workers/media/ffmpeg.worker.ts', import.meta.url), {
    type: 'module',
  })
  const { port1: own, port2: its } = new MessageChannel()
  return {
    begin(job, onNews, onDeath) {
      own.onmessage = (event: MessageEvent<FfmpegNews>) => onNews(event.data)
      worker.addEventListener('error', onDeath)
      worker.postMessage(its, [its])
      own.postMessage(job)
    },
    end: () => worker.terminate(),
  }
}
