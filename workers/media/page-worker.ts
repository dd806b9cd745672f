import { transfer } from 'comlink'
import type { FfmpegNews } from './ffmpeg-messages.ts'
import type { FfmpegWorker } from './run-in-worker.ts'
import type { FfmpegStarter } from '#src/local/probe/api.ts'

/**
 * An ffmpeg worker that the page starts and ends for this one. A worker that starts or ends workers
 * itself can hang for ever in Firefox: it waits there for the main thread, and the wake-up may go
 * to the other worker (about one job in fifty on ESR 153).
 */
export function startInPage(starter: FfmpegStarter): FfmpegWorker {
  const id = crypto.randomUUID()
  const { port1: own, port2: its } = new MessageChannel()
  return {
    begin(job, onNews, onDeath) {
      own.addEventListener('message', (event: MessageEvent<FfmpegNews>) => onNews(event.data))
      own.start()
      starter.start(id, transfer(its, [its])).then(onDeath, onDeath)
      // Not by way of the page, which would hold the compiled core until it collects its garbage.
      own.postMessage(job)
    },
    end() {
      own.close()
      void starter.end(id).catch(() => undefined)
    },
  }
}
