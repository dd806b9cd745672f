import { findDamage } from './find-damage.ts'
import { withLimit } from './limit.ts'
import { deepCheckByFfmpeg } from './deep-check-by-ffmpeg.ts'
import { judgeLooks, type PictureLook } from './picture-look.ts'
import { makePictures } from './pictures.ts'
import { whileOpen, type OpenFile } from './open-file.ts'
import { isTooLarge, probeOpened, readUntil, runFfprobe, type ProbeDeps } from './probe-file.ts'
import { readLoudness } from './read-loudness.ts'
import { readNotes } from './read-notes.ts'
import { readTimes } from './read-deep.ts'
import { NO_DEEP_FACTS, type DeepFacts } from '#checks/facts.ts'
import { err, ok, type Result } from '#src/lib/result.ts'
import { ffprobeDeepFacts } from '#src/local/probe/ffprobe-deep.ts'
import { readOrigin } from '#src/local/probe/origin.ts'
import type { ProbeFailure, ProbeReport } from '#src/local/probe/report.ts'

const ORIGIN_LIMIT_MS = 3_000
/** Each reading step; one that takes longer says nothing. */
const STEP_LIMIT_MS = 15_000

type OnPicture = (index: number, picture: Blob) => void
export interface Inspection {
  readonly file: File
  readonly count: number
  readonly width: number
  readonly signal: AbortSignal
}

/**
 * The deep check during the upload, together with the pictures of the filmstrip. Steps
 * that fail or take too long leave their facts null; only a file that cannot be read at all, or a
 * cancel, is a failure.
 */
export function deepCheckFile(
  deps: ProbeDeps,
  inspection: Inspection,
  onPicture: OnPicture,
): Promise<Result<DeepFacts, ProbeFailure>> {
  return whileOpen(inspection.file, inspection.signal, (opened) =>
    inspect(deps, opened, inspection, onPicture),
  )
}

async function inspect(
  deps: ProbeDeps,
  opened: OpenFile,
  inspection: Inspection,
  onPicture: OnPicture,
): Promise<Result<DeepFacts, ProbeFailure>> {
  const { file, signal } = inspection
  const probed = await probeOpened(deps, opened, signal)
  if (!probed.ok) return probed
  const report = probed.value
  const isFast = report.engine === 'mediabunny'
  const headers = await readHeaders(deps, opened, report, signal)
  const pictures = await lookAtPictures(deps, opened, inspection, report, onPicture)
  const damage = isFast ? await step(opened, signal, findDamage) : null
  const loudness = isFast ? await step(opened, signal, readLoudness) : null
  // What this browser cannot decode, or only ffmpeg can read.
  const wanted = {
    times: headers.times === null,
    sound: loudness === null,
    damage: damage === null,
  }
  const byFfmpeg =
    signal.aborted || isTooLarge(deps, file)
      ? NO_DEEP_FACTS
      : await deepCheckByFfmpeg(deps.jobs, file, report, wanted, signal)
  if (signal.aborted) return err({ code: 'probe/cancelled' })
  return ok({
    ...NO_DEEP_FACTS,
    ...headers.said,
    ...(headers.times ?? {
      frameRates: byFfmpeg.frameRates,
      longestKeyGapMs: byFfmpeg.longestKeyGapMs,
    }),
    loudness: loudness ?? byFfmpeg.loudness,
    damagedAtMs: damage === null ? byFfmpeg.damagedAtMs : damage.atMs,
    pictures,
  })
}

interface Headers {
  /** Null when only ffmpeg can find out. */
  readonly times: Awaited<ReturnType<typeof readTimes>> | null
  readonly said: Partial<DeepFacts>
}

/** What is said without decoding anything. */
async function readHeaders(
  deps: ProbeDeps,
  opened: OpenFile,
  report: ProbeReport,
  signal: AbortSignal,
): Promise<Headers> {
  const { file } = opened
  const isFast = report.engine === 'mediabunny'
  const isBoxed = report.container === 'MP4' || report.container === 'MOV'
  const origin = isBoxed
    ? await withLimit(
        readOrigin(readUntil(opened.read, signal), file.size),
        ORIGIN_LIMIT_MS,
        signal,
      ).catch(() => null)
    : null
  const times = isFast ? await step(opened, signal, readTimes) : null
  const notes = isFast ? await step(opened, signal, readNotes) : null
  // Only pictures show whether fields were used, and the other reader knows.
  const other =
    isTooLarge(deps, file) || (isFast && notes?.mayBeInterlaced !== true)
      ? null
      : await runFfprobe(deps, file, signal)
  const said = other?.ok === true ? ffprobeDeepFacts(other.value) : {}
  return {
    times,
    said: {
      ...(isFast ? { isInterlaced: said.isInterlaced ?? null } : said),
      ...originFacts([said, origin ?? {}, notes ?? {}]),
    },
  }
}

async function lookAtPictures(
  deps: ProbeDeps,
  opened: OpenFile,
  { count, width, signal }: Inspection,
  report: ProbeReport,
  onPicture: OnPicture,
): Promise<DeepFacts['pictures']> {
  if (report.video === null) return null
  const looks: PictureLook[] = []
  const shares = Array.from({ length: count }, (_, index) => (index + 0.5) / count)
  const facts = {
    ...report,
    pictureStartMs: report.pictureStartMs ?? 0,
    displayWidth: report.video.displayWidth,
  }
  await makePictures(
    deps.jobs,
    { opened, shares, width, signal, facts: async () => facts },
    (index, picture, look) => {
      looks.push(look)
      onPicture(index, picture)
    },
  )
  return judgeLooks(looks)
}

type OriginFacts = Partial<Pick<DeepFacts, 'hasLocation' | 'hasDevice' | 'createdAt'>>

/**
 * A place is noted where one reader found it; a reader that found none may not know this kind of
 * note.
 */
function originFacts(said: readonly OriginFacts[]): OriginFacts {
  const anyOf = (fact: 'hasLocation' | 'hasDevice'): boolean | null => {
    const known = said.flatMap((facts) => facts[fact] ?? [])
    return known.length === 0 ? null : known.includes(true)
  }
  return {
    hasLocation: anyOf('hasLocation'),
    hasDevice: anyOf('hasDevice'),
    createdAt: said.map((facts) => facts.createdAt ?? null).find((at) => at !== null) ?? null,
  }
}

/**
 * Runs one step. One that fails or takes too long ends with all it still reads, so that the next
 * one starts fresh.
 */
async function step<T>(
  opened: OpenFile,
  signal: AbortSignal,
  read: (opened: OpenFile, signal: AbortSignal) => Promise<T>,
): Promise<T | null> {
  const over = new AbortController()
  try {
    return await withLimit(
      read(opened, AbortSignal.any([signal, over.signal])),
      STEP_LIMIT_MS,
      signal,
    )
  } catch {
    opened.startAnew()
    return null
  } finally {
    over.abort()
  }
}
