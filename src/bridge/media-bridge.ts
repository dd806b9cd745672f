import { proxy, type Remote } from 'comlink'
import { linkWorker, type WorkerLink } from './worker-link.ts'
import type { FilmstripOptions, MediaApi, PosterOptions, ProbeOptions } from '#src/local/probe/api.ts'
import type { DeepFacts, ProbeFailure, ProbeReport } from '#src/local/probe/report.ts'
import { err, type Result } from '#src/lib/result.ts'
import type { Clock } from '#src/lib/time.ts'
import { SECOND_MS } from '#src/lib/time.ts'

/** Watch over the whole worker: its own limits are shorter, so this fires only when it hangs. */
const HANG_LIMIT_MS = 120 * SECOND_MS

/** The page's only way to the media worker, which is started at the first call and anew after a crash. Never throws. */
export interface MediaBridge {
  probe(file: File, options: ProbeOptions): Promise<Result<ProbeReport, ProbeFailure>>
  inspect(file: File, options: FilmstripOptions, onPicture: (index: number, picture: Blob) => void): Promise<Result<DeepFacts, ProbeFailure>>
  poster(file: File, options: PosterOptions): Promise<Result<Blob, ProbeFailure>>
  filmstrip(file: File, options: FilmstripOptions, onPicture: (index: number, picture: Blob) => void): Promise<Result<readonly Blob[], ProbeFailure>>
  cancel(id: string): void
  /** Ends the worker and gives its memory back. */
  release(): Promise<void>
}

export function createMediaBridge(clock: Clock, startWorker: () => Worker = startMediaWorker): MediaBridge {
  let current: { readonly link: WorkerLink<MediaApi>; readonly died: Promise<void>; readonly die: () => void } | null = null

  const reach = (): NonNullable<typeof current> => {
    if (current !== null) return current
    const death = Promise.withResolvers<void>()
    const link = linkWorker<MediaApi>(startWorker(), () => {
      death.resolve()
      if (current?.link === link) current = null
    })
    current = { link, died: death.promise, die: () => death.resolve() }
    return current
  }
  const end = (): void => {
    current?.link.terminate()
    current?.die()
    current = null
  }
  const call = async <T>(work: (remote: Remote<MediaApi>) => Promise<Result<T, ProbeFailure>>): Promise<Result<T, ProbeFailure>> => {
    const reached = reach()
    const over = new AbortController()
    const hang = clock.sleep(HANG_LIMIT_MS, over.signal).then((): Result<T, ProbeFailure> => {
      if (current === reached) end()
      return err({ code: 'probe/timeout' })
    }, () => crashed)
    try {
      return await Promise.race([work(reached.link.remote).catch(() => crashed), reached.died.then(() => crashed), hang])
    } finally {
      over.abort()
    }
  }

  return {
    probe: (file, options) => call((remote) => remote.probe(file, options)),
    inspect: (file, options, onPicture) => call((remote) => remote.inspect(file, options, proxy(onPicture))),
    poster: (file, options) => call((remote) => remote.poster(file, options)),
    filmstrip: (file, options, onPicture) => call((remote) => remote.filmstrip(file, options, proxy(onPicture))),
    cancel: (id) => void current?.link.remote.cancel(id).catch(() => undefined),
    release: async () => {
      await current?.link.remote.release().catch(() => undefined)
      end()
    },
  }
}

const crashed: Result<never, ProbeFailure> = err({ code: 'probe/engine-crashed' })

function startMediaWorker(): Worker {
  return new Worker(new URL('../../workers/media/media.worker.ts', import.meta.url), { type: 'module', name: 'onecut-media' })
}
