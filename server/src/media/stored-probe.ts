import * as v from 'valibot'
import type { Finding } from '#checks/facts.ts'
import type { ImmersiveKind } from '#checks/immersive.ts'
import { immersiveIn } from '#checks/quick-rules.ts'
import type { MomentPictures } from '#server/media/moment-pictures.ts'
import type { MomentVideo } from '#server/media/moment-video.ts'
import type { SoundChoice } from '#server/media/sounds.ts'
import type { Moment, MomentKind, SourceProbe } from '#recipes/types.ts'

const count = v.pipe(v.number(), v.minValue(0))
const probeSchema = v.object({
  tracks: v.exactOptional(v.object({ picture: count, sound: count })),
  durationMs: count,
  width: count,
  height: count,
  frameRate: count,
  nominalRate: v.exactOptional(count),
  isInterlaced: v.exactOptional(v.boolean()),
  fieldOrder: v.exactOptional(v.picklist(['top', 'bottom'])),
  pictureLateMs: v.exactOptional(count),
  pictureStartMs: v.exactOptional(count),
  startsWithoutKey: v.exactOptional(v.boolean()),
  hidesPictures: v.exactOptional(v.boolean()),
  longestStayMs: v.exactOptional(count),
  soundFits: v.exactOptional(v.boolean()),
  hasAudio: v.boolean(),
  videoCodec: v.string(),
  audioCodec: v.nullable(v.string()),
  audioChannels: count,
  isAdts: v.exactOptional(v.boolean()),
  leadMs: v.exactOptional(count),
  pictureChanges: v.exactOptional(v.boolean()),
  grain: v.exactOptional(count),
  soundWidthDb: v.exactOptional(v.number()),
  pixelFormat: v.exactOptional(v.string()),
  drawn: v.exactOptional(
    v.object({ x: count, y: count, width: count, height: count, isOpaque: v.boolean() }),
  ),
  colorMatrix: v.exactOptional(v.picklist(['bt709', 'bt601', 'bt2020'])),
  isHdr: v.boolean(),
  immersiveTrack: v.exactOptional(count),
  bitRate: v.exactOptional(count),
  fileName: v.string(),
})
const momentsSchema = v.array(
  v.object({
    atMs: v.number(),
    lengthMs: v.number(),
    shows: v.picklist([
      'lively',
      'calm',
      'still',
      'dark',
      'soft',
      'title',
      'black',
      'unseen',
    ] satisfies MomentKind[]),
    score: v.number(),
    startsShot: v.boolean(),
    stillMs: v.number(),
    likeness: v.string(),
    isBlurred: v.exactOptional(v.boolean()),
    action: v.exactOptional(v.string()),
    heads: v.exactOptional(v.string()),
  }),
)
const picturesSchema = v.object({
  placesMs: v.array(count),
  columns: count,
  tileWidth: count,
  tileHeight: count,
})
const videoSchema = v.object({
  stretches: v.array(v.object({ startMs: count, endMs: count, atMs: count })),
})
const findingsSchema = v.array(
  v.object({
    ruleId: v.string(),
    verdict: v.picklist(['info', 'warn', 'block']),
    facts: v.record(v.string(), v.union([v.string(), v.number()])),
  }),
)
const soundsSchema = v.array(
  v.object({
    number: count,
    durationMs: v.nullable(count),
    lufs: v.nullable(v.number()),
    language: v.nullable(v.string()),
    title: v.nullable(v.string()),
    isUsual: v.boolean(),
    probe: probeSchema,
    findings: findingsSchema,
  }),
)

/** The probe of an upload's row, or null when there is none. */
export function readStoredProbe(json: unknown): SourceProbe | null {
  return json === null || json === undefined ? null : v.parse(probeSchema, json)
}

/**
 * The cached moments of an upload's row, or null before the first analysis. What an older search
 * has stored counts as none: the next edit searches again.
 */
export function readStoredMoments(json: unknown): Moment[] | null {
  const stored = v.safeParse(momentsSchema, json)
  return stored.success ? stored.output : null
}

/** The tiles of an upload's moment board, or null before they are made. */
export function readStoredPictures(json: unknown): MomentPictures | null {
  return json === null || json === undefined ? null : v.parse(picturesSchema, json)
}

/** What an upload's moment board shows in motion, or null before it is made. */
export function readStoredVideo(json: unknown): MomentVideo | null {
  return json === null || json === undefined ? null : v.parse(videoSchema, json)
}

/**
 * What the pre-checks said of an upload, or null before the check, or when the row is older than
 * the column.
 */
export function readStoredFindings(json: unknown): Finding[] | null {
  return json === null || json === undefined ? null : v.parse(findingsSchema, json)
}

/** The sounds between which the owner of an upload chooses; none where there is no choice. */
export function readStoredSounds(json: unknown): SoundChoice[] {
  return json === null || json === undefined ? [] : v.parse(soundsSchema, json)
}

/** What the video of an upload is by its findings, or null where its picture is flat. */
export function readStoredImmersive(findings: unknown): ImmersiveKind | null {
  return immersiveIn(readStoredFindings(findings) ?? [])
}
