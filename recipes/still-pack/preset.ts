import { definePreset } from '#recipes/define-preset.ts'
import { jpegStill, needs, pngStill, withoutTraces } from '#recipes/encoding.ts'
import { PICTURE_MS, type MomentOptions, type MomentRule } from '#recipes/moment-choice.ts'
import { onlyMoments } from '#recipes/moment-options.ts'
import { pickPlaces } from '#recipes/pick-places.ts'
import { numbered, outputFileName } from '#recipes/naming.ts'
import { even, matrixOf, toStandardPicture } from '#recipes/picture.ts'
import { perEdit } from '#recipes/pricing.ts'
import { previewSize } from '#recipes/preview-steps.ts'
import { escapeFilterValue } from '#recipes/print-args.ts'
import { ok } from '#recipes/result.ts'
import { ARCHIVE_TYPE } from '#recipes/single-files.ts'
import type {
  PlanArg,
  PlanContext,
  PlannedOutput,
  PlanStep,
  RecipePlan,
  SourceProbe,
  TimelinePassage,
} from '#recipes/types.ts'

const STILLS = 12
/** Frames nearer than this look the same. */
const STILL_GAP_MS = 250
const COLUMNS = 4
const SHEET_GAP = 12
/** Long side of one picture on the contact sheet. */
const SHEET_CELL = 480

/**
 * Twelve of the best frames at full size, one by one, as an archive, and on one contact sheet with
 * their times.
 */
export const stillPack = definePreset({
  slug: 'still-pack',
  name: 'Still Pack',
  description:
    'Twelve of the sharpest frames at full resolution, one by one and as a ZIP, with a contact sheet to choose from.',
  tab: 'promotional',
  badge: 'new',
  price: perEdit(150),
  // Twelve stills, a quarter of a second apart.
  needs: { sound: false, minimumMs: STILLS * STILL_GAP_MS },
  options: onlyMoments,
  usesMoments: true,
  isOfPictures: true,
  plan: (source, options, context) =>
    ok(planStills(source, placesIn(source, options, context), context)),
  timeline: (source, options, context) =>
    ok(
      placesIn(source, options, context).map((atMs, index): TimelinePassage => ({
        startMs: frameMs(source, atMs),
        endMs: frameMs(source, atMs),
        outputStartMs: 0,
        output: stillName(index),
      })),
    ),
  momentRule: ruleOf,
  preview: (source, _options, window, context) => ok(previewStill(source, window.startMs, context)),
})

function planStills(
  source: SourceProbe,
  places: readonly number[],
  context: PlanContext,
): RecipePlan {
  const stills = places.map((_, index): PlannedOutput => ({
    name: stillName(index),
    buttonText: `Download still ${index + 1}`,
    fileName: outputFileName(source.fileName, `still-${numbered(index + 1)}`, 'jpg'),
    contentType: 'image/jpeg',
    kind: 'image',
  }))
  const sheet: PlannedOutput = {
    name: 'contact-sheet.jpg',
    buttonText: 'Download contact sheet',
    fileName: outputFileName(source.fileName, 'contact-sheet', 'jpg'),
    contentType: 'image/jpeg',
    kind: 'image',
  }
  return {
    files: [],
    steps: [
      ...places.map((atMs, index) => stillStep(source, atMs, index, context)),
      sheetStep(source, places),
    ],
    outputs: [
      {
        name: 'stills.zip',
        buttonText: 'Download all stills (ZIP)',
        fileName: outputFileName(source.fileName, 'stills', 'zip'),
        contentType: ARCHIVE_TYPE,
        kind: 'archive',
        members: [...stills, sheet].map(({ name }) => name),
      },
      sheet,
      ...stills,
    ],
  }
}

/** One moment for each still: the picture that it begins with. */
function ruleOf(source: SourceProbe): MomentRule {
  return {
    slots: Array.from({ length: countIn(source) }, (_, index) => ({
      name: `Still ${index + 1}`,
      lengthMs: PICTURE_MS,
      earliestMs: 0,
    })),
  }
}

/** A very short source gives fewer, and so does one of few pictures. */
function countIn(source: SourceProbe): number {
  const gapMs = Math.max(STILL_GAP_MS, pictureMs(source))
  return Math.max(1, Math.min(STILLS, Math.floor(source.durationMs / gapMs)))
}

/** How long each picture of the source is shown. */
function pictureMs({ frameRate }: SourceProbe): number {
  return Number.isFinite(frameRate) && frameRate > 0 ? 1000 / frameRate : 40
}

function placesIn(
  source: SourceProbe,
  { moments: choice }: MomentOptions,
  context: Pick<PlanContext, 'moments'>,
): readonly number[] {
  return (
    choice?.shown.map(({ startMs }) => startMs) ??
    pickPlaces(source.durationMs, context.moments, countIn(source))
  )
}

/**
 * The very last frame cannot be sought exactly in every container, so a still never is nearer than
 * 80 ms to the end. Where pictures are shown for longer, the last one begins even before that, and
 * ffmpeg finds none after its beginning.
 */
