import * as v from 'valibot'
import type { Finding } from '#checks/facts.ts'
import type { Moment, SourceProbe } from '#recipes/types.ts'

const count = v.pipe(v.number(), v.minValue(0))
const probeSchema = v.object({
  durationMs: count,
  width: count,
  height: count,
  frameRate: count,
  hasAudio: v.boolean(),
  videoCodec: v.string(),
  audioCodec: v.nullable(v.string()),
  audioChannels: count,
  pixelFormat: v.exactOptional(v.string()),
  isHdr: v.boolean(),
  fileName: v.string(),
})
const momentsSchema = v.array(
  v.object({
    atMs: v.number(),
    score: v.number(),
    sceneStart: v.exactOptional(v.boolean()),
    brightness: v.number(),
    sharpness: v.exactOptional(v.number()),
  }),
)
const findingsSchema = v.array(
  v.object({
    ruleId: v.string(),
    verdict: v.picklist(['info', 'warn', 'block']),
    facts: v.record(v.string(), v.union([v.string(), v.number()])),
  }),
)

/** The probe of an upload's row, or null when there is none. */
export function readStoredProbe(json: unknown): SourceProbe | null {
  return json === null || json === undefined ? null : v.parse(probeSchema, json)
}

/** The cached moments of an upload's row, or null before the first analysis. */
export function readStoredMoments(json: unknown): Moment[] | null {
  return json === null || json === undefined ? null : v.parse(momentsSchema, json)
}

/**
 * What the pre-checks said of an upload, or null before the check, or when the row is older than
 * the column.
 */
export function readStoredFindings(json: unknown): Finding[] | null {
  return json === null || json === undefined ? null : v.parse(findingsSchema, json)
}
