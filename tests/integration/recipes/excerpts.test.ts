import { execFile } from 'node:child_process'
import { openAsBlob } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, it, onTestFinished } from 'vitest'
import { findRecipe } from '#recipes/presets.ts'
import { printArgs } from '#recipes/print-args.ts'
import type { RecipePlan, SourceProbe } from '#recipes/types.ts'
import { boundedRun } from '#server/media/bounds.ts'
import { composedSource, planExcerpt } from '#src/local/uploads/file/excerpt.ts'
import { fileSource } from '#src/local/uploads/file/file-source.ts'
import { readMovieIndex } from '#src/local/uploads/file/movie-index.ts'
import type { ByteSource } from '#src/local/uploads/ports.ts'
import { probe, SECRET } from '#tests/fixtures/probes.ts'
import { keptClip } from '#tests/setup/kept.ts'
import { ffmpeg, renderPlan } from '#tests/setup/render-plan.ts'

const SECONDS = 42
const words = (text: string): readonly string[] => text.split(' ')
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

interface Film {
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

const FILMS: readonly Film[] = [
  { name: 'three B pictures in H.264', file: plain },
  made('open groups in H.264', 'mp4', ...PICTURE, ...SOUND, ...x264('-x264-params open-gop=1')),
  made('open groups in HEVC', 'mp4', ...PICTURE, ...SOUND, ...x265('-pix_fmt yuv420p')),
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
    source: { durationMs: 38_700 },
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

/** Three passages that add up to the teaser: 15 s, and two fades of a quarter of a second. */
const MOMENTS = [
  [8_211, 13_377],
  [19_333, 24_500],
  [33_489, 38_656],
] as const

function teaserOf(source: SourceProbe): RecipePlan {
  const shown = MOMENTS.map(([startMs, endMs]) => ({ startMs, endMs, isLocked: false }))
  const payload = { moments: { shown, banned: [] } }
  const plan = findRecipe('teaser-15s')?.plan(source, payload, {
    moments: [],
    assets: [],
    secret: SECRET,
  })
  if (plan?.ok !== true) throw new Error(JSON.stringify(plan))
  return plan.value
}

/** The steps of a plan that read the source, as a server runs them. */
function readsOf(plan: RecipePlan, source: SourceProbe) {
  return plan.steps
    .map(({ inputs }) => inputs.filter(({ from }) => from.kind === 'source'))
    .filter((inputs) => inputs.length > 0)
    .map((inputs) => ({
      planned: inputs,
      bounded: boundedRun({ inputs, args: [] }, source).inputs,
    }))
}

interface Cut {
  readonly source: SourceProbe
  readonly plan: RecipePlan
  readonly whole: string
  readonly excerpt: string
  readonly bytes: Pick<ByteSource, 'sizeBytes'> & { readonly ofWhole: number }
}

async function cut({ file, source: different }: Film): Promise<Cut> {
  const whole = await file()
  const source = probe({
    durationMs: SECONDS * 1000,
    width: 128,
    height: 72,
    frameRate: 25,
    ...different,
  })
  const plan = teaserOf(source)
  const stretches = readsOf(plan, source).flatMap(({ planned }) =>
    planned.map(({ seekMs = 0, durationMs = 0 }) => ({
      startMs: seekMs,
      endMs: seekMs + durationMs,
    })),
  )
  const bytes = fileSource(new File([await openAsBlob(whole)], 'film.mp4'))
  const index = await readMovieIndex(bytes)
  if (!index.ok) throw new Error(index.error.code)
  const planned = planExcerpt(index.value, stretches)
  if (!planned.ok) throw new Error(planned.error.code)
  const folder = await mkdtemp(join(tmpdir(), 'onecut-excerpt-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const excerpt = join(folder, 'excerpt.mp4')
  const composed = composedSource(bytes, planned.value)
  await writeFile(excerpt, composed.slice(0, composed.sizeBytes).stream())
  const { sizeBytes } = composed
  return { source, plan, whole, excerpt, bytes: { sizeBytes, ofWhole: bytes.sizeBytes } }
}

/** A hash and the time of every picture and of every packet of sound that a plan reads. */
async function seen({ plan, source }: Cut, path: string): Promise<string> {
  const inputs = readsOf(plan, source).flatMap(({ bounded }) => bounded)
  const maps = inputs.flatMap((_, each) => ['-map', `${each}:V:0`, '-map', `${each}:a:0`])
  const raw = words('-fps_mode passthrough -c:v rawvideo -c:a pcm_s16le -f framemd5 -')
  return await ffmpeg(printArgs({ inputs, args: [...maps, ...raw] }, () => path))
}

/** What ffprobe says of the file and of each track. */
async function described(path: string): Promise<readonly string[]> {
  const entries =
    'format=start_time,duration:stream=codec_type,id,start_time,duration,avg_frame_rate,r_frame_rate,has_b_frames,width,height:stream_side_data=rotation'
  const args = ['-v', 'error', '-show_entries', entries, '-of', 'compact', path]
  const { stdout } = await promisify(execFile)('ffprobe', args)
  return stdout.split('\n').filter((line) => line !== '' && !line.includes('codec_type=data'))
}

it.each(FILMS)(
  'NOW-01 an excerpt shows each picture and sound of its whole: $name',
  async (film) => {
    const own = await cut(film)
    const [ofWhole, ofExcerpt] = [await seen(own, own.whole), await seen(own, own.excerpt)]
    expect(readsOf(own.plan, own.source)).toHaveLength(MOMENTS.length)
    expect(ofWhole.split('\n').length).toBeGreaterThan(800)
    expect(ofExcerpt).toEqual(ofWhole)
    expect(await described(own.excerpt)).toEqual(await described(own.whole))
    // 20 of 42 s are read, from a key frame on.
    expect(own.bytes.sizeBytes).toBeLessThan(own.bytes.ofWhole * 0.75)
    const text = await readFile(own.excerpt, 'latin1')
    expect(text).not.toMatch(/52\.5200|Lavf/)
  },
)

it('NOW-01 a teaser of an excerpt is that of its whole, to the byte', async () => {
  const film = FILMS.find(({ name }) => name.includes('10 bits'))
  if (film === undefined) throw new Error('There is no such film')
  const own = await cut(film)
  const teasers = [own.whole, own.excerpt].map(async (source, place) => {
    const folder = await mkdtemp(join(tmpdir(), `onecut-excerpt-${place}-`))
    onTestFinished(() => rm(folder, { recursive: true }))
    const outputs = await renderPlan(own.plan, { source, folder })
    return await readFile(outputs['teaser-15s.mp4'] ?? '')
  })
  const [ofWhole, ofExcerpt] = await Promise.all(teasers)
  expect(ofWhole?.byteLength).toBeGreaterThan(50_000)
  expect(ofExcerpt?.equals(ofWhole ?? Buffer.alloc(0))).toBe(true)
})
