import { openAsBlob } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { checkUpload } from '#server/media/check-upload.ts'
import { composedSource } from '#src/local/uploads/file/composed-source.ts'
import { planExcerpt } from '#checks/movie/excerpt.ts'
import { fileSource } from '#src/local/uploads/file/file-source.ts'
import { movieIndexOf } from '#src/local/uploads/file/movie-index.ts'
import { filePlaces } from '#src/local/uploads/file/trim.ts'
import type { Trim } from '#src/local/uploads/file/trim-places.ts'
import { FILMS, words, type Film } from '#tests/setup/films.ts'
import { testFfmpeg } from '#tests/setup/media.ts'
import { printedBy, runTool } from '#tests/setup/run-tool.ts'

/** It begins between two key frames, and ends between two pictures. */
const WANTED = { fromMs: 7_300, toMs: 18_171 }

interface Cut {
  readonly whole: string
  readonly own: string
  readonly folder: string
  readonly trim: Trim
  readonly share: number
}

async function cut({ file }: Film, wanted: Trim): Promise<Cut> {
  const whole = await file()
  const bytes = fileSource(new File([await openAsBlob(whole)], 'film.mp4'))
  const index = await movieIndexOf(bytes)
  const planned = index.ok ? filePlaces(index.value)?.plan(wanted) : null
  if (!planned) throw new Error('it cannot be cut')
  const folder = await mkdtemp(join(tmpdir(), 'onecut-trim-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const own = join(folder, 'trim.mp4')
  const composed = composedSource(bytes, planned.file)
  await writeFile(own, composed.slice(0, composed.sizeBytes).stream())
  return { whole, own, folder, trim: planned.trim, share: composed.sizeBytes / bytes.sizeBytes }
}

async function decoded(args: readonly string[]): Promise<Buffer> {
  const common = ['-nostdin', '-v', 'error', '-xerror', '-threads', '1']
  const { stdout, stderr } = await printedBy('ffmpeg', [...common, ...args])
  // What is left out of an open group of H.264 is missed by a note only.
  expect(stderr.replaceAll(/^.*mmco: unref short failure\n/gm, '')).toBe('')
  return stdout
}

interface Picture {
  readonly atMs: number
  readonly hash: string
}

/**
 * Every picture that is shown in the first seconds of two files, and when: in one run, because a
 * start of ffmpeg costs more than these pictures.
 */
async function pictures(
  paths: readonly [string, string],
  folder: string,
): Promise<readonly [readonly Picture[], readonly Picture[]]> {
  const inputs = paths.flatMap((path) => ['-t', '19', '-i', path])
  const raw = words('-fps_mode passthrough -enc_time_base -1 -c:v rawvideo -f framemd5')
  const [first, second] = [join(folder, 'first.md5'), join(folder, 'second.md5')]
  await decoded([...inputs, '-map', '0:V:0', ...raw, first, '-map', '1:V:0', ...raw, second])
  return [picturesIn(await readFile(first, 'utf8')), picturesIn(await readFile(second, 'utf8'))]
}

function picturesIn(text: string): readonly Picture[] {
  const [, ticks = 1, scale = 1] = (/^#tb 0: (\d+)\/(\d+)$/m.exec(text) ?? []).map(Number)
  return text
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => line.split(',').map((field) => field.trim()))
    .map(([, , shown, , , hash = '']) => ({ atMs: (Number(shown) * ticks * 1000) / scale, hash }))
}

interface Probed {
  readonly format: { readonly start_time: string; readonly duration: string }
  readonly streams: readonly Readonly<Record<string, unknown>>[]
  readonly packets: readonly {
    readonly stream_index: number
    readonly pts_time: string
    readonly duration_time: string
    readonly flags: string
    readonly data_hash: string
  }[]
}

const ENTRIES = [
  'format=start_time,duration',
  'stream=index,codec_type,width,height,r_frame_rate,avg_frame_rate',
  'stream_side_data=rotation',
  'packet=stream_index,pts_time,duration_time,flags,data_hash',
]

async function probed(path: string): Promise<Probed> {
  const show = ['-show_data_hash', 'md5', '-show_entries', ENTRIES.join(':'), '-of', 'json']
  const { stdout, stderr } = await runTool('ffprobe', ['-v', 'error', ...show, path])
  expect(stderr).toBe('')
  return JSON.parse(stdout) as Probed
}

/** Of each sound of a file, the packets that are heard between two times. */
function heard({ format, streams, packets }: Probed, fromS: number, toS: number) {
  return streams
    .filter(({ codec_type: kind }) => kind === 'audio')
    .map(({ index }) =>
      packets
        .filter((each) => each.stream_index === index && !each.flags.includes('D'))
        .map((each) => ({ ...each, atS: Number(each.pts_time) - Number(format.start_time) }))
        .filter((each) => each.atS + Number(each.duration_time) > fromS && each.atS < toS),
    )
}

/** Sizes, rates and turns of the pictures. */
const facts = ({ streams }: Probed) =>
  streams
    .filter(({ codec_type: kind }) => kind === 'video')
    .map(({ index: _index, avg_frame_rate: rate, ...others }) => ({
      ...others,
      rate: expect.closeTo(rateOf(rate), 1),
    }))
const rateOf = (said: unknown): number => {
  const [count = 0, seconds = 1] = String(said).split('/').map(Number)
  return count / seconds
}
const asFound = (probe: Probed) =>
  probe.streams
    .filter(({ codec_type: kind }) => kind === 'video')
    .map(({ index: _index, avg_frame_rate: rate, ...others }) => ({
      ...others,
      rate: rateOf(rate),
    }))

/** Less than the shortest packet. */
const A_LITTLE_S = 0.001

it.each(FILMS)('NOW-02 a trim shows and plays the stretch of its whole: $name', async (film) => {
  const { whole, own, folder, trim, share } = await cut(film, WANTED)
  expect(Math.abs(trim.fromMs - WANTED.fromMs)).toBeLessThanOrEqual(1_050)
  expect(Math.abs(trim.toMs - WANTED.toMs)).toBeLessThanOrEqual(25)
  expect(share).toBeLessThan(0.5)
  const [all, shown] = await pictures([whole, own], folder)
  const expected = all.filter(({ atMs }) => atMs > trim.fromMs - 0.6 && atMs < trim.toMs - 0.6)
  const firstMs = expected[0]?.atMs ?? NaN
  expect(shown[0]?.atMs).toBe(0)
  expect(shown.map(({ hash }) => hash)).toEqual(expected.map(({ hash }) => hash))
  for (const [number, { atMs }] of expected.entries())
    expect(Math.abs((shown[number]?.atMs ?? NaN) - (atMs - firstMs))).toBeLessThan(1)
  const [ofWhole, ofTrim] = [await probed(whole), await probed(own)]
  expect(asFound(ofTrim)).toEqual(facts(ofWhole))
  expect(Number(ofTrim.format.duration)).toBeCloseTo((trim.toMs - trim.fromMs) / 1000, 2)
  const [fromS, toS] = [firstMs / 1000, firstMs / 1000 + (trim.toMs - trim.fromMs) / 1000]
  const sounds = heard(ofWhole, fromS + A_LITTLE_S, toS - A_LITTLE_S)
  const ownSounds = heard(ofTrim, A_LITTLE_S, toS - fromS - A_LITTLE_S)
  expect(ownSounds).toHaveLength(sounds.length)
  // Packets of PCM begin anywhere; their samples are compared below.
  if (film.name !== 'PCM')
    for (const [number, packets] of sounds.entries()) {
      const found = ownSounds[number] ?? []
      expect(packets.length).toBeGreaterThan(200)
      expect(found.map(({ data_hash: hash }) => hash)).toEqual(
        packets.map(({ data_hash: hash }) => hash),
      )
      const moved = packets.map(({ atS }, each) => (found[each]?.atS ?? NaN) - (atS - fromS))
      expect(Math.max(...moved.map(Math.abs))).toBeLessThan(A_LITTLE_S)
    }
  expect(await readFile(own, 'latin1')).not.toMatch(/52\.5200|Lavf/)
})

it('NOW-02 a trim has the very samples of PCM that its stretch has', async () => {
  const { whole, own, trim } = await cut(filmOf('PCM'), WANTED)
  const raw = words('-map 0:a:0 -c:a copy -f s24le -')
  const [ofWhole, ofTrim] = await Promise.all(
    [whole, own].map((path) => decoded(['-i', path, ...raw])),
  )
  const bytesAMs = 48 * 2 * 3
  const from = Math.round(trim.fromMs) * bytesAMs
  const wanted = ofWhole?.subarray(from, Math.round(trim.toMs) * bytesAMs)
  expect(wanted?.length).toBeGreaterThan(bytesAMs * 10_000)
  expect(ofTrim?.equals(wanted ?? Buffer.alloc(0))).toBe(true)
})

function filmOf(part: string): Film {
  const film = FILMS.find(({ name }) => name.includes(part))
  if (film === undefined) throw new Error('There is no such film')
  return film
}

it('NOW-02 the server takes a trim as a video of its own length, and excerpts are made of it', async () => {
  const { own, folder, trim } = await cut(filmOf('phone'), WANTED)
  const checked = await checkUpload(await testFfmpeg(), {
    path: own,
    fileName: 'scene.mov',
    purpose: 'media-job',
    scratchDir: folder,
    signal: new AbortController().signal,
  })
  if (!checked.ok) throw new Error(checked.error.detail)
  // It is as small as a stamp.
  expect(checked.value.findings.map(({ ruleId }) => ruleId)).toEqual(['A12'])
  const { source } = checked.value.probe
  expect(Math.abs(source.durationMs - (trim.toMs - trim.fromMs))).toBeLessThan(45)
  expect(source).toMatchObject({ width: 72, height: 128, frameRate: 25 })
  const index = await movieIndexOf(fileSource(new File([await openAsBlob(own)], 'trim.mp4')))
  if (!index.ok) throw new Error(index.error.code)
  expect(planExcerpt(index.value, [{ startMs: 2_000, endMs: 4_000 }]).ok).toBe(true)
  expect(filePlaces(index.value)?.durationMs).toBe(trim.toMs - trim.fromMs)
})
