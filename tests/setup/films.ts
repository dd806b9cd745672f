/** Small films of the kinds that cameras and programs make, each of 36 seconds. */
import { pictureStartMs } from '#recipes/first-picture.ts'
import type { SourceProbe } from '#recipes/types.ts'
import { keptClip } from './kept.ts'
import { runTool } from './run-tool.ts'

export const SECONDS = 36
export const words = (text: string): readonly string[] => text.split(' ')
const input = (text: string): readonly string[] => ['-f', 'lavfi', '-i', text]
const PICTURE = input(`testsrc2=s=128x72:r=25:d=${SECONDS}`)
/** It rises, so that no two packets are alike. */
const SOUND = input(`aevalsrc=0.3*sin(2*PI*t*(300+20*t)):s=48000:d=${SECONDS}`)
const x264 = (more: string): readonly string[] =>
  words(`-c:v libx264 -preset ultrafast -bf 3 -g 50 ${more}`)
const x265 = (more: string): readonly string[] =>
  words(
    `-c:v libx265 -preset ultrafast -tag:v hvc1 -c:a aac -x265-params open-gop=1:keyint=50:bframes=3:b-pyramid=1:log-level=error ${more}`,
  )
const plain = async (): Promise<string> =>
  await keptClip('plain.mp4', [...PICTURE, ...SOUND, ...x264('-c:a aac')])

export interface Film {
  readonly name: string
  readonly file: () => Promise<string>
  readonly source?: Partial<SourceProbe>
  /** Where it is longer than the others, and what a teaser shows of it. */
  readonly seconds?: number
  readonly moments?: readonly (readonly [number, number])[]
}

const made = (name: string, extension: string, ...args: readonly string[]): Film => ({
  name,
  file: () => keptClip(`film.${extension}`, args),
})

/** Every picture is another one, at a time of its own. */
const UNEVEN = input(
  `testsrc2=s=128x72:r=30000/1001:d=${SECONDS},settb=1/90000,setpts=N*3003+mod(N*37\\,5)*300+1900`,
)

const HEVC = made(
  'open groups in HEVC of 10 bits',
  'mov',
  ...PICTURE,
  ...SOUND,
  ...x265('-pix_fmt yuv420p10'),
)

export const FILMS: readonly Film[] = [
  { name: 'three B pictures in H.264', file: plain },
  made('open groups in H.264', 'mp4', ...PICTURE, ...SOUND, ...x264('-x264-params open-gop=1')),
  HEVC,
  {
    name: 'an upright MOV of a phone, with a time code',
    source: { width: 72, height: 128 },
    file: async () =>
      await keptClip('upright.mov', [
        '-i',
        await plain(),
        ...words('-c copy -metadata:s:v:0 rotate=90 -timecode 01:00:00:00 -movflags +faststart'),
        ...words('-video_track_timescale 600 -metadata location=+52.5200+013.4050/'),
      ]),
  },
  made('PCM', 'mov', ...PICTURE, ...SOUND, ...x264('-c:a pcm_s24le -ac 2')),
  {
    name: 'edits that begin inside the media',
    source: { durationMs: 32_700 },
    file: async () =>
      await keptClip('trimmed.mp4', ['-ss', '3.3', '-i', await plain(), '-c', 'copy']),
  },
  {
    name: 'a picture that begins late',
    source: { pictureStartMs: 500 },
    file: async () => {
      const path = await plain()
      const inputs = ['-itsoffset', '0.5', '-i', path, '-i', path]
      return await keptClip('late.mp4', [...inputs, '-map', '0:v', '-map', '1:a', '-c', 'copy'])
    },
  },
  made(
    'sound of another time scale, and no edit list',
    'mp4',
    ...PICTURE,
    ...SOUND,
    ...x264('-c:a aac -ar 22050 -use_editlist 0'),
  ),
  made(
    'times off the grid, before their decoding too',
    'mp4',
    ...UNEVEN,
    ...SOUND,
    ...words('-fps_mode passthrough -enc_time_base 1/90000'),
    ...x264('-video_track_timescale 90000 -movflags negative_cts_offsets -c:a aac'),
  ),
  {
    ...made(
      'a second sound, which is taken',
      'mp4',
      ...PICTURE,
      ...SOUND,
      ...input(`sine=f=900:d=${SECONDS}`),
      ...words('-map 0 -map 1 -map 2'),
      ...x264('-c:a:0 aac -c:a:1 libmp3lame'),
    ),
    source: { tracks: { picture: 0, sound: 1 } },
  },
  {
    name: 'fragments with edit lists, as of a recording',
    file: async () => await inFragments('recorded', [], 'frag_keyframe+empty_moov+delay_moov'),
  },
  {
    name: 'fragments that begin off keys, of open groups in HEVC of 10 bits',
    file: async () =>
      await inFragments('off-keys', ['-frag_duration', '700000'], 'empty_moov', HEVC.file),
  },
]

