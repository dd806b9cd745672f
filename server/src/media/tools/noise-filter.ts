/**
 * A program of its own, which the runner confines as it does ffmpeg:
 * `noise-filter -i sound.pcm --share 0.95 quiet.pcm`. It takes noise off speech: hum by
 * notches, and by RNNoise what is left. Both files are 16-bit samples of two channels at 48 kHz
 * without a header, and equally long. It writes its progress as ffmpeg does. Beside it lie
 * `rnnoise.mjs` and `mains-hum.ts`; it opens no other file.
 */
import { closeSync, fstatSync, openSync, readSync, writeSync } from 'node:fs'
import { parseArgs } from 'node:util'
import type * as Library from '@shiguredo/rnnoise-wasm'
import type * as Mains from './mains-hum.ts'

const RATE = 48_000
const CHANNELS = 2
const FRAME_BYTES = 2 * CHANNELS
/** RNNoise answers so much later than it hears; undone here, so that lips stay with the voice. */
const DELAY_SAMPLES = 960
const BLOCKS_AT_ONCE = 200
/** A tenth of a second. */
const SHORT_BLOCKS = 10
/** Three seconds before and after. */
const REACH = 30
/**
 * RNNoise takes what is no speech to it, also laughter, breath and some voices on a quiet ground.
 * So no more is taken than there is of steady noise: a clean sound stays as it is. The factor is
 * for noise that is louder than its quiet moments.
 */
const MOST_TAKEN = 3
const EASING = 0.5

const { values, positionals } = parseArgs({
  options: {
    input: { type: 'string', short: 'i' },
    share: { type: 'string' },
    // As ffmpeg has it: seconds at most, of what is read and of what is written.
    time: { type: 'string', short: 't', multiple: true, default: [] },
  },
  allowPositionals: true,
})
const [outputPath] = positionals
const share = Number(values.share)
if (values.input === undefined || outputPath === undefined || !(share >= 0 && share <= 1))
  throw new Error('usage: noise-filter --input FILE --share 0..1 FILE')

// The build of the package is for pages: it asks for a window, and takes nothing from it.
Object.assign(globalThis, { window: {} })
const beside = ['./rnnoise.mjs', './mains-hum.ts'] as const
const { Rnnoise } = (await import(beside[0])) as typeof Library
const { humIn, humFilter } = (await import(beside[1])) as typeof Mains
const rnnoise = await Rnnoise.load()
const input = openSync(values.input, 'r')
const output = openSync(outputPath, 'w')
const length = Math.min(
  Math.floor(fstatSync(input).size / FRAME_BYTES),
  ...values.time.map((seconds) => Math.round(Number(seconds) * RATE)),
)
const size = rnnoise.frameSize
const hum = [0, 1].map((channel) => humIn(channelAt(channel), length, RATE))
filter(survey())
closeSync(output)

/** What a first reading of the whole sound tells. */
interface Survey {
  /** Sound of one microphone comes as two equal channels, and the second costs as much again. */
  readonly isTwofold: boolean
  /** Mean square of the steady noise around each block of 10 ms, of each channel. */
  readonly floors: readonly Float32Array[]
}

function survey(): Survey {
  const blocks = Math.ceil(length / size)
  const powers = [0, 1].map(() => new Float32Array(blocks))
  const next = withoutHum()
  let isTwofold = false
  for (let block = 0; block < blocks; block += BLOCKS_AT_ONCE) {
    const heard = next(block * size, size * BLOCKS_AT_ONCE)
    for (let index = 0; index < heard.length; index += CHANNELS) {
      const [left = 0, right = 0] = [heard[index], heard[index + 1]]
      const place = block + Math.floor(index / CHANNELS / size)
      if (place >= blocks) break
      if (left !== right) isTwofold = true
      for (const [power, sample] of [
        [powers[0], left],
        [powers[1], right],
      ] as const)
        if (power !== undefined) power[place] = (power[place] ?? 0) + (sample * sample) / size
    }
  }
  return { isTwofold, floors: powers.map(floorOf) }
}

/**
 * What a tenth of the six seconds around each block is quieter than: people pause that often, and
 * noise does not. Not the quietest moment, because a cut or the end of a file is silent for a
 * moment.
 */
