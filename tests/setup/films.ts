/** Small films of the kinds that cameras and programs make, each of 36 seconds. */
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
}

const made = (name: string, extension: string, ...args: readonly string[]): Film => ({
  name,
  file: () => keptClip(`film.${extension}`, args),
})

/** Every picture is another one, at a time of its own. */
const UNEVEN = input(
  `testsrc2=s=128x72:r=30000/1001:d=${SECONDS},settb=1/90000,setpts=N*3003+mod(N*37\\,5)*300+1900`,
)

export const FILMS: readonly Film[] = [
  { name: 'three B pictures in H.264', file: plain },
  made('open groups in H.264', 'mp4', ...PICTURE, ...SOUND, ...x264('-x264-params open-gop=1')),
  made(
    'open groups in HEVC of 10 bits',
    'mov',
    ...PICTURE,
    ...SOUND,
    ...x265('-pix_fmt yuv420p10'),
  ),
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
]

/** What ffprobe says of the file and of each track. */
export async function described(path: string): Promise<readonly string[]> {
  const entries =
    'format=start_time,duration:stream=codec_type,id,start_time,duration,avg_frame_rate,r_frame_rate,has_b_frames,width,height:stream_side_data=rotation'
  const args = ['-v', 'error', '-show_entries', entries, '-of', 'compact', path]
  const { stdout } = await runTool('ffprobe', args)
  return stdout.split('\n').filter((line) => line !== '' && !line.includes('codec_type=data'))
}
