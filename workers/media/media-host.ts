import { compileCore, createFfmpegJobs } from './ffmpeg-jobs.ts'
import { deepCheckFile } from './deep-check-file.ts'
import { whileOpen } from './open-file.ts'
import { startInPage } from './page-worker.ts'
import { makePictures } from './pictures.ts'
import { keepEngine } from './preview-engine.ts'
import { probeFile, type ProbeDeps } from './probe-file.ts'
import { createRecentProbes } from './recent-probes.ts'
import { createTurns, type Rank } from './turns.ts'
import { err, ok, type Result } from '#src/lib/result.ts'
import type { FfmpegStarter, MediaApi } from '#src/local/probe/api.ts'
import type { ProbeFailure } from '#src/local/probe/report.ts'

/** A picture from the very first frame is often black. */
const POSTER_SHARE = 0.1

/**
 * The media worker's interface. Always answers quickly to `cancel`: ffmpeg runs in a worker of its
 * own.
 */
export function createMediaHost(isSmallDevice: boolean): MediaApi {
  let starter: FfmpegStarter | null = null
  const jobs = createFfmpegJobs({
    compile: compileCore,
    startWorker: () => {
      if (starter === null) throw new Error('nobody starts ffmpeg workers')
      return startInPage(starter)
    },
  })
  const deps: ProbeDeps = { jobs: jobs.at('verdict'), isSmallDevice, now: () => performance.now() }
  /** For what nobody waits for: makes room for verdicts. */
  const besideDeps: ProbeDeps = { ...deps, jobs: jobs.at('pictures') }
  const turns = createTurns()
  const recent = createRecentProbes()
  const running = new Map<string, AbortController>()

  /** `rank` null: at once and beside everything else. */
  const run = async <T, E>(
    id: string,
    rank: Rank | null,
    work: (signal: AbortSignal) => Promise<Result<T, E>>,
  ): Promise<Result<T, E | ProbeFailure>> => {
    const controller = new AbortController()
    const { signal } = controller
    const cancelled = Promise.withResolvers<Result<never, ProbeFailure>>()
    signal.addEventListener('abort', () => cancelled.resolve(err({ code: 'probe/cancelled' })), {
      once: true,
    })
    running.set(id, controller)
    try {
      // The abort wins over whatever the work is in the middle of, such as a read of a slow disk.
      return await Promise.race([
        rank === null ? work(signal) : turns.take(rank, signal, () => work(signal)),
        cancelled.promise,
      ])
    } catch {
      return err({ code: signal.aborted ? 'probe/cancelled' : 'probe/engine-crashed' })
    } finally {
      if (running.get(id) === controller) running.delete(id)
    }
  }
  const pictures = (
    file: File,
    shares: readonly number[],
    width: number,
    signal: AbortSignal,
    onPicture: (index: number, picture: Blob) => void,
  ) => {
    const facts = async () => {
      const report = (await recent.of(file, signal)) ?? (await probeFile(besideDeps, file, signal))
      return report.ok
        ? {
            durationMs: report.value.durationMs,
            displayWidth: report.value.video?.displayWidth ?? null,
          }
        : { durationMs: null, displayWidth: null }
    }
    return whileOpen(file, signal, (opened) =>
      makePictures(besideDeps.jobs, { opened, shares, width, signal, facts }, onPicture),
    )
  }

  return {
    useFfmpeg: async (given) => {
      starter = given
    },
    probe: (file, { id }) =>
      run(id, 'verdict', (signal) => recent.keep(file, probeFile(deps, file, signal))),
    deepCheck: (file, { id, count, width }, onPicture) =>
      run(id, 'pictures', (signal) =>
        deepCheckFile(besideDeps, { file, count, width, signal }, onPicture),
      ),
    poster: (file, { id, width }) =>
      run(id, null, async (signal) => {
        const made = await pictures(file, [POSTER_SHARE], width, signal, () => undefined)
        const poster = made.ok ? made.value[0] : undefined
        if (!made.ok) return made
        return poster === undefined ? err({ code: 'probe/no-video' }) : ok(poster)
      }),
    filmstrip: (file, { id, count, width }, onPicture) =>
      run(id, 'pictures', (signal) =>
        pictures(
          file,
          Array.from({ length: count }, (_, index) => (index + 0.5) / count),
          width,
          signal,
          onPicture,
        ),
      ),
    pictures: (file, { id, shares, width }, onPicture) =>
      run(id, 'preview', (signal) => pictures(file, shares, width, signal, onPicture)),
    preview: (file, request, { id }, onShare) =>
      run(id, 'preview', async (signal) => {
        // Half of this worker's code, and a verdict need not wait for it.
        const { makePreview } = await import('./preview.ts')
        return makePreview(jobs.at('preview'), { file, request, signal, onShare })
      }),
    keepEngine,
    cancel: async (id) => running.get(id)?.abort(),
    release: async () => {
      for (const controller of running.values()) controller.abort()
      jobs.release()
    },
  }
}