function floorOf(powers: Float32Array): Float32Array {
  const short = Array.from({ length: Math.ceil(powers.length / SHORT_BLOCKS) }, (_, place) => {
    const blocks = powers.subarray(place * SHORT_BLOCKS, (place + 1) * SHORT_BLOCKS)
    return blocks.reduce((sum, power) => sum + power, 0) / blocks.length
  })
  const floors = short.map((_, place) => {
    const around = short.slice(Math.max(0, place - REACH), place + REACH + 1)
    return around.toSorted((one, other) => one - other)[Math.floor(around.length / 10)] ?? 0
  })
  return Float32Array.from(powers, (_, block) => floors[Math.floor(block / SHORT_BLOCKS)] ?? 0)
}

function filter({ isTwofold, floors }: Survey): void {
  const channels = (isTwofold ? [0, 1] : [0]).map((channel) => ({
    channel,
    floor: floors[channel] ?? new Float32Array(0),
    state: rnnoise.createDenoiseState(),
    frame: new Float32Array(size),
    /** What went in and has not come out yet. */
    waiting: new Float32Array(DELAY_SAMPLES + size),
    strength: 0,
  }))
  const next = withoutHum()
  let written = 0
  for (let at = 0; written < length; at += size * BLOCKS_AT_ONCE) {
    const heard = next(at, size * BLOCKS_AT_ONCE)
    const result = new Int16Array(heard.length)
    for (let from = 0; from < heard.length / CHANNELS; from += size)
      for (const each of channels) {
        const { channel, state, frame, waiting } = each
        waiting.copyWithin(0, size)
        for (let index = 0; index < size; index += 1) {
          frame[index] = heard[(from + index) * CHANNELS + channel] ?? 0
          waiting[DELAY_SAMPLES + index] = frame[index] ?? 0
        }
        state.processFrame(frame)
        let taken = 0
        for (let index = 0; index < size; index += 1)
          taken += ((waiting[index] ?? 0) - (frame[index] ?? 0)) ** 2 / size
        const block = Math.max(0, Math.floor((at + from - DELAY_SAMPLES) / size))
        const noise = MOST_TAKEN * (each.floor[block] ?? 0)
        const allowed = share * Math.min(1, Math.sqrt(noise / Math.max(taken, 1e-9)))
        const before = each.strength
        each.strength += (allowed - before) * EASING
        for (let index = 0; index < size; index += 1) {
          const strength = before + ((each.strength - before) * index) / size
          const plain = waiting[index] ?? 0
          const sample = clamped(plain + strength * ((frame[index] ?? 0) - plain))
          result[(from + index) * CHANNELS + channel] = sample
          if (!isTwofold) result[(from + index) * CHANNELS + 1] = sample
        }
      }
    const skipped = Math.max(0, DELAY_SAMPLES - at)
    const kept = result.subarray(skipped * CHANNELS, (skipped + length - written) * CHANNELS)
    writeAll(kept)
    written += kept.length / CHANNELS
    process.stdout.write(`out_time_us=${Math.round((written / RATE) * 1e6)}\n`)
  }
}

/** Reads the sound from its beginning on, part by part, without its hum. */
function withoutHum(): (at: number, length: number) => Float32Array {
  const filters = hum.map((each, channel) =>
    each === null ? null : humFilter(each, channelAt(channel), RATE),
  )
  return (at, length) => {
    const heard = new Float32Array(readAt(at, length))
    for (const [channel, filter] of filters.entries()) filter?.(heard, channel, CHANNELS)
    return heard
  }
}

function channelAt(channel: number): Mains.ReadChannel {
  return (at, length) => {
    const heard = readAt(at, length)
    const own = new Float32Array(length)
    for (let index = 0; index < length; index += 1)
      own[index] = heard[index * CHANNELS + channel] ?? 0
    return own
  }
}

/** Samples of both channels from a place on; beyond the end of the file they are silent. */
function readAt(at: number, length: number): Int16Array {
  const bytes = Buffer.alloc(length * FRAME_BYTES)
  for (let got = 0; got < bytes.length;) {
    const more = readSync(input, bytes, got, bytes.length - got, at * FRAME_BYTES + got)
    if (more === 0) break
    got += more
  }
  return new Int16Array(bytes.buffer, bytes.byteOffset, length * CHANNELS)
}

function writeAll(samples: Int16Array): void {
  const bytes = new Uint8Array(samples.buffer, samples.byteOffset, samples.byteLength)
  for (let done = 0; done < bytes.length;)
    done += writeSync(output, bytes, done, bytes.length - done)
}

function clamped(sample: number): number {
  return Math.max(-32_768, Math.min(32_767, Math.round(sample)))
}