function frameMs(source: SourceProbe, atMs: number): number {
  const beforeEndMs = Math.max(80, pictureMs(source) + 40)
  return Math.max(0, Math.min(atMs, source.durationMs - beforeEndMs))
}

function stillName(index: number): string {
  return `still-${numbered(index + 1)}.jpg`
}

function stillStep(
  source: SourceProbe,
  atMs: number,
  index: number,
  context: PlanContext,
): PlanStep {
  const size = { width: even(source.width), height: even(source.height) }
  const standard = toStandardPicture(source, size, context)
  return {
    id: `still-${numbered(index + 1)}`,
    inputs: [
      {
        from: { kind: 'source' },
        seekMs: frameMs(source, atMs),
        pictures: { size, frameRate: null, frames: 1 },
      },
    ],
    args: [
      '-map',
      '0:V:0',
      // JPEG is always read as BT.601, full range; HD video is BT.709.
      '-vf',
      `${standard.chain},scale=in_color_matrix=${matrixOf(source)}:in_range=tv:out_color_matrix=bt601:out_range=pc,format=yuvj420p`,
      ...withoutTraces,
      ...jpegStill,
      { kind: 'output', name: stillName(index) },
    ],
    outputDurationMs: 0,
    weight: 1,
    needs: needs(standard.filters, ['mjpeg']),
  }
}

/**
 * One still at small size. PNG, because ffmpeg.wasm can hang in its JPEG encoder; so it is read
 * with the matrix that the picture has.
 */
function previewStill(
  source: SourceProbe,
  atMs: number,
  context: Pick<PlanContext, 'availableFilters'>,
): RecipePlan {
  const standard = toStandardPicture(source, previewSize(source), context)
  return {
    files: [],
    steps: [
      {
        id: 'preview',
        inputs: [{ from: { kind: 'source' }, seekMs: frameMs(source, atMs) }],
        args: [
          '-map',
          '0:V:0',
          '-vf',
          `${standard.chain},scale=in_color_matrix=${matrixOf(source)}:in_range=tv,format=rgb24`,
          ...withoutTraces,
          ...pngStill,
          { kind: 'output', name: 'still.png' },
        ],
        outputDurationMs: 0,
        weight: 1,
        needs: needs(standard.filters, ['png']),
      },
    ],
    outputs: [
      {
        name: 'still.png',
        buttonText: 'Download preview',
        fileName: outputFileName(source.fileName, 'still-preview', 'png'),
        contentType: 'image/png',
        kind: 'image',
      },
    ],
  }
}

/** All stills in rows of four, each with its time in the source, made from the finished stills. */
function sheetStep(source: SourceProbe, places: readonly number[]): PlanStep {
  const factor = SHEET_CELL / Math.max(source.width, source.height)
  const cell = { width: even(source.width * factor), height: even(source.height * factor) }
  const fontSize = Math.max(14, Math.round(Math.min(cell.width, cell.height) * 0.075))
  const rows = Math.ceil(places.length / COLUMNS)
  const columns = Math.min(COLUMNS, places.length)
  const labelled = places.flatMap((atMs, index): Extract<PlanArg, { kind: 'filter' }>['parts'] => [
    `[${index}:v]scale=${cell.width}:${cell.height}:flags=bicubic,setsar=1,drawtext=fontfile=`,
    { kind: 'font', name: 'watermark' },
    `:text=${escapeFilterValue(clockText(atMs))}:expansion=none:fontsize=${fontSize}:fontcolor=white:box=1:boxcolor=black@0.55:boxborderw=${Math.round(fontSize / 3)}` +
      `:x=w-tw-${Math.round(fontSize * 0.7)}:y=h-th-${Math.round(fontSize * 0.7)}[s${index}];`,
  ])
  const joined = places.map((_, index) => `[s${index}]`).join('')
  const tile = `${joined}concat=n=${places.length}:v=1:a=0,tile=${columns}x${rows}:margin=${SHEET_GAP * 2}:padding=${SHEET_GAP}:color=0x17132e,format=yuvj420p[v]`
  return {
    id: 'contact-sheet',
    inputs: places.map((_, index) => ({ from: { kind: 'output', name: stillName(index) } })),
    args: [
      '-filter_complex',
      { kind: 'filter', parts: [...labelled, tile] },
      '-map',
      '[v]',
      ...withoutTraces,
      ...jpegStill,
      { kind: 'output', name: 'contact-sheet.jpg' },
    ],
    outputDurationMs: 0,
    weight: 1,
    needs: needs(['scale', 'setsar', 'drawtext', 'concat', 'tile', 'format'], ['mjpeg']),
  }
}

/** `1:02:03` or `2:03`. */
function clockText(atMs: number): string {
  const total = Math.floor(atMs / 1000)
  const [hours, minutes, rest] = [
    Math.floor(total / 3600),
    Math.floor((total % 3600) / 60),
    numbered(total % 60),
  ]
  return hours > 0 ? `${hours}:${numbered(minutes)}:${rest}` : `${minutes}:${rest}`
}
