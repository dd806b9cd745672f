import { deepCheckByFfmpeg } from './deep-check-by-ffmpeg.ts'
import type { FfmpegJobs } from './ffmpeg-jobs.ts'
import { withLimit } from './limit.ts'
import { openFile, type OpenFile } from './open-file.ts'
import { readFast } from './read-fast.ts'
import type { SourceLayout } from '#checks/facts.ts'
import { lacksStandardColors } from '#checks/dolby-vision.ts'
import type { LearnedTrack, LearnedTracks } from '#checks/ffprobe-tracks.ts'
import { kindOf } from '#checks/immersive.ts'
import type { PictureTrack } from '#checks/picture-track.ts'
import { readPictureTracks } from '#checks/picture-tracks.ts'
import { quickFindings } from '#checks/quick-rules.ts'
import { MOST_HEARD } from '#checks/tracks.ts'
import { err, ok, type Result } from '#src/lib/result.ts'
import type { ReadBytes } from '#checks/boxes.ts'
import { ffprobeReport, soundsIn } from '#src/local/probe/ffprobe-report.ts'
import { walkBoxes, walkSegment } from '#src/local/probe/layout.ts'
import { readMovieTimes, type MovieTimes } from '#src/local/probe/movie-times.ts'
import type { ProbeFailure, ProbeReport, VideoTrackReport } from '#src/local/probe/report.ts'
import { readSignature, SIGNATURE_BYTES, type Signature } from '#src/local/probe/signature.ts'

/** What mediabunny knows; it does not need to be asked about the others. */
const READ_FAST: ReadonlySet<string> = new Set(['isobmff', 'matroska', 'mpeg-ts', 'ogg'])
const WALK_LIMIT_MS = 3_000
const FAST_LIMIT_MS = 5_000
const FFPROBE_LIMIT_MS = 20_000
/** Phones kill a page that takes much; there the second reader only looks at smaller files. */
const SMALL_DEVICE_LIMIT_BYTES = 2 * 1024 ** 3

export interface ProbeDeps {
  readonly jobs: FfmpegJobs
  readonly isSmallDevice: boolean
  readonly now: () => number
}
type Facts = Omit<ProbeReport, 'findings' | 'tookMs'>

/**
 * The quick check: first bytes, layout, fast reader, and ffprobe only where these leave a question
 * open. Reads a few MB at the most, also of a 50 GB file.
 */
export async function probeFile(
  deps: ProbeDeps,
  file: File,
  signal: AbortSignal,
): Promise<Result<ProbeReport, ProbeFailure>> {
  const opened = openFile(file)
  try {
    return await probeOpened(deps, opened, signal)
  } finally {
    opened.close()
  }
}

/** The same for a file that the caller reads further and closes. */
export async function probeOpened(
  deps: ProbeDeps,
  opened: OpenFile,
  signal: AbortSignal,
): Promise<Result<ProbeReport, ProbeFailure>> {
  const startedAt = deps.now()
  const { file } = opened
  if (signal.aborted) return err({ code: 'probe/cancelled' })
  if (file.size === 0) return err({ code: 'probe/empty' })
  const head = await readBytes(opened.read, 0, SIGNATURE_BYTES)
  if (!head.ok) return head
  const signature = readSignature(head.value)
  if (signature.kind === 'photo') return err({ code: 'probe/no-video', facts: { kind: 'photo' } })
  if (signature.kind === 'text') return err({ code: 'probe/not-media' })
  const over = new AbortController()
  const until = AbortSignal.any([signal, over.signal])
  try {
    // Beside each other: both mostly wait for the disk.
    const reading = readByFastReader(opened, signature, until)
    const layout = await readLayout(opened, signature, until)
    if (layout?.isEncrypted === true) return err({ code: 'probe/encrypted' })
    if (layout?.hasIndex === false && !layout.isFragmented)
      return err({ code: layout.hasPayload ? 'probe/incomplete' : 'probe/not-media' })
    const tracks = await readTracks(opened, signature, until)
    const fast = await reading
    if (signal.aborted) return err({ code: 'probe/cancelled' })
    const facts = fast === null ? await readByFfmpeg(deps, opened, signature, signal) : ok(fast)
    if (!facts.ok) return isDolbyVisionAlone(tracks) ? err({ code: 'probe/dolby-vision' }) : facts
    const report = withTrack(facts.value, tracks)
    return ok({
      ...report,
      findings: quickFindings({ report, layout, fileName: file.name }),
      tookMs: Math.round(deps.now() - startedAt),
    })
  } finally {
    over.abort()
  }
}

