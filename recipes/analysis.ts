import { assembleMoments } from './analysis-assembly.ts'
import { BUCKET_MS, createPacketReader, type PacketSurvey } from './analysis-packets.ts'
import {
  LOOK_BYTES,
  LOOK_HEIGHT,
  LOOK_WIDTH,
  readPictures,
  type PictureFacts,
} from './analysis-picture.ts'
import { inSpreadOrder } from './spread-order.ts'
import type { Look } from './analysis-shots.ts'
import { readLevels, type Level } from './analysis-sound.ts'
import { pieceArgs, pieceOf, type MovingPiece } from './moment-video.ts'
import { writeHeads, type PictureArea } from './heads.ts'
import type { Moment, PlanInput, PlanRun, SourceProbe } from './types.ts'

/**
 * One run of ffmpeg that looks at a source. A run may fail (a damaged place): what it gave is used
 * as far as it goes, and the rest of the search goes on.
 */
export interface AnalysisRun extends PlanRun {
  readonly id: string
  /** `survey` reads every packet and decodes nothing; `look` decodes a part of the source. */
  readonly kind: 'survey' | 'look'
  /** The most that it writes into `PICTURES`. */
  readonly maxBytes: number
  /** What it shows in motion, in a file beside `PICTURES`; left out = nothing. */
  readonly piece?: MovingPiece
}

/** The scratch file that a look writes. */
export const PICTURES = 'pictures.raw'

/**
 * Makes a run, passes on what it prints as it comes, and gives the bytes of `PICTURES`, of which
 * there are none after a survey or a failure; null when the search has used up what it may cost.
 */
export type AnalysisRunner = (
  run: AnalysisRun,
  onText: (text: string) => void,
) => Promise<Uint8Array | null>

/**
 * Finds faces in pictures of a look, raw ones in 4:2:0 of `LOOK_WIDTH` by `LOOK_HEIGHT`, whatever
 * the shape of the source is: those of each picture, or null where it could not look.
 */
export type FaceFinder = (
  pictures: readonly Uint8Array[],
) => Promise<readonly (readonly PictureArea[])[] | null>

/** What a search is made with, beside its runs. */
export interface SearchHelp {
  readonly onProgress?: (ratio: number) => void
  /** Each look also writes what it sees in motion, which costs 6 to 8 % more. */
  readonly isRecorded?: boolean
  /** Left out = nothing is known of people. */
  readonly findFaces?: FaceFinder
}

/** What was seen and heard of one part of a source. */
export interface SeenPart {
  /** `LOOK_RATE` a second from its start. */
  readonly pictures: readonly PictureFacts[]
  readonly levels: readonly Level[]
  /** The same pictures in raw 4:2:0, for faces; left out = none are looked for. */
  readonly raw?: Uint8Array
}

/** How a search reads a source: by runs of ffmpeg, or by the codecs of a browser. */
export interface SearchSight {
  survey(): Promise<PacketSurvey>
  /** Null when the search has used up what it may cost. @param onShare 0 to 1 of the part */
  look(part: Part, onShare: (share: number) => void): Promise<SeenPart | null>
}

/** What a search found, and how many of the parts that it planned to look at it reached. */
export interface SearchFindings {
  readonly moments: Moment[]
  readonly looked: number
  readonly parts: number
}

/** Pictures that are looked at in each second. */
export const LOOK_RATE = 6
/** Long enough for a passage of a teaser, and for a GIF. */
const LOOK_MS = 6000
/** Length of the looks at a source that is looked at as a whole: longer looks write large files. */
const PART_MS = 60_000
/** The most that is looked at, however long the source is; the survey chooses the parts. */
const MAX_LOOKED_MS = 480_000
/** The same in pixels, because large pictures take longer: 480 s of 1080p at 30 frames a second. */
const LOOKED_PIXELS = 480 * 1920 * 1080 * 30
/** A source up to this many times as long is looked at as a whole, which needs no seeks. */
const WHOLE_FACTOR = 1.25
/** The least that is looked at: less leaves nothing to choose from. */
const MIN_LOOKED_MS = 60_000
/** Faces are looked for once a second, and in no more pictures than these. */
const MOST_FOR_FACES = 120

