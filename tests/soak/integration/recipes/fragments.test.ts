import { openAsBlob } from 'node:fs'
import { mkdtemp, open, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { planExcerpt } from '#checks/movie/excerpt.ts'
import { composedSource } from '#src/local/uploads/file/composed-source.ts'
import { fileSource } from '#src/local/uploads/file/file-source.ts'
import { movieIndexOf } from '#src/local/uploads/file/movie-index.ts'
import { openDevicePage } from '#tests/setup/device-page.ts'
import { described, words } from '#tests/setup/films.ts'
import { keptClip } from '#tests/setup/kept.ts'
import { ffmpeg } from '#tests/setup/render-plan.ts'

const PICTURE = words('-f lavfi -i testsrc2=s=128x72:r=25:d=36')
const NOISE = words('-f lavfi -i anoisesrc=d=36:c=pink:r=48000:seed=1')
const X264 = words('-c:v libx264 -preset ultrafast -bf 3 -g 50')
const AAC = words('-c:a aac -b:a 48k')
const PLAIN = [...PICTURE, ...NOISE, ...X264, ...AAC]
const made = async (...args: readonly string[]): Promise<string> =>
  await keptClip('fragments.mp4', args)
const copied = async (...args: readonly string[]): Promise<string> =>
  await made('-i', await keptClip('plain-noise.mp4', PLAIN), ...words('-c copy'), ...args)

const KEYS = 'frag_keyframe+empty_moov'
const FILES: Readonly<Record<string, () => Promise<string>>> = {
  'places in the file': () => copied('-movflags', KEYS),
  'places behind each other': () => copied('-movflags', `${KEYS}+omit_tfhd_offset`),
  'places from the fragment on': () => copied('-movflags', `${KEYS}+default_base_moof`),
  'the first fragment in the index': () => copied('-movflags', 'frag_keyframe'),
  'edit lists': () => copied('-movflags', `${KEYS}+delay_moov`),
  'edit lists in MOV': () => copied('-movflags', `${KEYS}+delay_moov`, '-f', 'mov'),
  'fragments off keys': () =>
    copied(...words('-frag_duration 700000 -movflags empty_moov+delay_moov+default_base_moof')),
  CMAF: () => copied('-movflags', '+cmaf+frag_keyframe'),
  'pictures before their decoding': () => copied('-movflags', `${KEYS}+negative_cts_offsets`),
  DASH: () => copied('-movflags', '+dash+frag_keyframe'),
  'one index of all': () => copied('-movflags', '+dash+frag_keyframe+global_sidx'),
  'an hour before the beginning': () =>
    copied('-output_ts_offset', '3600', '-movflags', `${KEYS}+delay_moov`),
  Opus: () =>
    made(...PICTURE, ...NOISE, ...X264, ...words(`-c:a libopus -movflags ${KEYS}+delay_moov`)),
  FLAC: () =>
    made(
      ...PICTURE,
      ...NOISE,
      ...X264,
      ...words(`-c:a flac -strict -2 -movflags ${KEYS}+delay_moov`),
    ),
  PCM: () =>
    made(...PICTURE, ...NOISE, ...X264, ...words(`-c:a pcm_s16le -movflags ${KEYS} -f mov`)),
  VP9: () =>
    made(
      ...PICTURE,
      ...NOISE,
      ...words(
        `-c:v libvpx-vp9 -deadline realtime -cpu-used 8 -g 50 -c:a libopus -movflags ${KEYS}+delay_moov`,
      ),
    ),
  'open groups in HEVC of 10 bits': () =>
    made(
      ...PICTURE,
      ...NOISE,
      ...AAC,
      ...words(
        `-c:v libx265 -preset ultrafast -tag:v hvc1 -pix_fmt yuv420p10 -movflags ${KEYS}+delay_moov`,
      ),
      ...words('-x265-params open-gop=1:keyint=50:bframes=3:b-pyramid=1:log-level=error'),
    ),
  'a recording that broke off': async () => {
    const whole = await copied('-movflags', `${KEYS}+default_base_moof`)
    const path = join(await scratch(), 'broken.mp4')
    const bytes = await readFile(whole)
    await writeFile(path, bytes.subarray(0, Math.round(bytes.length * 0.93)))
    return path
  },
}

/** Anywhere, and a little before and behind keys. */
const PASSAGES: readonly [Passages, Passages, Passages] = [
  [
    [5_211, 10_377],
    [14_333, 19_500],
    [25_489, 30_656],
  ],
  [
    [5_970, 7_000],
    [13_999, 15_000],
    [26_039, 27_000],
  ],
  [
    [2_021, 3_000],
    [8_081, 9_000],
    [16_101, 17_000],
  ],
]
type Passages = readonly (readonly [number, number])[]

describe.each(Object.entries(FILES))('an excerpt of fragments: %s', (_name, file) => {
  it.each(PASSAGES.map((passages) => ({ passages })))(
    'NOW-01 shows each picture and sound of its whole: $passages',
    async ({ passages }) => {
      const whole = await file()
      const excerpt = await excerptOf(whole, passages)
      const [ofWhole, ofExcerpt] = [await seen(whole, passages), await seen(excerpt, passages)]
      expect(ofWhole.length).toBeGreaterThan(90)
      expect(ofExcerpt).toEqual(ofWhole)
    },
  )
})

it('NOW-01 an excerpt of what Chromium records shows each picture and sound of it', async () => {
  const whole = await recorded(24)
  const passages = PASSAGES[2]
  const excerpt = await excerptOf(whole, passages)
  const [ofWhole, ofExcerpt] = [await seen(whole, passages), await seen(excerpt, passages)]
  expect(ofWhole.length).toBeGreaterThan(90)
  expect(ofExcerpt).toEqual(ofWhole)
  const lengths = [await described(whole), await described(excerpt)].map(([length]) => length)
  expect(Number(lengths[0])).toBeCloseTo(Number(lengths[1]), 2)
})

async function scratch(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'onecut-fragments-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  return folder
}

async function excerptOf(whole: string, passages: Passages): Promise<string> {
  const bytes = fileSource(new File([await openAsBlob(whole)], 'film.mp4'))
  const index = await movieIndexOf(bytes)
  if (!index.ok) throw new Error(index.error.code)
  const stretches = passages.map(([startMs, endMs]) => ({ startMs, endMs }))
  const planned = planExcerpt(index.value, stretches)
  if (!planned.ok) throw new Error(planned.error.code)
  const path = join(await scratch(), 'excerpt.mp4')
  const composed = composedSource(bytes, planned.value)
  await writeFile(path, composed.slice(0, composed.sizeBytes).stream())
  return path
}

/** When each picture and each packet of sound of the passages is shown, and a hash of it. */
async function seen(path: string, passages: Passages): Promise<readonly string[]> {
  const inputs = passages.flatMap(([startMs, endMs]) =>
    words(`-ss ${startMs / 1000} -t ${(endMs - startMs) / 1000} -i ${path}`),
  )
  const maps = passages.flatMap((_, each) => ['-map', `${each}:V:0`, '-map', `${each}:a:0`])
  const raw = words('-fps_mode passthrough -enc_time_base:v 1:1000 -c:v rawvideo -c:a pcm_s16le')
  const output = join(await scratch(), 'seen')
  await ffmpeg(['-v', 'fatal', ...inputs, ...maps, ...raw, '-f', 'framemd5', output])
  // How long a picture stays is a guess from the pictures around it.
  return (await readFile(output, 'utf8'))
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => line.split(',').toSpliced(3, 1).join())
}