/** Longer, because excerpts of Matroska have the first 5 s, and whole clusters. */
const LONG = 60
const LONG_PICTURE = input(`testsrc2=s=128x72:r=25:d=${LONG}`)
const LONG_SOUND = input(`aevalsrc=0.3*sin(2*PI*t*(300+20*t)):s=48000:d=${LONG}`)
const segment = (name: string, extension: string, ...args: readonly string[]): Film => ({
  ...made(name, extension, ...LONG_PICTURE, ...LONG_SOUND, ...args),
  seconds: LONG,
  moments: [
    [14_333, 19_500],
    [31_211, 36_377],
    [49_489, 54_656],
  ],
})

/** Of Matroska and WebM. */
export const SEGMENTS: readonly Film[] = [
  segment(
    'MKV with a title and B pictures',
    'mkv',
    ...x264('-c:a aac -metadata title=+52.5200 -metadata:s:v:0 title=+52.5200'),
  ),
  segment(
    'WebM, whose sound begins with what is not shown',
    'webm',
    ...words('-c:v libvpx-vp9 -deadline realtime -cpu-used 8 -g 60 -c:a libopus'),
  ),
]

/** More of them. */
export const MORE_SEGMENTS: readonly Film[] = [
  segment('MKV with open groups in H.264', 'mkv', ...x264('-x264-params open-gop=1 -c:a libopus')),
  segment('MKV with open groups in HEVC of 10 bits', 'mkv', ...x265('-pix_fmt yuv420p10')),
  segment('MKV with PCM', 'mkv', ...x264('-c:a pcm_s24le -ac 2')),
  segment('MKV with FLAC', 'mkv', ...x264('-c:a flac')),
  segment('MKV with its cues in front', 'mkv', ...x264('-c:a aac -cues_to_front 1')),
  segment('MKV with the sound first', 'mkv', ...words('-map 1 -map 0'), ...x264('-c:a aac')),
  segment(
    'MKV as OBS makes it, of two sounds',
    'mkv',
    ...words('-map 0 -map 1 -map 1 -c:v libx264 -preset veryfast -bf 2 -g 75 -c:a aac'),
  ),
  segment('MKV with MPEG-4 and MP3', 'mkv', ...words('-c:v mpeg4 -bf 2 -g 48 -c:a libmp3lame')),
  segment('AV1', 'webm', ...words('-c:v libsvtav1 -preset 12 -g 60 -c:a libopus')),
  segment(
    'VP8 and Vorbis',
    'webm',
    ...words('-c:v libvpx -deadline realtime -cpu-used 8 -g 60 -c:a libvorbis'),
  ),
]

/** The same packets in fragments, beside a sound with noise. */
async function inFragments(
  name: string,
  args: readonly string[],
  flags: string,
  picture = plain,
): Promise<string> {
  const inputs = ['-i', await picture(), ...input(`anoisesrc=d=${SECONDS}:c=pink:r=48000:seed=1`)]
  const codecs = words('-map 0:v -map 1 -c:v copy -c:a aac -b:a 48k')
  const movflags = ['-movflags', `${flags}+default_base_moof`]
  return await keptClip(`${name}.mp4`, [...inputs, ...codecs, ...args, ...movflags])
}

interface Described {
  readonly format: { readonly start_time: string; readonly duration: string }
  readonly streams: readonly (Readonly<Record<string, unknown>> & {
    readonly codec_type: string
    readonly start_time: string
  })[]
}

/** What ffprobe says of the file and of each track; they begin by the millisecond of edits. */
export async function described(path: string): Promise<readonly unknown[]> {
  const entries =
    'format=start_time,duration:stream=codec_type,id,start_time,duration,avg_frame_rate,r_frame_rate,has_b_frames,width,height:stream_side_data=rotation'
  const args = ['-v', 'error', '-show_entries', entries, '-of', 'json', path]
  const { stdout } = await runTool('ffprobe', args)
  const { format, streams } = JSON.parse(stdout) as Described
  return [
    Number(format.duration).toFixed(3),
    ...streams
      .filter(({ codec_type: kind }) => kind !== 'data')
      .map(({ start_time: start, ...rest }) => ({
        ...rest,
        startMs: pictureStartMs(Number(format.start_time), Number(start)),
      })),
  ]
}