/** Null when it cannot read the file, which says nothing about the file. */
async function readByFastReader(
  opened: OpenFile,
  signature: Signature,
  signal: AbortSignal,
): Promise<Facts | null> {
  if (signature.kind === 'media' && !READ_FAST.has(signature.container)) return null
  try {
    return await withLimit(readFast(opened), FAST_LIMIT_MS, signal)
  } catch {
    opened.startAnew()
    return null
  }
}

async function readByFfmpeg(
  deps: ProbeDeps,
  opened: OpenFile,
  signature: Signature,
  signal: AbortSignal,
): Promise<Result<Facts, ProbeFailure>> {
  const { file } = opened
  // The file itself may not be readable any more; what was read before says nothing of that.
  const readable = await readBytes(
    async (start, end) => new Uint8Array(await file.slice(start, end).arrayBuffer()),
    0,
    1,
  )
  if (!readable.ok) return readable
  if (signal.aborted) return err({ code: 'probe/cancelled' })
  if (isTooLarge(deps, file)) return err({ code: 'probe/engine-unavailable' })
  const ran = await runFfprobe(deps, file, signal)
  if (!ran.ok) return ran
  const learned = await hearSounds(deps, file, ran.value, signal)
  const edits = await readEdits(opened, signature, signal)
  const report = ffprobeReport(ran.value, file.size, learned, edits)
  if (report !== null && report.videoTrackCount + report.audioTrackCount > 0) return ok(report)
  // Two readers refuse it. With a video's first bytes it is a broken video, else it never was one.
  return err({ code: signature.kind === 'media' ? 'probe/incomplete' : 'probe/not-media' })
}

/** Which of several sounds are silent, as far as ffmpeg hears some seconds of them in time. */
async function hearSounds(
  deps: ProbeDeps,
  file: File,
  json: unknown,
  signal: AbortSignal,
): Promise<LearnedTracks> {
  const learned = new Map<number, LearnedTrack>()
  const sounds = soundsIn(json)
  const report = ffprobeReport(json, file.size)
  if (report === null || sounds.length < 2) return learned
  for (const { number, streamIndex } of sounds.slice(0, MOST_HEARD)) {
    const { loudness } = await deepCheckByFfmpeg(
      deps.jobs,
      file,
      { ...report, taken: { picture: 0, sound: number } },
      { times: false, sound: true, damage: false },
      signal,
    )
    if (loudness !== null)
      learned.set(streamIndex, { isSilent: loudness.silent === loudness.windows })
  }
  return learned
}

/** Whether ffmpeg had better not touch the file on this device. */
export function isTooLarge(deps: ProbeDeps, file: File): boolean {
  return deps.isSmallDevice && file.size > SMALL_DEVICE_LIMIT_BYTES
}

/** What ffprobe writes about the file, parsed; null when it writes nothing. */
export async function runFfprobe(
  deps: ProbeDeps,
  file: File,
  signal: AbortSignal,
): Promise<Result<unknown, ProbeFailure>> {
  let json = ''
  const ran = await deps.jobs.run(
    { file, task: { kind: 'probe' }, limitMs: FFPROBE_LIMIT_MS, signal },
    (news) => {
      if (news.kind === 'probed') json = news.json
    },
  )
  return ran.ok ? ok(parse(json)) : ran
}