/** What the browser's own recorder makes, in real time. */
async function recorded(seconds: number): Promise<string> {
  const device = await openDevicePage()
  onTestFinished(() => device.close())
  const base64 = await device.page.evaluate(record, seconds)
  const path = join(await scratch(), 'recorded.mp4')
  await using file = await open(path, 'wx')
  await file.write(Buffer.from(base64, 'base64'))
  return path
}

/** Runs in the page. */
async function record(seconds: number): Promise<string> {
  const canvas = document.createElement('canvas')
  const drawing = canvas.getContext('2d')
  let drawn = 0
  const drawer = setInterval(() => {
    if (drawing === null) return
    drawing.fillStyle = `hsl(${drawn * 7}, 80%, 50%)`
    drawing.fillRect(0, 0, 160, 90)
    drawing.fillStyle = '#fff'
    drawing.fillText(String((drawn += 1)), 10, 60)
  }, 40)
  const audio = new AudioContext()
  const tone = audio.createOscillator()
  const heard = audio.createMediaStreamDestination()
  tone.connect(heard)
  tone.start()
  const tracks = [...canvas.captureStream(25).getTracks(), ...heard.stream.getTracks()]
  const recorder = new MediaRecorder(new MediaStream(tracks), { mimeType: 'video/mp4' })
  const parts: Blob[] = []
  await new Promise((resolve) => {
    recorder.onstop = resolve
    recorder.ondataavailable = ({ data }) => {
      parts.push(data)
      if (parts.length === seconds) recorder.stop()
    }
    recorder.start(1000)
  })
  clearInterval(drawer)
  const bytes = new Uint8Array(await new Blob(parts).arrayBuffer())
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))
}
