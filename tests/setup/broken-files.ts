import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'vitest'
import { createRandom } from '#tests/faults/random.ts'
import type {} from '#tests/fixtures/device-page/main.ts'
import { corpusFile } from '#tests/fixtures/media-corpus.ts'
import { SEED } from '#tests/seeds.ts'
import type { DevicePage } from './device-page.ts'

/** Those that the browser reads and those that only ffmpeg reads, in turns. */
const SOURCES = [
  'plain.mp4',
  'mpeg4.avi',
  'vp8.webm',
  'stream.ts',
  'fragmented.mp4',
  'flash.flv',
  'turned.mov',
  'windows.wmv',
  'matroska.mkv',
  'mpeg2.mpg',
]
/** Beyond every limit of the worker's own for one probe. */
const HANG_MS = 45_000
/**
 * What may be said of a file that strangers broke; anything else speaks of this device, which is
 * whole.
 */
const FILE_CODES: ReadonlySet<string> = new Set([
  'probe/empty',
  'probe/not-media',
  'probe/incomplete',
  'probe/encrypted',
  'probe/no-video',
  'probe/dolby-vision',
  'probe/engine-crashed',
  'probe/timeout',
])

/**
 * Expects an answer for each of so many broken files: no hang, no crash, nothing unhandled; and of
 * a whole file after them.
 */
export async function expectAnswersOfBroken(device: DevicePage, tries: number): Promise<void> {
  const thrown: string[] = []
  device.page.on('pageerror', (error) => thrown.push(error.message))
  device.page.on('crash', () => thrown.push('the page crashed'))
  const random = createRandom(SEED)
  const answers: string[] = []
  const folder = await mkdtemp(join(tmpdir(), 'onecut-fuzz-'))
  for (let index = 0; index < tries; index += 1) {
    const name = SOURCES[index % SOURCES.length] ?? ''
    const broken = mutate(await readFile(await corpusFile(name)), random)
    const path = join(folder, name)
    await writeFile(path, broken.bytes)
    const said = await answerOf(device, path, index % 5 === 0)
    if (said !== 'report')
      expect(FILE_CODES, `${name}, file ${index}, ${broken.how}`).toContain(said)
    answers.push(said)
  }
  await rm(folder, { recursive: true, force: true })
  expect(answers).toHaveLength(tries)
  expect(thrown).toEqual([])
  // Changes that leave files readable and ones that do not: else the fuzzing would be too kind or
  // too hard to show anything.
  expect(new Set(answers).size).toBeGreaterThan(1)
  await device.page.setInputFiles('#file', await corpusFile('plain.mp4'))
  expect(await device.page.evaluate(() => window.device.probe())).toMatchObject({ ok: true })
}

/** @param isDeep also through the pictures, whose decoders meet the broken payload */
async function answerOf({ page }: DevicePage, path: string, isDeep: boolean): Promise<string> {
  await page.setInputFiles('#file', path)
  const answer = page.evaluate(
    (isDeep) => (isDeep ? window.device.check() : window.device.probe()),
    isDeep,
  )
  return await Promise.race([
    answer.then((result) => (result.ok ? 'report' : result.error.code)),
    hang(),
  ])
}

function hang(): Promise<string> {
  return new Promise((resolve) => {
    setTimeout(() => resolve('hang'), HANG_MS).unref()
  })
}

interface Broken {
  readonly bytes: Buffer
  readonly how: string
}

/**
 * One to eight changes: bytes flipped, runs of zeros, pieces cut out, doubled or swapped, lengths
 * in the head blown up, the end cut off.
 */
function mutate(source: Buffer, random: () => number): Broken {
  let bytes = Buffer.from(source)
  const how: string[] = []
  const below = (limit: number): number => Math.floor(random() * Math.max(1, limit))
  for (let left = 1 + below(8); left > 0 && bytes.length > 16; left -= 1) {
    // Heads and indexes are where readers can be led astray.
    const at = random() < 0.6 ? below(Math.min(bytes.length, 4_096)) : below(bytes.length)
    const length = 1 + below(Math.min(2_000, bytes.length - at))
    const kind = below(6)
    how.push(`${kind}@${at}+${length}`)
    if (kind === 0) for (let offset = 0; offset < 8; offset += 1) bytes[at + offset] = below(256)
    else if (kind === 1) bytes.fill(0, at, at + length)
    else if (kind === 2) bytes = Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + length)])
    else if (kind === 3) bytes = Buffer.concat([bytes.subarray(0, at + length), bytes.subarray(at)])
    else if (kind === 4 && at + 4 <= bytes.length)
      bytes.writeUInt32BE(random() < 0.5 ? 0xffff_ffff : below(2 ** 31), at)
    else bytes = bytes.subarray(0, Math.max(1, bytes.length - length * 50))
  }
  return { bytes, how: how.join(' ') }
}
