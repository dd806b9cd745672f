/**
 * A program of its own, which the runner confines as it does ffmpeg:
 * `voice-filter -i voices.pcm masked.pcm`. It gives all voices the character that follows from the
 * secret on its standard input, because other users of the machine see what it is called with. It
 * reads 16-bit samples of one channel at 16 kHz, and writes as many as 32-bit floating point
 * numbers; neither file has a header. It writes its progress as ffmpeg does. Beside it lie the
 * files of `recipes/voices`; it opens no other file.
 */
import { closeSync, fstatSync, openSync, readFileSync, readSync, writeSync } from 'node:fs'
import { parseArgs } from 'node:util'
import type * as Mask from '#recipes/voices/mask.ts'

const RATE = 16_000

const { values, positionals } = parseArgs({
  options: {
    input: { type: 'string', short: 'i' },
    // As ffmpeg has it: seconds at most, of what is read and of what is written.
    time: { type: 'string', short: 't', multiple: true, default: [] },
  },
  allowPositionals: true,
})
const [outputPath] = positionals
const { input: inputPath } = values
if (inputPath === undefined || outputPath === undefined)
  throw new Error('usage: voice-filter --input FILE FILE, with the secret on standard input')

const beside = './mask.ts'
const { maskVoice } = (await import(beside)) as typeof Mask
const secret = readFileSync(0, 'utf8')

const input = openSync(inputPath, 'r')
const output = openSync(outputPath, 'w')
const length = Math.min(
  Math.floor(fstatSync(input).size / 2),
  ...values.time.map((seconds) => Math.round(Number(seconds) * RATE)),
)
await maskVoice({ length, read }, secret, (samples, share) => {
  const bytes = new Uint8Array(samples.buffer)
  for (let done = 0; done < bytes.length;)
    done += writeSync(output, bytes, done, bytes.length - done)
  process.stdout.write(`out_time_us=${Math.round((share * length * 1e6) / RATE)}\n`)
})
closeSync(output)

function read(at: number, count: number): Float32Array {
  const samples = new Float32Array(count)
  const [from, end] = [Math.max(0, at), Math.min(length, at + count)]
  if (from >= end) return samples
  const bytes = Buffer.alloc((end - from) * 2)
  for (let got = 0; got < bytes.length;) {
    const more = readSync(input, bytes, got, bytes.length - got, from * 2 + got)
    if (more === 0) break
    got += more
  }
  for (let index = from; index < end; index += 1)
    samples[index - at] = bytes.readInt16LE((index - from) * 2) / 32_768
  return samples
}
