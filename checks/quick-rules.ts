import { SMALLEST_SIDE_PX } from '#recipes/picture.ts'
import { lacksStandardColors } from './dolby-vision.ts'
import type { Finding, SourceFacts, SourceLayout } from './facts.ts'
import type { ImmersiveKind } from './immersive.ts'
import { FIRST_TRACKS } from './tracks.ts'

/** What the quick check looks at; `layout` is null where the reader did not walk the file. */
export interface RuleInput {
  readonly report: SourceFacts
  readonly layout: SourceLayout | null
  readonly fileName: string
}

type Rule = (input: RuleInput) => Finding | null

/** Blocks from this share of missing bytes on; less can still be worth editing. */
const MISSING_BLOCKS_FROM = 0.5
const SHORT_MS = 1_000
/** Shorter than this there is nothing to edit. */
export const SHORTEST_MS = 400
/**
 * Fewer pictures than this are no moving picture: what an edit shows would lie between two of them,
 * and its result would have none, or be as long as one of them is shown.
 */
export const LEAST_PICTURES_PER_SECOND = 0.5
const SMALL_SIDE_PX = 480
const HUGE_WIDTH_PX = 4_096
const HUGE_HEIGHT_PX = 2_304
const HUGE_RATE = 60
/** Rounding of frame rates: 60000/1001 and friends. */
const RATE_SLACK = 0.5

/** Codecs that the server's ffmpeg decodes. Names as ffprobe and mediabunny give them. */
const READABLE_CODECS: ReadonlySet<string> = new Set([
  'h264',
  'avc',
  'hevc',
  'vp8',
  'vp9',
  'av1',
  'mpeg4',
  'mpeg2video',
  'mpeg1video',
  'prores',
  'dnxhd',
  'mjpeg',
  'wmv1',
  'wmv2',
  'wmv3',
  'vc1',
  'flv1',
  'h263',
  'theora',
  'msmpeg4v2',
  'msmpeg4v3',
  'cfhd',
  'dvvideo',
  'rawvideo',
  'ffv1',
  'qtrle',
  'png',
])

/** Usual endings of each container; anything else is worth a friendly word. */
const ENDINGS: Readonly<Record<string, readonly string[]>> = {
  MP4: ['mp4', 'm4v', 'mov', '3gp', 'm4a', 'f4v'],
  MOV: ['mov', 'qt', 'mp4', 'm4v'],
  MKV: ['mkv', 'mka', 'webm'],
  WebM: ['webm', 'mkv'],
  AVI: ['avi', 'divx'],
  FLV: ['flv', 'f4v'],
  WMV: ['wmv', 'asf', 'wma'],
  'MPEG-TS': ['ts', 'mts', 'm2ts', 'tp', 'trp'],
  MPEG: ['mpg', 'mpeg', 'vob', 'mod'],
  Ogg: ['ogv', 'ogg', 'oga'],
}

/**
 * All findings about a file that could be read, worst first: the same in the browser and on the
 * server. Pure.
 */
export function quickFindings(input: RuleInput): readonly Finding[] {
  return worstFirst(RULES.map((rule) => rule(input)).filter((finding) => finding !== null))
}

/** Findings in the order they are shown; equal verdicts keep their order. */
export function worstFirst(findings: readonly Finding[]): readonly Finding[] {
  const rank = { block: 0, warn: 1, info: 2 }
  return findings.toSorted((a, b) => rank[a.verdict] - rank[b.verdict])
}

const noPicture: Rule = ({ report }) =>
  report.video === null
    ? finding('A4', 'block', {
        kind: report.mimeType?.startsWith('image/') === true ? 'photo' : 'sound',
      })
    : null

const noIndex: Rule = ({ layout }) =>
  layout?.hasIndex === false && layout.hasPayload && !layout.isFragmented
    ? finding('A5', 'block')
    : null

const bytesMissing: Rule = ({ layout }) => {
  const share = layout?.missingShare ?? 0
  if (share <= 0) return null
  // Never "0 %": a file that lacks one byte lacks something.
  return finding('A6', share > MISSING_BLOCKS_FROM ? 'block' : 'warn', {
    missingPercent: Math.max(1, Math.round(share * 100)),
  })
}

const encrypted: Rule = ({ layout }) =>
  layout?.isEncrypted === true ? finding('A7', 'block') : null

const wrongEnding: Rule = ({ report, fileName }) => {
  const endings = report.container === null ? undefined : ENDINGS[report.container]
  const ending = /\.([^.]+)$/.exec(fileName)?.[1]?.toLowerCase()
  return endings === undefined || ending === undefined || endings.includes(ending)
    ? null
    : finding('A8', 'info', { container: report.container ?? '' })
}

