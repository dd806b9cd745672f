/**
 * A program of its own, which the runner confines as it does ffmpeg:
 * `noise-filter -i sound.pcm --share 0.95 quiet.pcm`. It takes noise off speech: hum by
 * notches, and what else is steady by a Wiener filter that asks RNNoise where the voice is. Both
 * files are 16-bit samples of two channels at 48 kHz without a header, and equally long. It writes
 * its progress as ffmpeg does. Beside it lie `rnnoise.mjs`, `mains-hum.ts`, `steady-noise.ts` and
 * `fourier.ts`; it opens no other file.
 */
import { closeSync, fstatSync, openSync, readSync, writeSync } from 'node:fs'
import { parseArgs } from 'node:util'
import type * as Library from '@shiguredo/rnnoise-wasm'
import type * as Fast from '#recipes/voices/fourier.ts'
import type * as Mains from './mains-hum.ts'
import type * as Steady from './steady-noise.ts'

const RATE = 48_000
const CHANNELS = 2
const FRAME_BYTES = 2 * CHANNELS
/** RNNoise answers so much later than it hears; undone here, so that lips stay with the voice. */
const RNNOISE_DELAY = 960
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
const beside = ['./rnnoise.mjs', './mains-hum.ts', './steady-noise.ts', './fourier.ts'] as const
const { Rnnoise } = (await import(beside[0])) as typeof Library
const { humIn, humFilter } = (await import(beside[1])) as typeof Mains
const { BLOCK, DELAY, FRAME, steadyNoiseFilter } = (await import(beside[2])) as typeof Steady
const { fourierOf } = (await import(beside[3])) as typeof Fast
const rnnoise = await Rnnoise.load()
const input = openSync(values.input, 'r')
const output = openSync(outputPath, 'w')
const length = Math.min(
  Math.floor(fstatSync(input).size / FRAME_BYTES),
  ...values.time.map((seconds) => Math.round(Number(seconds) * RATE)),
)
const size = rnnoise.frameSize
/** Whole frames of RNNoise and whole blocks of the filter: 1.28 s. */
const PART = size * 128
const hum = [0, 1].map((channel) => humIn(channelAt(channel), length, RATE))
filter()
closeSync(output)

function filter(): void {
  const channels = (isTwofold() ? [0, 1] : [0]).map((channel) => ({
    channel,
    voiceIn: voiceFinder(),
    quiet: steadyNoiseFilter(fourierOf(FRAME), share),
  }))
  const next = withoutHum()
  const delay = RNNOISE_DELAY + DELAY
  let written = 0
  for (let at = 0; written < length; at += PART) {
    const heard = next(at, PART)
    const result = new Int16Array(heard.length)
    for (const { channel, voiceIn, quiet } of channels) {
      const { plain, voice } = voiceIn(heard, channel)
      for (let from = 0; from < PART; from += BLOCK) {
        const made = quiet(
          plain.subarray(from, from + BLOCK),
          voice.subarray(from, from + BLOCK),
          at + from - RNNOISE_DELAY < length,
        )
        for (const [index, sample] of made.entries())
          result[(from + index) * CHANNELS + channel] = clamped(sample)
      }
    }
    if (channels.length === 1)
      for (let index = 0; index < result.length; index += CHANNELS)
        result[index + 1] = result[index] ?? 0
    const skipped = Math.max(0, delay - at)
    const kept = result.subarray(skipped * CHANNELS, (skipped + length - written) * CHANNELS)
    writeAll(kept)
    written += kept.length / CHANNELS
    process.stdout.write(`out_time_us=${Math.round((written / RATE) * 1e6)}\n`)
  }
}

/** Sound of one microphone comes as two equal channels, and the second costs as much again. */
function isTwofold(): boolean {
  for (let at = 0; at < length; at += PART) {
    const heard = readAt(at, Math.min(PART, length - at))
    for (let index = 0; index < heard.length; index += CHANNELS)
      if (heard[index] !== heard[index + 1]) return true
  }
  return false
}

/** Gives a channel of each part as it was heard, and as RNNoise leaves it, under each other. */
function voiceFinder(): (
  heard: Float32Array,
  channel: number,
) => Readonly<Record<'plain' | 'voice', Float32Array>> {
  const state = rnnoise.createDenoiseState()
  const waiting = new Float32Array(RNNOISE_DELAY + PART)
  return (heard, channel) => {
    waiting.copyWithin(0, PART)
    const own = waiting.subarray(RNNOISE_DELAY)
    for (let index = 0; index < PART; index += 1)
      own[index] = heard[index * CHANNELS + channel] ?? 0
    const voice = own.slice()
    for (let from = 0; from < PART; from += size)
      state.processFrame(voice.subarray(from, from + size))
    return { plain: waiting.subarray(0, PART), voice }
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
