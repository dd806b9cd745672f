import { proxy, type Remote } from 'comlink'
import { createFfmpegWorkers } from './ffmpeg-workers.ts'
import { linkWorker, type WorkerLink } from './worker-link.ts'
import type {
  FilmstripOptions,
  MediaApi,
  PicturesOptions,
  PosterOptions,
  ProbeOptions,
} from '#src/local/probe/api.ts'
import type { PreviewFailure, PreviewOutput, PreviewRequest } from '#src/local/previews/preview.ts'
import type { DeepFacts, ProbeFailure, ProbeReport } from '#src/local/probe/report.ts'
import { err, ok, type Result } from '#src/lib/result.ts'
import type { Clock } from '#src/lib/time.ts'
import { SECOND_MS } from '#src/lib/time.ts'

/** For one call as a whole: the worker's own limits are shorter. */
const CALL_LIMIT_MS = 120 * SECOND_MS
/**
 * The worker never blocks, because ffmpeg runs in another one. Broken files can lead a reader into
 * an endless loop all the same, in which the worker's own timers never fire. Two beats, since a
 * device that wakes up may be slow with the first.
 */
const BEAT_MS = 5 * SECOND_MS
const MISSED_BEATS = 2

/**
 * Without work for so long, the worker is ended: its compiled core alone holds 32 MB, and a new one
 * is ready in an instant.
 */
const IDLE_LIMIT_MS = 60 * SECOND_MS

/**
 * The page's only way to the media worker, which is started at the first call, ended when idle, and
 * started anew after a crash. Never throws.
 */
export interface MediaBridge {
  probe(file: File, options: ProbeOptions): Promise<Result<ProbeReport, ProbeFailure>>
  deepCheck(
    file: File,
    options: FilmstripOptions,
    onPicture: (index: number, picture: Blob) => void,
  ): Promise<Result<DeepFacts, ProbeFailure>>
  poster(file: File, options: PosterOptions): Promise<Result<Blob, ProbeFailure>>
  filmstrip(
    file: File,
    options: FilmstripOptions,
    onPicture: (index: number, picture: Blob) => void,
  ): Promise<Result<readonly Blob[], ProbeFailure>>
  pictures(
    file: File,
    options: PicturesOptions,
    onPicture: (index: number, picture: Blob) => void,
  ): Promise<Result<readonly Blob[], ProbeFailure>>
  preview(
    file: File,
    request: PreviewRequest,
    options: ProbeOptions,
    onShare: (share: number) => void,
  ): Promise<Result<readonly PreviewOutput[], PreviewFailure>>
  keepEngine(): Promise<void>
  cancel(id: string): void
  /** Ends the worker and gives its memory back. */
  release(): Promise<void>
}

export function createMediaBridge(
  clock: Clock,
  startWorker: () => Worker = startMediaWorker,
): MediaBridge {
  let current: {
    readonly link: WorkerLink<MediaApi>
    readonly died: Promise<void>
    readonly die: () => void
  } | null = null

  let running = 0
  let idle = new AbortController()

  const reach = (): NonNullable<typeof current> => {
    if (current !== null) return current
    const death = Promise.withResolvers<void>()
    const ffmpeg = createFfmpegWorkers()
    const link = linkWorker<MediaApi>(startWorker(), () => {
      die()
      if (current?.link === link) current = null
    })
    link.remote.useFfmpeg(proxy(ffmpeg)).catch(() => undefined)
    const die = (): void => {
      ffmpeg.endAll()
      death.resolve()
    }
    current = { link, died: death.promise, die }
    return current
  }
  const end = (): void => {
    current?.link.terminate()
    current?.die()
    current = null
  }
  /** Resolves when the worker hangs; rejects at the abort. */
  const watch = async (remote: Remote<MediaApi>, signal: AbortSignal): Promise<void> => {
    const startedAtEpochMs = clock.now()
    for (let missed = 0; missed < MISSED_BEATS && clock.now() - startedAtEpochMs < CALL_LIMIT_MS;) {
      let isAlive = false
      const answer = (): void => {
        isAlive = true
      }
      // Of no work in particular: only whether it answers counts.
      remote.cancel('').then(answer, answer)
      await clock.sleep(BEAT_MS, signal)
      missed = isAlive ? 0 : missed + 1
    }
  }
  const endWhenIdle = (): void => {
    idle = new AbortController()
    clock.sleep(IDLE_LIMIT_MS, idle.signal).then(
      () => {
        if (running === 0) end()
      },
      () => undefined,
    )
  }
  const call = async <T, E = ProbeFailure>(
    work: (remote: Remote<MediaApi>) => Promise<Result<T, E | ProbeFailure>>,
  ): Promise<Result<T, E | ProbeFailure>> => {
    idle.abort()
    running += 1
    const reached = reach()
    const over = new AbortController()
    const hang = watch(reached.link.remote, over.signal).then(
      (): Result<T, E | ProbeFailure> => {
        if (current === reached) end()
        return err({ code: 'probe/timeout' })
      },
      () => crashed,
    )
    try {
      return await Promise.race([
        work(reached.link.remote).catch(() => crashed),
        reached.died.then(() => crashed),
        hang,
      ])
    } finally {
      over.abort()
      running -= 1
      if (running === 0) endWhenIdle()
    }
  }

  return {
    probe: (file, options) => call((remote) => remote.probe(file, options)),
    deepCheck: (file, options, onPicture) =>
      call((remote) => remote.deepCheck(file, options, proxy(onPicture))),
    poster: (file, options) => call((remote) => remote.poster(file, options)),
    filmstrip: (file, options, onPicture) =>
      call((remote) => remote.filmstrip(file, options, proxy(onPicture))),
    pictures: (file, options, onPicture) =>
      call((remote) => remote.pictures(file, options, proxy(onPicture))),
    preview: (file, request, options, onShare) =>
      call((remote) => remote.preview(file, request, options, proxy(onShare))),
    keepEngine: async () => {
      await call(async (remote) => ok(await remote.keepEngine()))
    },
    cancel: (id) => void current?.link.remote.cancel(id).catch(() => undefined),
    release: async () => {
      await current?.link.remote.release().catch(() => undefined)
      end()
    },
  }
}

const crashed: Result<never, ProbeFailure> = err({ code: 'probe/engine-crashed' })

function startMediaWorker(): Worker {
  return new Worker(new URL('../../workers/media/media.worker.ts', import.meta.url), {
    type: 'module',
    name: 'onecut-media',
  })
}
