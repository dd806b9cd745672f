import { execFile } from 'node:child_process'
import { existsSync, mkdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { RECORDED, recordedSpeech } from './recorded-voices.ts'

const run = promisify(execFile)
const folder = join(tmpdir(), 'onecut-bench-sound')
export const RATE = 48_000
const RAW = ['-f', 's16le', '-ar', '48000', '-ac', '2'] as const

/** Six voices read this one after the other, with pauses between them. */
const TEXT =
  'The camera is over there, so please look at me when you talk. I was thinking that we could start again. Do you want some water?'
const VOICES = ['en-us+f3', 'en-gb+m3', 'en-us+f5', 'en-gb+m7', 'en-us+m1', 'en-gb+f2']

export async function ffmpeg(args: readonly string[]): Promise<Buffer> {
  const { stdout } = await run('ffmpeg', ['-nostdin', '-v', 'error', '-y', ...args], {
    encoding: 'buffer',
    maxBuffer: 1 << 30,
  })
  return stdout
}

/** Makes a file once, in a folder that outlives the bench. */
async function once(name: string, make: (path: string) => Promise<unknown>): Promise<string> {
  mkdirSync(folder, { recursive: true })
  const path = join(folder, name)
  if (!existsSync(path)) await make(path)
  return path
}

/** Whose speech is heard: voices of espeak-ng, or the held out people of `RECORDED`. */
export type Speakers = 'generated' | 'recorded'

async function voicesOf(speakers: Speakers): Promise<readonly string[]> {
  if (speakers === 'generated')
    return await Promise.all(
      VOICES.map((voice) =>
        once(`${voice}.wav`, (file) =>
          run('espeak-ng', ['-v', voice, '-s', '150', '-g', '5', TEXT, '-w', file]),
        ),
      ),
    )
  const files: string[] = []
  for (const person of RECORDED.heldOut) files.push(await recordedSpeech(person, 'said'))
  return files
}

/** Speech without any other noise than its own, as samples. */
function speech(speakers: Speakers): Promise<string> {
  return once(`${speakers}.pcm`, async (path) => {
    const files = await voicesOf(speakers)
    const inputs = files.map((_, index) => `[${index}]apad=pad_dur=0.6[v${index}]`)
    const joined = `${files.map((_, index) => `[v${index}]`).join('')}concat=n=${files.length}:v=0:a=1`
    await ffmpeg([
      ...files.flatMap((file) => ['-i', file]),
      '-filter_complex',
      `${inputs.join(';')};${joined},aresample=48000,volume=0.4,aformat=channel_layouts=stereo[a]`,
      '-map',
      '[a]',
      ...RAW,
      path,
    ])
  })
}

/** Noises by name, as sources of ffmpeg, and how loud they have to be for `SNR_DB` of speech. */
const NOISES = {
  hiss: 'anoisesrc=c=white:a=0.3:r=48000:seed=1',
  fan: 'anoisesrc=c=pink:a=0.6:r=48000:seed=2',
  hum: "aevalsrc='0.3*sin(2*PI*50*t)+0.2*sin(2*PI*100*t)+0.15*sin(2*PI*150*t)+0.1*sin(2*PI*200*t)+0.1*sin(2*PI*300*t)':s=48000",
} as const
export type NoiseName = keyof typeof NOISES
export const NOISE_NAMES = Object.keys(NOISES) as readonly NoiseName[]
export const SNR_DB = 5

const PICTURE = ['-f', 'lavfi', '-i', 'testsrc2=size=320x180:rate=25']
const CODECS =
  '-c:v libx264 -preset ultrafast -bf 2 -pix_fmt yuv420p -c:a aac -b:a 192k -shortest'.split(' ')

/** A video of the speech with a noise 5 dB below it. */
export async function noisyVideo(noise: NoiseName, speakers: Speakers): Promise<string> {
  const voice = await speech(speakers)
  return await once(`${noise}-${speakers}.mp4`, async (path) => {
    const sound = `[1:a]aformat=channel_layouts=stereo,volume=${await levelFor(voice, NOISES[noise])}[n]`
    await ffmpeg([
      ...RAW,
      '-i',
      voice,
      '-f',
      'lavfi',
      '-i',
      NOISES[noise],
      ...PICTURE,
      '-filter_complex',
      `${sound};[0][n]amix=inputs=2:normalize=0:duration=first[a]`,
      '-map',
      '2:v',
      '-map',
      '[a]',
      ...CODECS,
      path,
    ])
  })
}

async function levelFor(voice: string, noise: string): Promise<string> {
  const [loud, source] = await Promise.all([
    samples(['-f', 's16le', '-ar', '48000', '-ac', '2', '-i', voice]),
    samples(['-f', 'lavfi', '-t', '10', '-i', noise]),
  ])
  return (power(loud) / power(source) / 10 ** (SNR_DB / 20)).toFixed(5)
}

/** One channel at `RATE`. */
async function samples(input: readonly string[]): Promise<Float32Array> {
  const bytes = await ffmpeg([...input, '-vn', '-ac', '1', '-ar', String(RATE), '-f', 'f32le', '-'])
  return new Float32Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length))
}

export const fileSamples = (path: string): Promise<Float32Array> => samples(['-i', path])
export const speechSamples = async (speakers: Speakers): Promise<Float32Array> =>
  samples([...RAW, '-i', await speech(speakers)])

/** Root of the mean square. */
export function power(sound: Float32Array): number {
  return Math.sqrt(sound.reduce((sum, sample) => sum + sample * sample, 0) / sound.length)
}

/** Speech at one loudness, and a video of it. */
export async function levelVideo(name: string, volume: number): Promise<string> {
  const voice = await speech('generated')
  return await once(`${name}.mp4`, (path) =>
    ffmpeg([
      ...RAW,
      '-i',
      voice,
      ...PICTURE,
      '-af',
      `volume=${volume}`,
      '-map',
      '1:v',
      '-map',
      '0:a',
      ...CODECS,
      path,
    ]),
  )
}

/** A zoom into fine detail at 720p, clean and with so much grain. */
export async function grain(
  strength: number,
): Promise<{ readonly clean: string; readonly noisy: string }> {
  const clean = await once('detail.mkv', (path) =>
    ffmpeg([
      '-f',
      'lavfi',
      '-i',
      'mandelbrot=size=1280x720:rate=25:start_scale=0.8:end_scale=0.3:end_pts=150,format=yuv420p',
      '-t',
      '6',
      '-c:v',
      'libx264',
      '-qp',
      '0',
      '-preset',
      'ultrafast',
      path,
    ]),
  )
  const noisy = await once(`grain-${strength}.mp4`, (path) =>
    ffmpeg([
      '-i',
      clean,
      '-vf',
      `noise=alls=${strength}:allf=t:all_seed=5`,
      '-c:v',
      'libx264',
      '-crf',
      '14',
      '-preset',
      'veryfast',
      path,
    ]),
  )
  return { clean, noisy }
}