/** Null for containers without a layout of their own, and when it cannot be read in time. */
async function readLayout(
  opened: OpenFile,
  signature: Signature,
  signal: AbortSignal,
): Promise<SourceLayout | null> {
  if (
    signature.kind !== 'media' ||
    (signature.container !== 'isobmff' && signature.container !== 'matroska')
  )
    return null
  return await inTime(opened, signal, signature.container === 'isobmff' ? walkBoxes : walkSegment)
}

/** What a walk over the descriptions of a file finds; null where it takes too long or fails. */
async function inTime<T>(
  { file, read }: OpenFile,
  signal: AbortSignal,
  walk: (read: ReadBytes, sizeBytes: number) => Promise<T>,
): Promise<T | null> {
  const over = new AbortController()
  const until = readUntil(read, AbortSignal.any([signal, over.signal]))
  try {
    return await withLimit(walk(until, file.size), WALK_LIMIT_MS, signal)
  } catch {
    return null
  } finally {
    over.abort()
  }
}

/** The edit lists of an MP4 or MOV; none where they cannot be read in time. */
async function readEdits(
  opened: OpenFile,
  signature: Signature,
  signal: AbortSignal,
): Promise<MovieTimes['edits']> {
  if (signature.kind !== 'media' || signature.container !== 'isobmff') return new Map()
  const times = await inTime(opened, signal, readMovieTimes)
  return times?.edits ?? new Map()
}

/** What else is written beside the pictures; none where it cannot be read in time. */
async function readTracks(
  opened: OpenFile,
  signature: Signature,
  signal: AbortSignal,
): Promise<readonly PictureTrack[]> {
  if (signature.kind !== 'media') return []
  return (await inTime(opened, signal, readPictureTracks)) ?? []
}

function withTrack(facts: Facts, tracks: readonly PictureTrack[]): Facts {
  const { video } = facts
  const track = tracks.find(({ id }) => id === video?.trackId) ?? tracks[0]
  if (video === null || track === undefined) return facts
  const immersive = track.immersive === null ? null : kindOf(track.immersive)
  const shape = isOfOneEye(facts) ? ofBothEyes(video, track) : {}
  return { ...facts, video: { ...video, ...shape, dolbyVision: track.dolbyVision, immersive } }
}

/** Whether its file says the shape of one eye, which the fast reader takes for that of both. */
function isOfOneEye({ engine, container }: Facts): boolean {
  return engine === 'mediabunny' && (container === 'MKV' || container === 'WebM')
}

/** The size of a picture that holds both eyes, by the rule of the server's ffprobe. */
function ofBothEyes(
  { codedHeight, displayWidth, displayHeight }: VideoTrackReport,
  { immersive }: PictureTrack,
): Partial<VideoTrackReport> {
  const eyes = immersive?.eyes
  const wider = eyes === 'side-by-side' || eyes === 'right-left' ? 2 : 1
  const higher = eyes === 'top-bottom' ? 2 : 1
  if (wider === higher) return {}
  const width = (displayWidth / displayHeight) * codedHeight * (wider / higher)
  return { displayWidth: Math.round(width), displayHeight: codedHeight }
}

/** Of a file that nothing here reads: Dolby's own sample entries are those of this kind. */
function isDolbyVisionAlone([track]: readonly PictureTrack[]): boolean {
  return track?.dolbyVision != null && lacksStandardColors(track.dolbyVision, null)
}

/** Rejects from the abort on, so that a walk over the file ends there. */
export function readUntil(read: ReadBytes, signal: AbortSignal): ReadBytes {
  return async (start, end) => {
    signal.throwIfAborted()
    return read(start, end)
  }
}

async function readBytes(
  read: ReadBytes,
  start: number,
  end: number,
): Promise<Result<Uint8Array, ProbeFailure>> {
  try {
    return ok(await read(start, end))
  } catch (thrown) {
    return err({
      code:
        thrown instanceof Error && thrown.name === 'NotFoundError' ? 'probe/gone' : 'probe/changed',
    })
  }
}

function parse(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    return null
  }
}
