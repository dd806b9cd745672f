import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createRandom } from '#tests/faults/random.ts'
import type {} from '#tests/fixtures/device-page/main.ts'
import { makeCorpus } from '#tests/fixtures/media-corpus.ts'
import { openDevicePage, type DevicePage } from '#tests/setup/device-page.ts'

/** Of each source two; FUZZ_RUNS=500 for more, FUZZ_SEED for others. */
const RUNS = Number(process.env['FUZZ_RUNS'] ?? 20)
const SEED = Number(process.env['FUZZ_SEED'] ?? 1)
const SOURCES = [
  'plain.mp4',
  'fragmented.mp4',
  'turned.mov',
  'vp8.webm',
  'matroska.mkv',
  'stream.ts',
  'mpeg4.avi',
  'flash.flv',
  'windows.wmv',
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
  'probe/engine-crashed',
  'probe/timeout',
])

let device: DevicePage
let folder: string
const thrown: string[] = []
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'onecut-fuzz-'))
  device = await openDevicePage()
  device.page.on('pageerror', (error) => thrown.push(error.message))
  device.page.on('crash', () => thrown.push('the page crashed'))
})
afterAll(async () => {
  await device.close()
  await rm(folder, { recursive: true, force: true })
})

it(`answers for each of ${RUNS} broken files (seed ${SEED}): no hang, no crash, nothing unhandled`, async () => {
  const paths = await makeCorpus()
  const random = createRandom(SEED)
  const answers: string[] = []
  for (let index = 0; index < RUNS; index += 1) {
    const name = SOURCES[index % SOURCES.length] ?? ''
    const broken = mutate(await readFile(paths.get(name) ?? ''), random)
    const path = join(folder, name)
    await writeFile(path, broken.bytes)
    await device.page.setInputFiles('#file', path)
    // Every fifth also through the pictures, whose decoders meet the broken payload.
    const answer = device.page.evaluate(
      (isDeep) => (isDeep ? window.device.check() : window.device.probe()),
      index % 5 === 0,
    )
    const said = await Promise.race([
      answer.then((result) => (result.ok ? 'report' : result.error.code)),
      hang(),
    ])
    if (said !== 'report')
      expect(FILE_CODES, `${name}, file ${index}, ${broken.how}`).toContain(said)
    answers.push(said)
  }
  expect(answers).toHaveLength(RUNS)
  expect(thrown).toEqual([])
  // Changes that leave files readable and ones that do not: else the fuzzing would be too kind or
  // too hard to show anything.
  expect(new Set(answers).size).toBeGreaterThan(1)
  await device.page.setInputFiles('#file', paths.get('plain.mp4') ?? '')
  expect(await device.page.evaluate(() => window.device.probe())).toMatchObject({ ok: true })
})

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
