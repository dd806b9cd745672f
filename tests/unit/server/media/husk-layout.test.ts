import { expect, it } from 'vitest'
import { planTrack, type Tables } from '#server/media/husk-layout.ts'
import { tracksOf } from '#checks/ffprobe-tracks.ts'

/** Numbers of 32 bits, as tables have them. */
function numbers(...all: readonly number[]): DataView {
  const view = new DataView(new ArrayBuffer(4 * Math.max(3, all.length)))
  for (const [at, each] of all.entries()) view.setUint32(4 * at, each)
  return view
}

/** A track of one chunk, all of whose samples have the same size. */
function evenTrack(samples: number, bytes: number, ticks: number): Tables {
  return {
    handler: '',
    ticksPerS: 48_000,
    descriptions: numbers(1),
    times: numbers(1, samples, ticks),
    chunks: numbers(1, 1, samples, 1),
    sizes: numbers(bytes, samples),
    places: numbers(1, 0),
    isLong: false,
  }
}

const [pcm] = tracksOf(
  [{ index: 0, codec_type: 'audio', codec_name: 'pcm_s16le', channels: 1 }],
  'mov,mp4',
)
const [picture] = tracksOf([{ index: 0, codec_type: 'video', codec_name: 'h264' }], 'mov,mp4')
/** Of a day, and nearly as many as a number of 32 bits says. */
const DAY = 48_000 * 86_400

it('TRU-03 a day of sound is laid out without a look at each sample', async () => {
  const plan = await planTrack(0, evenTrack(DAY, 2, 1), pcm, 2 * DAY)
  expect(plan).toMatchObject({ samples: DAY, isKept: true, there: 0 })
})

it('TRU-03 an index of few bytes that names billions of pictures, or too many at its beginning, is not laid out', async () => {
  expect(await planTrack(0, evenTrack(DAY, 1, 1000), picture, 1e12)).toBeNull()
  expect(await planTrack(0, evenTrack(200_000, 1, 2), picture, 1e12)).toBeNull()
  expect(await planTrack(0, evenTrack(200_000, 1, 1000), picture, 1e12)).not.toBeNull()
})
