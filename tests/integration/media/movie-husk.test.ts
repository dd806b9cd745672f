import { mkdtemp, open, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Ffmpeg } from '#server/media/ffmpeg.ts'
import type { FileProbe } from '#server/media/file-probe.ts'
import { measurePackets } from '#server/media/measure-packets.ts'
import { probeFile } from '#server/media/probe.ts'
import { repeatPicture } from '#tests/setup/edit-list.ts'
import { keptClip } from '#tests/setup/kept.ts'
import { testFfmpeg } from '#tests/setup/media.ts'
import { patience } from '#tests/setup/patience.ts'

const LARGE_BYTES = 64 * 1024 ** 2

let ffmpeg: Ffmpeg
let folder: string
let base: string
beforeAll(async () => {
  ffmpeg = await testFfmpeg()
  folder = await mkdtemp(join(tmpdir(), 'onecut-husk-'))
  base = await keptClip('base.mp4', [
    // Longer than the seconds of which a husk has all.
    ...'-f lavfi -i testsrc2=s=96x54:r=10:d=24 -f lavfi -i sine=r=48000:d=24.1'.split(' '),
    ...'-c:v libx264 -g 20 -bf 3 -threads 1 -pix_fmt yuv420p -c:a aac'.split(' '),
  ])
})
afterAll(async () => {
  await rm(folder, { recursive: true, force: true })
})

const repacked =
  (name: string, args: string): (() => Promise<Buffer>) =>
  async () =>
    await readFile(await keptClip(name, ['-i', base, ...args.split(' ')]))
const changed =
  (change: (movie: Buffer) => Buffer): (() => Promise<Buffer>) =>
  async () =>
    change(await readFile(base))
/** Changes numbers of 32 bits behind the first box of this type, counted from its length on. */
const patched = (type: string, word: number, value: number): (() => Promise<Buffer>) =>
  changed((movie) => {
    movie.writeUInt32BE(value, movie.indexOf(type, 0, 'latin1') - 4 + 4 * word)
    return movie
  })

/** What the packets say, and what ffprobe was given to read. */
async function measured(
  path: string,
  probe: FileProbe,
): Promise<{ readonly said: unknown; readonly read: string }> {
  const read: string[] = []
  const tools: Ffmpeg = {
    ...ffmpeg,
    runner: async (_tools, run, here) => {
      read.push(run.args((each) => each).at(-1) ?? '')
      return await here(run)
    },
  }
  const signal = AbortSignal.timeout(patience(60))
  const found = await measurePackets(tools, { path, scratchDir: folder, signal, ...probe })
  if (!found.ok) return { said: found.error.code, read: read.join() }
  const { withSound, ...value } = found.value
  return {
    said: {
      ...value,
      streams: [...value.streams].toSorted(([one], [other]) => one - other),
      silent: withSound(null),
      second: withSound(2),
    },
    read: read.join(),
  }
}

/** The same file, which ends with a box of nothing. */
async function enlarged(path: string, movie: Buffer): Promise<void> {
  const header = Buffer.from('\0\0\0\0free', 'latin1')
  header.writeUInt32BE(LARGE_BYTES)
  await writeFile(path, Buffer.concat([movie, header]))
  await using file = await open(path, 'r+')
  await file.truncate(movie.length + LARGE_BYTES)
}

it.each([
  ['an index at the end', repacked('a.mp4', '-c copy'), true],
  ['one in front', repacked('a.mp4', '-c copy -movflags +faststart'), true],
  ['PCM in a MOV', repacked('a.mov', '-c:v copy -c:a pcm_s24le -ac 3 -timecode 01:00:00:00'), true],
  ['two sounds', repacked('a.mp4', '-map 0 -map 0:a -c copy'), true],
  ['no picture', repacked('a.mp4', '-vn -c copy'), true],
  ['edits that hide the key frame before a cut', repacked('a.mp4', '-ss 3.3 -c copy'), true],
  ['packets of the end whose length no index says', patched('mdhd', 6, 1000), true],
  ['a picture that is shown three times', changed((movie) => repeatPicture(movie, 2000, 3)), true],
  ['pictures that follow each other unevenly', patched('stts', 5, 700), true],
  ['fragments', repacked('a.mp4', '-c copy -movflags frag_keyframe+empty_moov'), false],
  ['sound whose packets ffprobe looks into', repacked('a.mp4', '-c:v copy -c:a libmp3lame'), false],
  ['edits that show another place first', patched('elst', 5, 300_000), false],
  ['a chunk behind the end of the file', patched('stco', 4, 0x7fffffff), false],
  ['samples that no chunk has', patched('stsc', 5, 3), false],
  ['a sample of nothing', patched('stsz', 6, 0), false],
  [
    'a first picture that is no key frame',
    changed((movie) => movie.fill(0, movie.indexOf('mdat', 0, 'latin1') + 4, 6000)),
    null,
  ],
])(
  'TRU-03 the packets of a large file are those of a small one: %s',
  async (_title, make, isShort) => {
    const movie = await make()
    const [small, large] = [join(folder, 'small.mp4'), join(folder, 'large.mp4')]
    await writeFile(small, movie)
    await enlarged(large, movie)
    const probed = await probeFile(
      ffmpeg,
      small,
      'a.mp4',
      folder,
      AbortSignal.timeout(patience(60)),
    )
    if (!probed.ok) throw new Error(probed.error.detail)
    const whole = await measured(small, probed.value)
    const short = await measured(large, probed.value)
    expect(short.said).toEqual(whole.said)
    const husk = join(folder, 'husk.mp4')
    const reads = { true: [husk], false: [large], null: [husk, large] }[String(isShort)]
    expect(short.read).toBe(reads?.join())
  },
)