const duration: Rule = ({ report }) => {
  // Pictures have no length, and of sounds alone there is more to say.
  if (report.video === null || report.durationMs === null || report.durationMs >= SHORT_MS)
    return null
  const { durationMs } = report
  return durationMs < SHORTEST_MS
    ? finding('A10', 'block', { durationMs, minimumMs: SHORTEST_MS })
    : finding('A10', 'warn', { durationMs })
}

const smallPicture: Rule = ({ report: { video } }) => {
  if (video === null) return null
  const { displayWidth: width, displayHeight: height } = video
  const side = Math.min(width, height)
  if (side < SMALLEST_SIDE_PX)
    return finding('A12', 'block', { width, height, least: SMALLEST_SIDE_PX })
  return side < SMALL_SIDE_PX ? finding('A12', 'warn', { width, height }) : null
}

const hugePicture: Rule = ({ report: { video } }) => {
  if (video === null) return null
  const isLarge =
    Math.max(video.displayWidth, video.displayHeight) > HUGE_WIDTH_PX ||
    Math.min(video.displayWidth, video.displayHeight) > HUGE_HEIGHT_PX
  const isFast = video.frameRate !== null && video.frameRate > HUGE_RATE + RATE_SLACK
  return isLarge || isFast
    ? finding('A13', 'info', {
        as: isLarge && isFast ? '4K and 60 frames a second' : isLarge ? '4K' : '60 frames a second',
      })
    : null
}

const codec: Rule = ({ report: { video } }) =>
  video !== null && !READABLE_CODECS.has(video.codec)
    ? finding('A14', 'warn', { codec: video.codec })
    : null

const severalTracks: Rule = ({ report }) => {
  const { picture, sound } = report.taken ?? FIRST_TRACKS
  // One rule speaks once: where the picture is a choice too, it tells of both.
  const pictures =
    report.videoTrackCount > 1 ? { pictures: report.videoTrackCount, picture: picture + 1 } : {}
  if (report.audioTrackCount > 1 && report.audio !== null)
    return finding('A15', 'info', {
      kind: 'sound',
      count: report.audioTrackCount,
      taken: sound + 1,
      ...unreadable(report),
      ...pictures,
    })
  return report.videoTrackCount > 1
    ? finding('A15', 'info', {
        kind: 'picture',
        count: report.videoTrackCount,
        taken: picture + 1,
      })
    : null
}

function unreadable({ unreadableSound }: SourceFacts): { readonly unreadable?: string } {
  return unreadableSound === undefined ? {} : { unreadable: unreadableSound }
}

const highRange: Rule = ({ report: { video } }) =>
  video?.isHdr === true ? finding('A17', 'info') : null

const dolbyVisionAlone: Rule = ({ report: { video } }) =>
  video?.dolbyVision != null && lacksStandardColors(video.dolbyVision, video.isHdr)
    ? finding('A18', 'block', { ...video.dolbyVision })
    : null

const immersive: Rule = ({ report: { video } }) =>
  video?.immersive == null
    ? null
    : finding('A19', 'info', {
        kind: video.immersive.kind,
        double: video.immersive.isDouble ? 'yes' : 'no',
        kept: video.immersive.isKept ? 'yes' : 'no',
      })

/** What findings say of how to look at the picture, wherever they were made; null for nothing. */
export function immersiveIn(findings: readonly Finding[]): ImmersiveKind | null {
  const facts = findings.find(({ ruleId }) => ruleId === 'A19')?.facts
  const kind = IMMERSIVE_KINDS.find((each) => each === facts?.['kind'])
  return facts === undefined || kind === undefined
    ? null
    : { kind, isDouble: facts['double'] === 'yes', isKept: facts['kept'] === 'yes' }
}

const IMMERSIVE_KINDS = ['VR180', '360', '3D', 'spatial'] as const

const unfit: Rule = ({ report }) =>
  report.unfit === undefined ? null : finding('A20', 'block', { fault: report.unfit })

const noSound: Rule = ({ report }) => {
  if (report.video === null || report.audio !== null) return null
  return report.unreadableSound === undefined
    ? finding('B2', 'info', { fault: 'none' })
    : finding('B2', 'warn', { fault: 'unreadable', codec: report.unreadableSound })
}

/**
 * A16 (rotation) has nothing to say: sizes are as displayed. A1, A2, A3, A9 are known before there
 * is a report; A11 is the screen's toast.
 */
const RULES: readonly Rule[] = [
  noPicture,
  noIndex,
  bytesMissing,
  encrypted,
  wrongEnding,
  duration,
  smallPicture,
  hugePicture,
  codec,
  severalTracks,
  highRange,
  dolbyVisionAlone,
  immersive,
  unfit,
  noSound,
]

/** One finding; for rules only. */
export function finding(
  ruleId: string,
  verdict: Finding['verdict'],
  facts: Finding['facts'] = {},
): Finding {
  return { ruleId, verdict, facts }
}
