import { open, readFile } from 'node:fs/promises'
import { boxesIn, type Box } from '#checks/boxes.ts'
import { samplesOf, type Sample } from '#tests/fixtures/movies.ts'
import { atom } from '#tests/fixtures/picture-boxes.ts'
import { keptClip } from '#tests/setup/kept.ts'

/** Pictures and packets of sound (1,024 samples of 48,000 a second) both end with it. */
const PERIOD_S = 16
const PERIOD_SAMPLES = { vide: PERIOD_S * 25, soun: (PERIOD_S * 48_000) / 1024 }
const PERIODS = 450
export const LONG_VIDEO_MS = PERIODS * PERIOD_S * 1000
export const KEY_EVERY_MS = 2000

/** A video of two hours that is on the disk only where it is filled. */
export interface LongVideo {
  readonly sizeBytes: number
  /** Writes the media of a stretch; what is not filled is zeros. */
  fill(startMs: number, endMs: number): Promise<void>
}

/**
 * Writes a video of two hours and 25 GB: 1080p at 27.6 Mbit/s with a key every 2 s and two B
 * pictures, AAC, its index at the end. It is one clip of 16 s again and again, so that only the
 * places that are read have to be on the disk.
 */
export async function makeLongVideo(path: string): Promise<LongVideo> {
  const clip = await readFile(await periodClip())
  const [ftyp, mdat, moov] = ['ftyp', 'mdat', 'moov'].map((type) => topBox(clip, type))
  if (!ftyp || !mdat || !moov) throw new Error('The clip is no MP4')
  const brand = clip.subarray(ftyp.start, ftyp.end)
  const media = clip.subarray(mdat.bodyStart, mdat.end)
  const mediaStart = brand.length + 16
  const bytes = PERIODS * media.length
  const index = longIndex(clip, moov, {
    placeOf: (place, period) => mediaStart + period * media.length + place - mdat.bodyStart,
  })
  const header = Buffer.alloc(16)
  header.writeUInt32BE(1)
  header.write('mdat', 4, 'latin1')
  header.writeBigUInt64BE(BigInt(16 + bytes), 8)
  await using file = await open(path, 'w')
  await file.write(Buffer.concat([brand, header]), 0, mediaStart, 0)
  await file.write(index, 0, index.length, mediaStart + bytes)
  const placeAt = (ms: number): number =>
    Math.min(bytes, Math.max(0, Math.floor((ms / LONG_VIDEO_MS) * bytes)))
  return {
    sizeBytes: mediaStart + bytes + index.length,
    fill: async (startMs, endMs) => {
      await using own = await open(path, 'r+')
      for (let at = placeAt(startMs); at < placeAt(endMs);) {
        const from = at % media.length
        const length = Math.min(media.length - from, placeAt(endMs) - at)
        await own.write(media, from, length, mediaStart + at)
        at += length
      }
    },
  }
}

async function periodClip(): Promise<string> {
  const words = (text: string): readonly string[] => text.split(' ')
  return await keptClip('period.mp4', [
    ...words(`-f lavfi -i testsrc2=s=1920x1080:r=25:d=${PERIOD_S},noise=alls=24:allf=t`),
    ...words(`-f lavfi -i sine=frequency=440:sample_rate=48000:duration=${PERIOD_S}`),
    ...words('-c:v libx264 -preset superfast -pix_fmt yuv420p -g 50 -keyint_min 50 -bf 2'),
    ...words('-b:v 27400k -minrate 27400k -maxrate 27400k -bufsize 13700k'),
    ...words('-x264-params nal-hrd=cbr:scenecut=0 -c:a aac -b:a 192k -ac 2'),
  ])
}

function topBox(clip: Buffer, type: string): Box | undefined {
  return Array.from(boxesIn(clip, 0, clip.length)).find((each) => each.type === type)
}

interface Places {
  /** Where a byte of the clip lies in one of the periods. */
  readonly placeOf: (place: number, period: number) => number
}

