import { proxy, type Remote } from 'comlink'
import { createFfmpegWorkers } from './ffmpeg-workers.ts'
import { linkWorker } from './worker-link.ts'
import type { MediaApi } from '#src/local/probe/api.ts'
import type { ProbeFailure } from '#src/local/probe/report.ts'
import { err, ok, type Result } from '#src/lib/result.ts'
import type { Clock } from '#src/lib/time.ts'
import { SECOND_MS } from '#src/lib/time.ts'

/**
 * For one call as a whole: the worker's own limits are shorter. An edit takes minutes, and the
 * worker itself ends one that stands still.
 */
const CALL_LIMIT_MS = 120 * SECOND_MS
/**
 * The worker never blocks, because ffmpeg runs in another one. Broken files can still lead a reader
 * into an endless loop, in which the worker's own timers never fire. Two heartbeats, because a
 * device that wakes up may be slow with the first.
 */
const BEAT_MS = 5 * SECOND_MS
const MISSED_BEATS = 2

/**
 * Without work for this long, the worker is ended: its compiled core alone holds 32 MB, and a new
 * worker is ready in an instant.
 */
const IDLE_LIMIT_MS = 60 * SECOND_MS

/**
 * The page's only way to the media worker, which starts at the first call, ends when idle, and
 * starts again after a crash. Its calls are those of `MediaApi` and never throw.
 */
export interface MediaBridge extends Omit<MediaApi, 'useFfmpeg' | 'cancel' | 'release'> {
  cancel(id: string): void
  /** Whether a call is under way. */
  isReading(): boolean
  /** Ends the worker and gives its memory back. */
  release(): Promise<void>
}

export function createMediaBridge(
  clock: Clock,
  startWorker: () => Worker = startMediaWorker,
): MediaBridge {
  const worker = createWorkerHold(startWorker)
  const calls = createCallCount(clock, worker.end)
  const call: Call = async (work, limitMs = CALL_LIMIT_MS) => {
    calls.begin()
    const reached = worker.reach()
    const over = new AbortController()
    const hang = untilItHangs(clock, reached.remote, limitMs, over.signal).then(
      (): Result<never, ProbeFailure> => {
        if (worker.current() === reached) worker.end()
        return err({ code: 'probe/timeout' })
      },
      () => crashed,
    )
    try {
      return await Promise.race([
        work(reached.remote).catch(() => crashed),
        reached.died.then(() => crashed),
        hang,
      ])
    } finally {
      over.abort()
      calls.end()
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
    ...editCalls(call),
    keepEngine: async () => {
      await call(async (remote) => ok(await remote.keepEngine()))
    },
    isReading: calls.areUnderWay,
    cancel: (id) =>
      void worker
        .current()
        ?.remote.cancel(id)
        .catch(() => undefined),
    release: async () => {
      await worker
        .current()
        ?.remote.release()
        .catch(() => undefined)
      worker.end()
    },
  }
}

/** Runs a call of the worker, within a limit of its own where it says one. */
type Call = <T, E = ProbeFailure>(
  work: (remote: Remote<MediaApi>) => Promise<Result<T, E | ProbeFailure>>,
  limitMs?: number,
) => Promise<Result<T, E | ProbeFailure>>

/** What takes minutes; the worker itself ends what stands still. */
function editCalls(call: Call): Pick<MediaApi, 'canMake' | 'make' | 'findMoments'> {
  return {
    canMake: async (file, request, options) => {
      const said = await call(async (remote) => ok(await remote.canMake(file, request, options)))
      // A worker that dies of trying an encoder would die of the edit too.
      return said.ok ? said.value : { kind: 'server', why: 'no-encoder' }
    },
    make: (file, request, options, onProgress, pieces) =>
      call(
        (remote) => remote.make(file, request, options, proxy(onProgress), proxy(pieces)),
        Infinity,
      ),
    findMoments: (file, source, options, onShare) =>
      call((remote) => remote.findMoments(file, source, options, proxy(onShare)), Infinity),
  }
}

/** Counts the calls under way and calls `onIdle` when there was none for `IDLE_LIMIT_MS`. */
function createCallCount(clock: Clock, onIdle: () => void) {
  let running = 0
  let idle = new AbortController()
  return {
    begin: () => {
      idle.abort()
      running += 1
    },
    end: () => {
      running -= 1
      if (running > 0) return
      idle = new AbortController()
      clock.sleep(IDLE_LIMIT_MS, idle.signal).then(onIdle, () => undefined)
    },
    areUnderWay: () => running > 0,
  }
}

/** A worker that runs. */
interface RunningWorker {
  readonly remote: Remote<MediaApi>
  /** Resolves when it is no more, whatever ended it. */
  readonly died: Promise<void>
  readonly end: () => void
}

/** At most one worker at a time, with the ffmpeg workers that it asked the page for. */
interface WorkerHold {
  /** The worker, started when there is none. */
  reach(): RunningWorker
  current(): RunningWorker | null
  end(): void
}

function createWorkerHold(startWorker: () => Worker): WorkerHold {
  let current: RunningWorker | null = null
  const start = (): RunningWorker => {
    const death = Promise.withResolvers<void>()
    const ffmpeg = createFfmpegWorkers()
    const die = (): void => {
      ffmpeg.endAll()
      death.resolve()
    }
    const link = linkWorker<MediaApi>(startWorker(), () => {
      die()
      if (current === started) current = null
    })
    const end = (): void => {
      link.terminate()
      die()
    }
    const started: RunningWorker = { remote: link.remote, died: death.promise, end }
    link.remote.useFfmpeg(proxy(ffmpeg)).catch(() => undefined)
    return started
  }
  return {
    reach: () => (current ??= start()),
    current: () => current,
    end: () => {
      current?.end()
      current = null
    },
  }
}

/** Resolves when the worker hangs, or a call takes too long; rejects at the abort. */
async function untilItHangs(
  clock: Clock,
  remote: Remote<MediaApi>,
  limitMs: number,
  signal: AbortSignal,
): Promise<void> {
  const startedAtEpochMs = clock.now()
  for (let missed = 0; missed < MISSED_BEATS && clock.now() - startedAtEpochMs < limitMs;) {
    let isAlive = false
    const answer = (): void => {
      isAlive = true
    }
    // The empty id names no work: only whether the worker responds counts.
    remote.cancel('').then(answer, answer)
    await clock.sleep(BEAT_MS, signal)
    missed = isAlive ? 0 : missed + 1
  }
}

const crashed: Result<never, ProbeFailure> = err({ code: 'probe/engine-crashed' })

function startMediaWorker(): Worker {
  return new Worker(new URL('../../workers/media/media.worker.ts', import.meta.url), {
    type: 'module',
    name: 'onecut-media',
  })
}
