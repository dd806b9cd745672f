import { execFile } from 'node:child_process'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { LOUDNESS_METER, loudnessIn } from '#recipes/loudness.ts'
import type { Ffmpeg } from '#server/media/ffmpeg.ts'
import { signalToDistortion } from '#tests/integration/recipes/signal.ts'
import type { Figure, Section } from './figure.ts'
import { renderEdit, serverFfmpeg, type RenderedEdit } from '#tests/setup/render-edit.ts'
import { makeVoiceOverMusic, musicOverVoice } from '#tests/setup/voice-over-music.ts'
import {
  ffmpeg,
  fileSamples,
  grain,
  levelVideo,
  NOISE_NAMES,
  noisyVideo,
  power,
  RATE,
  SNR_DB,
  speechSamples,
  type Speakers,
} from './sound-sources.ts'

const ENHANCED = 'enhanced-audio-full-scene'
const DENOISED = 'denoised-full-scene'
const LESS_MUSIC = 'remove-background-music'

/** Noise taken off, loudness, and what the picture costs and gains. */
export const sound: Section = async function* () {
  const server = await serverFfmpeg()
  yield* noises(server, 'generated')
  yield* levels(server)
  yield* music(server)
  yield* grains(server)
}

/** Noise taken off people whose speech was recorded. Needs what `recordedSpeech` does. */
export const recordedSound: Section = async function* () {
  yield* noises(await serverFfmpeg(), 'recorded')
}

async function* noises(server: Ffmpeg, speakers: Speakers): AsyncIterable<Figure> {
  const clean = await speechSamples(speakers)
  for (const noise of NOISE_NAMES) {
    const source = await noisyVideo(noise, speakers)
    const before = distortion(clean, await fileSamples(source))
    for (const slug of [ENHANCED, DENOISED]) {
      const edit = await renderEdit(server, slug, {}, source)
      const heard = await fileSamples(only(edit))
      const after = distortion(clean, heard)
      const gain = after.decibels - before.decibels
      const of = (what: string): string => `${what}, ${noise} ${SNR_DB} dB below ${speakers} speech`
      yield figure(slug, of('SI-SDR gained'), gain, 'dB', { atLeast: slug === ENHANCED ? 8 : 5 })
      yield figure(slug, of('level in pauses'), pauseLevel(clean, heard), 'dB')
      yield figure(slug, of('sound against picture'), Math.abs(after.delayMs), 'ms', { atMost: 10 })
      yield* loudness(slug, of('loudness'), only(edit))
      if (slug !== ENHANCED) continue
      const isSame = (await picturesOf(source)) === (await picturesOf(only(edit)))
      yield figure(slug, of('share of pictures that changed'), isSame ? 0 : 1, '', { atMost: 0 })
      yield figure(slug, 'processor seconds for a second', await costOf(edit), 's')
    }
  }
}

/** Loudness of every edit with sound, of sources that are loud and quiet. */
async function* levels(server: Ffmpeg): AsyncIterable<Figure> {
  for (const [name, volume] of [
    // -37 LUFS; what is nearer to the noise of a room is not raised as far.
    ['quiet', 0.4],
    ['loud', 2.4],
  ] as const) {
    const source = await levelVideo(name, volume)
    for (const [slug, payload] of LEVELLED) {
      const edit = await renderEdit(server, slug, payload, source)
      yield* loudness(slug, `loudness, ${name} source`, only(edit))
    }
    for (const [slug, payload] of KEPT) {
      const edit = await renderEdit(server, slug, payload, source)
      const isSame = (await packetsOf(source)) === (await packetsOf(only(edit)))
      yield figure(slug, `sound changed, ${name} source`, isSame ? 0 : 1, '', { atMost: 0 })
    }
  }
}

/** Music at the sides of a voice, turned down. */
async function* music(server: Ffmpeg): AsyncIterable<Figure> {
  const source = join(await mkdtemp(join(tmpdir(), 'onecut-bench-music-')), 'music.mp4')
  await makeVoiceOverMusic(source, 20)
  const made = only(await renderEdit(server, LESS_MUSIC, {}, source))
  const quieter = (await musicOverVoice(source)) - (await musicOverVoice(made))
  yield figure(LESS_MUSIC, 'music at the sides turned down', quieter, 'dB', { atLeast: 10 })
  yield* loudness(LESS_MUSIC, 'loudness', made)
}

const LEVELLED = [
  [ENHANCED, {}],
  ['teaser-15s', {}],
  ['tube-cut', { targetDuration: 15_000, introMediaAssetIds: [], outroMediaAssetIds: [] }],
  [
    'uniform-sampling',
    {
      maximumDuration: 15_000,
      segmentCount: 5,
      offsetStartMs: 0,
      offsetEndMs: 0,
      introMediaAssetIds: [],
      outroMediaAssetIds: [],
    },
  ],
  ['example-low-resolution-video', {}],
] as const
/** Edits of the picture alone. */
const KEPT = [
  ['dynamic-watermark', { text: '@me' }],
  ['example-high-resolution-video', {}],
] as const

