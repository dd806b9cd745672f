import type { FfmpegStarter } from '#src/local/probe/api.ts'

/**
 * Starts ffmpeg workers for the media worker, which must not start workers
 * (workers/media/page-worker.ts says why).
 */
export interface FfmpegWorkers extends FfmpegStarter {
  /** Ends all ffmpeg workers for good: they do not end with the media worker. */
  endAll(): void
}

export function createFfmpegWorkers(startWorker: () => Worker = startFfmpegWorker): FfmpegWorkers {
  const endings = new Map<string, () => void>()
  let isOver = false
  return {
    start: (id, port) =>
      new Promise((resolve) => {
        // The media worker that asked for it ended meanwhile.
        if (isOver) return resolve()
        const worker = startWorker()
        const end = (): void => {
          endings.delete(id)
          worker.terminate()
          resolve()
        }
        endings.set(id, end)
        worker.addEventListener('error', end)
        worker.addEventListener('messageerror', end)
        worker.postMessage(port, [port])
      }),
    end: async (id) => endings.get(id)?.(),
    endAll: () => {
      isOver = true
      for (const end of Array.from(endings.values())) end()
    },
  }
}

function startFfmpegWorker(): Worker {
  return new Worker(new URL('../../workers/media/ffmpeg.worker.ts', import.meta.url), {
    type: 'module',
    name: 'onecut-ffmpeg',
  })
}