/** Searches a source by runs of ffmpeg; empty when nothing of it could be read. */
export async function searchMoments(
  source: SourceProbe,
  run: AnalysisRunner,
  { isRecorded = false, ...help }: SearchHelp = {},
): Promise<Moment[]> {
  const sight: SearchSight = {
    survey: async () => {
      const reader = createPacketReader()
      await run(planSurvey(), reader.read)
      return reader.survey()
    },
    look: async (part) => {
      const printed: string[] = []
      const raw = await run(planLook(source, part, isRecorded), (text) => printed.push(text))
      return raw === null
        ? null
        : { pictures: readPictures(raw), levels: readLevels(printed.join('')), raw }
    },
  }
  return (await searchBySight(source, sight, help)).moments
}

/**
 * Searches a source for moments; none when nothing of it could be read. First a survey of all its
 * packets, then looks at parts: at all of it where it is short, else at the parts where the packets
 * say that something moves, spread over the whole length.
 */
export async function searchBySight(
  source: SourceProbe,
  sight: SearchSight,
  { onProgress = () => undefined, findFaces }: Omit<SearchHelp, 'isRecorded'> = {},
): Promise<SearchFindings> {
  const survey = await sight.survey()
  onProgress(0.1)
  const parts = partsToLookAt(source, survey)
  const looks: Look[] = []
  const lookedMs = parts.reduce((sum, { durationMs }) => sum + durationMs, 0)
  const every = Math.max(LOOK_RATE, Math.ceil((lookedMs / 1000) * (LOOK_RATE / MOST_FOR_FACES)))
  const forFaces: ForFaces[] = []
  for (const [index, part] of parts.entries()) {
    const onShare = (share: number): void =>
      onProgress(0.1 + (0.9 * (index + share)) / parts.length)
    const seen = await sight.look(part, onShare)
    if (seen === null) break
    const { raw, ...facts } = seen
    if (findFaces !== undefined && raw !== undefined)
      forFaces.push(...someOf(raw, looks.length, every))
    looks.push({ startMs: part.startMs, stepMs: 1000 / LOOK_RATE, ...facts })
    onShare(1)
  }
  const moments = assembleMoments(source, survey, await withHeads(looks, forFaces, findFaces))
  return { moments, looked: looks.length, parts: parts.length }
}

/** A picture in which faces are looked for: a copy, and where it is from. */
interface ForFaces {
  readonly look: number
  readonly index: number
  readonly picture: Uint8Array
}

/** One picture of `every`, the first after half as many. */
function someOf(pictures: Uint8Array, look: number, every: number): readonly ForFaces[] {
  const count = Math.floor(pictures.length / LOOK_BYTES)
  const first = Math.min(Math.floor(every / 2), count - 1)
  return Array.from({ length: Math.max(0, Math.ceil((count - first) / every)) }, (_, at) => {
    const index = first + at * every
    return { look, index, picture: pictures.slice(index * LOOK_BYTES, (index + 1) * LOOK_BYTES) }
  })
}

/** The looks with the heads that were found in some of their pictures. */
async function withHeads(
  looks: readonly Look[],
  forFaces: readonly ForFaces[],
  findFaces: FaceFinder | undefined,
): Promise<readonly Look[]> {
  const found = await findFaces?.(forFaces.map(({ picture }) => picture))
  if (found === undefined || found === null) return looks
  return looks.map((each, number) => ({
    ...each,
    heads: new Map(
      forFaces.flatMap(({ look, index }, at) =>
        look === number ? [[index, writeHeads(found[at] ?? [])] as const] : [],
      ),
    ),
  }))
}

/** A part of the source to look at. */
export interface Part {
  readonly startMs: number
  readonly durationMs: number
}

/**
 * The parts to look at, in an order that is spread over the source from the start: a search that
 * must end early has seen parts of all of it.
 */
export function partsToLookAt(source: SourceProbe, survey: PacketSurvey): readonly Part[] {
  const pixels = Math.max(1, source.width * source.height * Math.max(1, source.frameRate))
  const worthMs = Math.max(MIN_LOOKED_MS, (LOOKED_PIXELS / pixels) * 1000)
  const looked = Math.min(MAX_LOOKED_MS, worthMs)
  return source.durationMs <= WHOLE_FACTOR * looked
    ? inSpreadOrder(wholeIn(source, survey))
    : inSpreadOrder(chosenIn(source, survey, Math.floor(looked / LOOK_MS)))
}