async function* grains(server: Ffmpeg): AsyncIterable<Figure> {
  for (const strength of [8, 14, 24]) {
    const { clean, noisy } = await grain(strength)
    const of = (what: string): string => `${what}, grain ${strength}`
    const edit = await renderEdit(server, DENOISED, {}, noisy)
    const plainArgs = '-c:v libx264 -preset veryfast -crf 20 -profile:v high -pix_fmt yuv420p'
    const plainFile = noisy.replace('.mp4', '-plain.mp4')
    await seconds(`-i ${noisy} ${plainArgs} ${plainFile}`)
    const [before, plain] = [await psnr(noisy, clean), await psnr(plainFile, clean)]
    const after = await psnr(only(edit), clean)
    yield figure(DENOISED, of('measured'), edit.source.grain ?? Number.NaN, 'of 255')
    yield figure(DENOISED, of('PSNR gained'), after - before, 'dB', { atLeast: 3 })
    yield figure(DENOISED, of('PSNR gained over a plain encode'), after - plain, 'dB')
    const own = edit.plan.steps.at(-1)
    const ownArgs = `${argOf(own?.args ?? [], '-vf')} ${plainArgs} ${argOf(own?.args ?? [], '-crf')}`
    const made = await seconds(`-i ${noisy} ${ownArgs} -f null -`)
    const by = await seconds(`-i ${noisy} ${plainArgs} -f null -`)
    yield figure(DENOISED, of('cost against a plain encode'), made / by, '', { atMost: 1.2 })
  }
  const { clean } = await grain(14)
  const still = await renderEdit(server, DENOISED, {}, clean)
  yield figure(DENOISED, 'measured, no grain', still.source.grain ?? Number.NaN, 'of 255')
  yield figure(DENOISED, 'PSNR of a picture without grain', await psnr(only(still), clean), 'dB', {
    atLeast: 36,
  })
}

/** An option of a plan with its value. */
function argOf(args: readonly unknown[], name: string): string {
  return `${name} ${String(args[args.indexOf(name) + 1])}`
}

/** Processor seconds, user and system, of one command. */
async function seconds(args: string): Promise<number> {
  const { stderr } = await promisify(execFile)('bash', [
    '-c',
    `TIMEFORMAT='%U %S'; time ffmpeg -nostdin -v error -y ${args}`,
  ])
  const [user = 0, system = 0] = stderr.trim().split(/\s+/).map(Number)
  return user + system
}

async function psnr(path: string, clean: string): Promise<number> {
  const { stderr } = await promisify(execFile)(
    'ffmpeg',
    ['-nostdin', '-hide_banner', '-nostats', '-i', path, '-i', clean].concat([
      '-lavfi',
      '[0:v][1:v]psnr',
      '-f',
      'null',
      '-',
    ]),
  )
  const [, y = 'nan'] = /PSNR y:([\d.]+|inf)/.exec(stderr) ?? []
  // The same picture.
  return y === 'inf' ? Infinity : Number(y)
}

async function* loudness(slug: string, of: string, path: string): AsyncIterable<Figure> {
  const printed = await ffmpeg(['-i', path, '-vn', '-af', LOUDNESS_METER, '-f', 'null', '-'])
  const lufs = loudnessIn(String(printed)) ?? Number.NaN
  yield figure(slug, `${of}, off -16 LUFS by`, Math.abs(lufs + 16), 'LU', { atMost: 0.5 })
  const { stderr } = await promisify(execFile)(
    'ffmpeg',
    ['-nostdin', '-hide_banner', '-nostats', '-i', path, '-vn'].concat([
      '-af',
      'ebur128=peak=true:framelog=verbose',
      '-f',
      'null',
      '-',
    ]),
  )
  const peak = Number(/Peak:\s+(-?[\d.]+) dBFS/.exec(stderr)?.[1] ?? Number.NaN)
  yield figure(slug, `${of}, true peak`, peak, 'dBTP', { atMost: -1.5 })
}

/** Of all the sound where the first ten seconds fit best. */
function distortion(
  clean: Float32Array,
  heard: Float32Array,
): ReturnType<typeof signalToDistortion> {
  const part = 10 * RATE
  const { delayMs } = signalToDistortion(clean.subarray(0, part), heard.subarray(0, part), RATE, 12)
  const shift = Math.round((delayMs / 1000) * RATE)
  const aligned = shift < 0 ? heard : heard.subarray(shift)
  const wanted = shift < 0 ? clean.subarray(-shift) : clean
  return { ...signalToDistortion(wanted, aligned, RATE, 0), delayMs }
}

/** Mean level where nothing is said, in dB of full scale. */
function pauseLevel(clean: Float32Array, heard: Float32Array): number {
  const span = RATE / 20
  const kept: number[] = []
  for (let at = span; at + 2 * span < Math.min(clean.length, heard.length); at += span)
    if (power(clean.subarray(at - span, at + 2 * span)) < 1e-4)
      kept.push(power(heard.subarray(at, at + span)) ** 2)
  return 10 * Math.log10(kept.reduce((sum, each) => sum + each, 0) / kept.length + 1e-12)
}

const picturesOf = async (path: string): Promise<string> =>
  String(await ffmpeg(['-i', path, '-map', '0:v', '-f', 'framemd5', '-']))

const packetsOf = async (path: string): Promise<string> =>
  String(await ffmpeg(['-i', path, '-map', '0:a', '-c', 'copy', '-f', 'md5', '-']))

function only({ plan, file }: RenderedEdit): string {
  return file(plan.outputs[0]?.name ?? '')
}

async function costOf({ cpuSeconds, source }: RenderedEdit): Promise<number> {
  return await Promise.resolve(cpuSeconds / (source.durationMs / 1000))
}

function figure(
  edit: string,
  of: string,
  value: number,
  unit: string,
  bound?: Figure['bound'],
): Figure {
  return { edit, of, value, unit, ...(bound === undefined ? {} : { bound }) }
}
