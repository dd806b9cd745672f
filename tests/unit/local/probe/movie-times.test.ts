import { expect, it } from 'vitest'
import { ffprobeReport } from '#src/local/probe/ffprobe-report.ts'
import { readMovieTimes } from '#src/local/probe/movie-times.ts'

const box = (type: string, ...parts: readonly Buffer[]): Buffer => {
  const header = Buffer.alloc(8)
  header.writeUInt32BE(8 + parts.reduce((sum, part) => sum + part.length, 0))
  header.write(type, 4, 'latin1')
  return Buffer.concat([header, ...parts])
}
const numbers = (...values: readonly number[]): Buffer => {
  const bytes = Buffer.alloc(4 * values.length)
  for (const [at, value] of values.entries()) bytes.writeUInt32BE(value >>> 0, 4 * at)
  return bytes
}
/** How long an edit of a track lasts and from where in the track it is, in milliseconds. */
type Edit = readonly [number, number]
const timesOf = async (...edits: readonly Edit[]) => {
  const list = edits.flatMap(([lasts, from]) => [lasts, from, 0x10000])
  const track = box(
    'trak',
    box('tkhd', numbers(0, 0, 0, 1, 0, 0)),
    box('edts', box('elst', numbers(0, edits.length, ...list))),
  )
  const file = box('moov', box('mvhd', numbers(0, 0, 0, 1000, 0)), track)
  return await readMovieTimes(
    async (start, end) => Uint8Array.from(file.subarray(start, end)),
    file.length,
  )
}
const EMPTY = -1

it('REC-27 SRC-07 an edit list says when its track begins and ends, with all that it leaves empty', async () => {
  const edits = async (...list: readonly Edit[]) => (await timesOf(...list)).edits.get(1)
  expect(await edits([2000, EMPTY], [3000, 0], [4000, 5000])).toEqual({
    startS: 2,
    endS: 9,
    isOnePiece: false,
  })
  expect(await edits([1000, EMPTY], [1000, EMPTY], [7000, 2000])).toEqual({
    startS: 2,
    endS: 9,
    isOnePiece: true,
  })
  expect(await edits([3000, 0], [2000, EMPTY], [4000, 5000], [1000, EMPTY])).toMatchObject({
    startS: 0,
    endS: 9,
  })
  expect(await edits([2000, EMPTY])).toBeUndefined()
})

it('REC-27 SRC-07 what a list leaves empty before a picture is none of its length', async () => {
  const { edits } = await timesOf([2000, EMPTY], [3000, 0], [4000, 5000])
  const streams = [{ id: '0x1', codec_type: 'video', start_time: '2.000', duration: '9.000' }]
  const json = { streams, format: { format_name: 'mov,mp4', start_time: '0', duration: '9.0' } }
  expect(ffprobeReport(json, 5, undefined, edits)).toMatchObject({
    durationMs: 7000,
    pictureStartMs: 2000,
  })
})

it('SRC-07 a picture of Matroska ends where its writer noted it, not with its sound', () => {
  const of = (type: string, start: number, end: string) => ({
    codec_type: type,
    start_time: start,
    tags: { DURATION: end },
  })
  const streams = [of('video', 0.021, '00:00:12.021'), of('audio', 0, '00:00:12.500')]
  const format = { format_name: 'matroska,webm', start_time: 0, duration: 12.5 }
  expect(ffprobeReport({ streams, format }, 5)).toMatchObject({
    durationMs: 12_000,
    pictureStartMs: 21,
  })
})
