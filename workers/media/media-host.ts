import { compileCore, createFfmpegJobs } from './ffmpeg-jobs.ts'
import { deepCheckFile } from './deep-check-file.ts'
import { whileOpen } from './open-file.ts'
import { startInPage } from './page-worker.ts'
import { makePictures, type PictureRequest } from './pictures.ts'
import { keepEngine } from './preview-engine.ts'
import { probeFile, type ProbeDeps } from './probe-file.ts'
import { createRecentProbes, type RecentProbes } from './recent-probes.ts'
import { createRunningWork, type RunningWork } from './running-work.ts'
import { createTurns, type Turns } from './turns.ts'
import type { DeviceMemory } from './render/ladder.ts'
import type { MakeDeps } from './render/make-job.ts'
import { err, ok, type Result } from '#src/lib/result.ts'
import type { FfmpegStarter, MediaApi } from '#src/local/probe/api.ts'
import type { ProbeFailure, ProbeReport } from '#src/local/probe/report.ts'

/** What is known of a device's memory. */
export interface DeviceSize {
  readonly isSmall: boolean
  /** For edits that are made here. */
  readonly memory: DeviceMemory
}

/** A picture from the very first frame is often black. */
const POSTER_SHARE = 0.1

/**
 * The media worker's interface. Always answers quickly to `cancel`: ffmpeg runs in a worker of its
 * own.
 */
export function createMediaHost({ isSmall: isSmallDevice, memory }: DeviceSize): MediaApi {
  let starter: FfmpegStarter | null = null
  const jobs = createFfmpegJobs({
    compile: compileCore,
    startWorker: () => {
      if (starter === null) throw new Error('the page has given no way to start ffmpeg workers')
      return startInPage(starter)
    },
  })
  const deps: ProbeDeps = { jobs: jobs.at('verdict'), isSmallDevice, now: () => performance.now() }
  /** For what runs when idle: makes room for verdicts. */
  const idleDeps: ProbeDeps = { ...deps, jobs: jobs.at('pictures') }
  const recent = createRecentProbes()
  const turns = createTurns()
  const { run, cancel, cancelAll } = createRunningWork(turns)
  const pictures = createPictureMaker(idleDeps, recent)

  return {
    useFfmpeg: async (given) => {
      starter = given
    },
    probe: (file, { id }) =>
      run(id, 'verdict', (signal) => recent.keep(file, probeFile(deps, file, signal))),
    deepCheck: (file, { id, count, width }, onPicture) =>
      run(id, 'pictures', (signal) =>
        deepCheckFile(idleDeps, { file, count, width, signal }, onPicture),
      ),
    poster: (file, { id, width }) =>
      run(id, null, async (signal) => {
        const poster = { shares: [POSTER_SHARE], width }
        const made = await pictures(file, poster, signal, () => undefined)
        if (!made.ok) return made
        const [picture] = made.value
        return picture === undefined ? err({ code: 'probe/no-video' }) : ok(picture)
      }),
    filmstrip: (file, { id, count, width }, onPicture) =>
      run(id, 'pictures', (signal) =>
        pictures(file, { shares: evenShares(count), width }, signal, onPicture),
      ),
    pictures: (file, { id, ...wanted }, onPicture) =>
      run(id, 'preview', (signal) => pictures(file, wanted, signal, onPicture)),
    preview: (file, request, { id }, onShare) =>
      run(id, 'preview', async (signal) => {
        // Half of this worker's code, and a verdict need not wait for it.
        const { makePreview } = await import('./preview.ts')
        return makePreview(jobs.at('preview'), { file, request, signal, onShare })
      }),
    ...editMaker(run, { jobs: jobs.at('make'), memory }),
    findMoments: momentFinder(run, turns),
    keepEngine,
    cancel: async (id) => cancel(id),
    release: async () => {
      cancelAll()
      jobs.release()
    },
  }
}

/** What of the worker makes edits in full; its code is loaded when it is asked for. */
function editMaker(run: RunningWork['run'], deps: MakeDeps): Pick<MediaApi, 'canMake' | 'make'> {
  return {
    canMake: async (file, request, { id }) => {
      const said = await run(id, null, async (signal) => {
        const { canMakeEdit } = await import('./render/make-edit.ts')
        return ok(await canMakeEdit(deps, { file, request, signal }))
      })
      return said.ok ? said.value : { kind: 'server', why: 'no-decoder' }
    },
    make: (file, request, options, onProgress, pieces) =>
      run(options.id, 'make', async (signal) => {
        const { makeEdit } = await import('./render/make-edit.ts')
        return makeEdit(deps, { file, request, signal, options, pieces }, onProgress)
      }),
  }
}

/** What of the worker searches for moments; its code is loaded when it is asked for. */
function momentFinder(run: RunningWork['run'], turns: Turns): MediaApi['findMoments'] {
  // Between its looks it lets go first whatever a person waits for.
  const turn = (over: AbortSignal) => turns.take('search', over, async () => undefined)
  const now = () => performance.now()
  return (file, source, { id }, onShare) =>
    run(id, null, async (signal) => {
      const { findMoments } = await import('./search/find-moments.ts')
      return findMoments({ turn, now }, { file, source, signal }, onShare)
    })
}

/** Makes pictures of a file at shares of its length, with what an earlier probe found of it. */
function createPictureMaker(deps: ProbeDeps, recent: RecentProbes) {
  const reportOf = async (file: File, signal: AbortSignal) =>
    (await recent.of(file, signal)) ?? (await probeFile(deps, file, signal))
  return (
    file: File,
    wanted: Pick<PictureRequest, 'shares' | 'width' | 'exactly'>,
    signal: AbortSignal,
    onPicture: (index: number, picture: Blob) => void,
  ) => {
    const facts = async () => pictureFacts(await reportOf(file, signal))
    return whileOpen(file, signal, (opened) =>
      makePictures(deps.jobs, { ...wanted, opened, signal, facts }, onPicture),
    )
  }
}

/** What pictures need to know of a file; null where it could not be probed. */
function pictureFacts(report: Result<ProbeReport, ProbeFailure>) {
  return report.ok
    ? {
        ...report.value,
        pictureStartMs: report.value.pictureStartMs ?? 0,
        displayWidth: report.value.video?.displayWidth ?? null,
      }
    : { durationMs: null, pictureStartMs: 0, displayWidth: null }
}

function evenShares(count: number): readonly number[] {
  return Array.from({ length: count }, (_, index) => (index + 0.5) / count)
}
