import * as v from 'valibot'
import { originOfTags } from '#checks/origin-tags.ts'
import type { DeepFacts } from '#checks/facts.ts'

const seconds = v.fallback(
  v.optional(v.pipe(v.union([v.string(), v.number()]), v.transform(Number), v.finite())),
  undefined,
)
const tags = v.optional(v.record(v.string(), v.unknown()), {})
const stream = v.object({
  codec_type: v.optional(v.string()),
  field_order: v.optional(v.string()),
  start_time: seconds,
  duration: seconds,
  tags,
})
const answer = v.object({ streams: v.optional(v.array(stream), []), format: v.object({ tags }) })

/**
 * What ffprobe's JSON says beyond the report: interlacing, starts and ends, and what the camera
 * noted. Empty when it says nothing readable.
 */
export function ffprobeDeepFacts(json: unknown): Partial<DeepFacts> {
  const parsed = v.safeParse(answer, json)
  if (!parsed.success) return {}
  const { streams, format } = parsed.output
  const video = streams.find((found) => found.codec_type === 'video')
  const audio = streams.find((found) => found.codec_type === 'audio')
  const names = [format.tags, ...streams.map((found) => found.tags)].flatMap((found) =>
    Object.keys(found),
  )
  const created = format.tags['creation_time']
  return {
    isInterlaced:
      video?.field_order === undefined || video.field_order === 'unknown'
        ? null
        : video.field_order !== 'progressive',
    sound: video === undefined || audio === undefined ? null : soundAgainst(video, audio),
    ...originOfTags(names),
    createdAt:
      typeof created === 'string' && !Number.isNaN(Date.parse(created))
        ? new Date(created).toISOString()
        : null,
  }
}

type Stream = v.InferOutput<typeof stream>

function soundAgainst(video: Stream, audio: Stream): DeepFacts['sound'] {
  if (video.start_time === undefined || audio.start_time === undefined) return null
  const lengthsKnown = video.duration !== undefined && audio.duration !== undefined
  return {
    // What lies before the beginning is there for decoders only, and not heard.
    startsLateMs: Math.round(
      (Math.max(0, audio.start_time) - Math.max(0, video.start_time)) * 1_000,
    ),
    endsEarlyMs: lengthsKnown
      ? Math.round(
          (video.start_time + (video.duration ?? 0) - audio.start_time - (audio.duration ?? 0)) *
            1_000,
        )
      : 0,
  }
}
