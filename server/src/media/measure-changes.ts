import { onItsTracks } from '#recipes/print-args.ts'
import { err, ok, type Result } from '#recipes/result.ts'
import type { SourceProbe } from '#recipes/types.ts'
import { GLANCE_CPU_S, GLANCE_WALL_MS } from '#server/media/cost.ts'
import type { Ffmpeg } from '#server/media/ffmpeg.ts'
import { glance } from '#server/media/glance.ts'
import type { FileProbe } from '#server/media/file-probe.ts'

/**
 * Formats of broadcasts and camcorders. ffmpeg takes every packet of them for a key frame when it
 * seeks, and recordings of them are often put together of parts that differ.
 */
const BROADCAST: ReadonlySet<string> = new Set(['mpegts', 'mpeg'])

/** A key frame may be shown a little after what is stored behind it. */
const LEAD_MARGIN_MS = 500
/** What a seek decodes at most for nothing; encoders set a key frame every ten seconds or more. */
const MAX_LEAD_MS = 60_000
/** Sound is decoded a hundred times as fast as it plays, on a slow machine. */
const SOUND_S_PER_CPU_S = 30

interface Checked {
  readonly path: string
  readonly scratchDir: string
  readonly signal: AbortSignal
}

/**
 * The file with what edits must know of what changes within it, and of a broadcast, where decoding
 * begins; or what is wrong with it: `message` is for the creator. Rejects when aborted and with the
 * fault of the machine.
 * @param keyGapMs the longest time between two key frames; null where that is not known, as of what
 *   is no broadcast
 */
export async function measureChanges(
  ffmpeg: Ffmpeg,
  where: Checked,
  probe: FileProbe,
  keyGapMs: number | null,
): Promise<Result<FileProbe, { readonly message: string; readonly detail: string }>> {
  const { kind, formatName, source } = probe
  if (kind !== 'video') return ok(probe)
  const isBroadcast = BROADCAST.has(formatName)
  const { picture, sound } = await findChanges(ffmpeg, where, source, isBroadcast)
  if (sound)
    return err({
      message:
        'The sound of this video changes in the middle, such as from stereo to mono, so no edit could keep it. Please export it as one MP4 and upload that.',
      detail: `${formatName}: channels or rate of the sound change`,
    })
  const lead =
    isBroadcast && keyGapMs !== null
      ? { leadMs: Math.min(MAX_LEAD_MS, keyGapMs + LEAD_MARGIN_MS) }
      : {}
  const mayChange = picture || FINDERS[source.videoCodec] === undefined
  const changes = mayChange ? { pictureChanges: true } : {}
  return ok({ ...probe, source: { ...source, ...lead, ...changes } })
}

/**
 * Reads all of a broadcast, and of other files no more than their key frames where the format says
 * which those are. Of the picture, only what stands in its stream beside the pictures is compared,
 * so nothing of it is decoded. Sound whose form its frames say is, two thousand times as fast as it
 * plays: a filter that is not built again ends the run where channels or the rate change.
 */
async function findChanges(
  ffmpeg: Ffmpeg,
  { path, scratchDir, signal }: Checked,
  source: SourceProbe,
  isBroadcast: boolean,
): Promise<{ readonly picture: boolean; readonly sound: boolean }> {
  const { durationMs, hasAudio, videoCodec, audioCodec } = source
  const reader = createSettingsReader()
  const mayChange = hasAudio && (isBroadcast || SAID_BY_FRAMES.has(audioCodec ?? ''))
  const outputs = [...settingsOf(videoCodec), ...(mayChange ? SOUND : [])]
  if (outputs.length === 0) return { picture: false, sound: false }
  const seconds = durationMs / 1000
  const end = await glance(ffmpeg, {
    inputs: [
      {
        from: { kind: 'source' },
        flags: [...(mayChange ? ONE_SOUND : []), ...(isBroadcast ? [] : KEYS_ONLY)],
        ...onItsTracks(source),
      },
    ],
    args: outputs,
    pathOf: () => path,
    cwd: scratchDir,
    signal,
    timeoutMs: GLANCE_WALL_MS + durationMs,
    cpuSeconds: Math.ceil(GLANCE_CPU_S + seconds / SOUND_S_PER_CPU_S),
    onOutput: reader.add,
  })
  const sound = !end.ok && end.error.detail.includes('Changing audio frame properties')
  return { picture: reader.hasChanged(), sound }
}

/**
 * Sound of discs and broadcasts, each frame of which says its channels and its rate, in whatever
 * file it was put: a film in six channels, and what was shown in its breaks in two. Other formats
 * say them once, so that their sound is decoded in one form.
 */
const SAID_BY_FRAMES: ReadonlySet<string> = new Set([
  'ac3',
  'eac3',
  'dts',
  'truehd',
  'mlp',
  'mp2',
  'mp3',
  'flac',
])

const ONE_SOUND = ['-reinit_filter:a', '0'] as const
const KEYS_ONLY = ['-discard:v', 'nokey'] as const
const SOUND = '-map 0:a:0 -f null -'.split(' ')

/**
 * Of codecs whose settings ffmpeg finds, how: MP4 and Matroska store them once, and those that come
 * later stand in the pictures, as `mp4toannexb` writes both. Of other codecs each key picture says
 * its size (recorders of browsers, JPEG, ProRes, DNxHD, WMV), and only decoding tells whether it
 * changes, which costs more than edits that expect it (2 % of their encode).
 */
const FINDERS: Readonly<Record<string, string>> = {
  h264: 'h264_mp4toannexb,extract_extradata',
  hevc: 'hevc_mp4toannexb,extract_extradata',
  mpeg1video: 'extract_extradata',
  mpeg2video: 'extract_extradata',
  mpeg4: 'extract_extradata',
  av1: 'extract_extradata',
}

function settingsOf(videoCodec: string): readonly string[] {
  const finder = FINDERS[videoCodec]
  if (finder === undefined) return []
  const hashes = ['-f', 'framehash', '-hash', 'crc32', '-']
  return ['-map', '0:V:0', '-c:v', 'copy', '-bsf:v', finder, ...hashes]
}

/**
 * What stands beside each packet: `S=2, 1, 72080df5, 34, 4bfceaff`, the settings at last. What is a
 * byte long is the number that MPEG-TS gives a stream.
 */
const BESIDE = /S=\d,.*?(\d\d+),\s*([0-9a-f]{8})\s*$/

/** Compares the settings of the pictures with the first ones, line by line. */
export function createSettingsReader(): {
  readonly add: (text: string) => void
  readonly hasChanged: () => boolean
} {
  const state = { rest: '', first: '', changed: false }
  return {
    add: (text) => {
      const lines = (state.rest + text).split('\n')
      state.rest = lines.pop() ?? ''
      for (const line of lines) {
        const settings = BESIDE.exec(line)?.slice(1).join(' ')
        if (settings === undefined) continue
        state.first ||= settings
        state.changed ||= settings !== state.first
      }
    },
    hasChanged: () => state.changed,
  }
}