/** All of the source, divided at key frames, so that nothing is decoded twice. */
function wholeIn({ durationMs }: SourceProbe, { keysMs }: PacketSurvey): readonly Part[] {
  const parts: Part[] = []
  let startMs = 0
  while (startMs < durationMs) {
    const targetMs = startMs + PART_MS
    const earliestMs = startMs + PART_MS / 2
    const key = keysMs.findLast((atMs) => atMs <= targetMs && atMs > earliestMs)
    const endMs = durationMs - targetMs < PART_MS / 2 ? durationMs : (key ?? targetMs)
    parts.push({ startMs, durationMs: endMs - startMs })
    startMs = endMs
  }
  return parts
}

/** Of each of `count` equal stretches the part in which most moves; it begins at a key frame. */
function chosenIn(
  { durationMs }: SourceProbe,
  { keysMs, sizes }: PacketSurvey,
  count: number,
): readonly Part[] {
  const stretchMs = durationMs / count
  let key = 0
  return Array.from({ length: count }, (_, index): Part => {
    const fromMs = index * stretchMs
    const toMs = Math.max(fromMs, (index + 1) * stretchMs - LOOK_MS)
    const starts: number[] = []
    while (key < keysMs.length && (keysMs[key] ?? 0) <= toMs) {
      const atMs = keysMs[key] ?? 0
      // Where every picture is a key frame, twice a second is enough to choose from.
      if (atMs >= fromMs && atMs - (starts.at(-1) ?? -BUCKET_MS) >= BUCKET_MS) starts.push(atMs)
      key += 1
    }
    if (starts.length === 0) starts.push((fromMs + toMs) / 2)
    const activity = (startMs: number): number => {
      const first = Math.floor(startMs / BUCKET_MS)
      const shown = sizes.slice(first, first + LOOK_MS / BUCKET_MS)
      return shown.reduce((sum, size) => sum + size, 0) / Math.max(1, shown.length)
    }
    const startMs = starts.reduce((a, b) => (activity(b) > activity(a) ? b : a))
    return { startMs, durationMs: Math.min(LOOK_MS, durationMs - startMs) }
  })
}

function planSurvey(): AnalysisRun {
  return {
    id: 'survey',
    kind: 'survey',
    inputs: [{ from: { kind: 'source' } }],
    args: ['-map', '0:V:0', '-c', 'copy', '-f', 'framecrc', '-'],
    maxBytes: 0,
  }
}

/**
 * Skips frames that no other frame needs (`noref`) and the deblocking filter: a third of the work,
 * and neither shows in so small a picture.
 */
const QUICKLY = ['-skip_frame:v', 'noref', '-skip_loop_filter:v', 'all', '-sn', '-dn'] as const

/** A run that writes a part in motion and nothing else. */
export function planPiece(source: SourceProbe, part: Part): AnalysisRun {
  const piece = pieceOf(part)
  return {
    id: piece.name,
    kind: 'look',
    inputs: [inputOf(part)],
    args: pieceArgs(source, piece),
    maxBytes: maxBytesOf(part),
    piece,
  }
}

function planLook(source: SourceProbe, part: Part, isRecorded: boolean): AnalysisRun {
  const picture = `fps=${LOOK_RATE}:start_time=0,scale=${LOOK_WIDTH}:${LOOK_HEIGHT}:flags=area,format=yuv420p`
  // A fact for each tenth of a second; 8 kHz is plenty for a level.
  const sound =
    'aresample=8000,asetnsamples=n=800,astats=metadata=1:reset=1:measure_perchannel=none:measure_overall=RMS_level,ametadata=print:key=lavfi.astats.Overall.RMS_level:file=-'
  const piece = pieceOf(part)
  return {
    id: `look-${Math.round(part.startMs)}`,
    kind: 'look',
    inputs: [inputOf(part)],
    args: [
      ...(source.hasAudio ? ['-map', '0:a:0', '-af', sound, '-f', 'null', '-'] : []),
      '-map',
      '0:V:0',
      '-vf',
      picture,
      '-f',
      'rawvideo',
      { kind: 'scratch', name: PICTURES },
      ...(isRecorded ? pieceArgs(source, piece) : []),
    ],
    maxBytes: maxBytesOf(part),
    ...(isRecorded ? { piece } : {}),
  }
}

function inputOf({ startMs, durationMs }: Part): PlanInput {
  return { from: { kind: 'source' }, seekMs: startMs, durationMs, flags: QUICKLY }
}

/** Of the pictures of a look, which are far larger than a piece. */
function maxBytesOf({ durationMs }: Part): number {
  return (Math.ceil((durationMs / 1000) * LOOK_RATE) + 2 * LOOK_RATE) * LOOK_BYTES
}