/** The index of the clip for all periods. */
function longIndex(clip: Buffer, moov: Box, places: Places): Buffer {
  const samples = samplesOf(clip)
  const tracks = Array.from(boxesIn(clip, moov.bodyStart, moov.end)).filter(
    ({ type }) => type === 'trak',
  )
  const rewritten = (each: Box, own: readonly Buffer[]): Buffer => {
    const inside = (): Buffer[] =>
      Array.from(boxesIn(clip, each.bodyStart, each.end)).map((box) => rewritten(box, own))
    const body = Buffer.from(clip.subarray(each.bodyStart, each.end))
    switch (each.type) {
      case 'trak': {
        const of = samples[tracks.findIndex(({ start }) => start === each.start)] ?? []
        const tables = tablesOf(clip, of, places)
        return atom(
          'trak',
          ...Array.from(boxesIn(clip, each.bodyStart, each.end)).map((box) =>
            rewritten(box, tables),
          ),
        )
      }
      case 'moov':
      case 'mdia':
      case 'minf':
      case 'edts':
        return atom(each.type, ...inside())
      case 'stbl':
        return atom(
          'stbl',
          ...inside().filter((box) => box.toString('latin1', 4, 8) === 'stsd'),
          ...own,
        )
      case 'mvhd':
        return lasting(each.type, body, 16)
      case 'mdhd':
        return lasting(each.type, body, 16, body.readUInt32BE(12))
      case 'tkhd':
        return lasting(each.type, body, 20)
      case 'elst':
        return lasting(each.type, body, 8)
      default:
        return clip.subarray(each.start, each.end)
    }
  }
  return rewritten(moov, [])
}

/** A box with its length in time, which the header of the file counts in milliseconds. */
function lasting(type: string, body: Buffer, at: number, ticksASecond = 1000): Buffer {
  body.writeUInt32BE((LONG_VIDEO_MS / 1000) * ticksASecond, at)
  return atom(type, body)
}

function tablesOf(clip: Buffer, all: readonly Sample[], { placeOf }: Places): readonly Buffer[] {
  const isPicture = all.some(({ isKey }) => !isKey)
  const own = all.slice(0, isPicture ? PERIOD_SAMPLES.vide : PERIOD_SAMPLES.soun)
  const placeIn = ({ bytes }: Sample): number => bytes.byteOffset - clip.byteOffset
  const isNewChunk = (sample: Sample, number: number): boolean => {
    const before = own[number - 1]
    return before === undefined || placeIn(sample) !== placeIn(before) + before.bytes.length
  }
  const starts = own.flatMap((sample, number) => (isNewChunk(sample, number) ? [number] : []))
  const perChunk = starts.map((start, chunk) => (starts[chunk + 1] ?? own.length) - start)
  const periods = Array.from({ length: PERIODS }, (_, period) => period)
  const chunks = periods.flatMap((period) => starts.map((start) => ({ period, start })))
  const places = Buffer.alloc(8 * chunks.length)
  for (const [chunk, { period, start }] of chunks.entries()) {
    const sample = own[start]
    if (sample !== undefined)
      places.writeBigUInt64BE(BigInt(placeOf(placeIn(sample), period)), 8 * chunk)
  }
  const counts = periods.flatMap(() => perChunk)
  const groups = counts.flatMap((count, chunk) =>
    count === counts[chunk - 1] ? [] : [chunk + 1, count, 1],
  )
  const everywhere = <T>(of: (sample: Sample) => T): T[] => {
    const once = own.map(of)
    return periods.flatMap(() => once)
  }
  const keys = periods.flatMap((period) =>
    own.flatMap(({ isKey }, number) => (isKey ? [period * own.length + number + 1] : [])),
  )
  const times = runs(everywhere(({ lasts }) => lasts))
  const later = runs(everywhere((sample) => sample.later))
  const table = (type: string, perEntry: number, words: readonly number[]) =>
    atom(type, 0, words.length / perEntry, wordsOf(words))
  return [
    table('stts', 2, times),
    ...(isPicture ? [table('ctts', 2, later), table('stss', 1, keys)] : []),
    table('stsc', 3, groups),
    atom('stsz', 0, 0, own.length * PERIODS, wordsOf(everywhere(({ bytes }) => bytes.length))),
    atom('co64', 0, chunks.length, places),
  ]
}

/** Pairs of how often a value comes, and the value. */
function runs(values: readonly number[]): readonly number[] {
  const found: number[] = []
  for (const value of values) {
    if (found.at(-1) === value) found[found.length - 2] = (found.at(-2) ?? 0) + 1
    else found.push(1, value)
  }
  return found
}

function wordsOf(values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(4 * values.length)
  for (const [place, value] of values.entries()) bytes.writeInt32BE(value, 4 * place)
  return bytes
}
