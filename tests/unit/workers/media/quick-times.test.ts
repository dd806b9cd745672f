import { describe, expect, it } from 'vitest'
import { transportPacket } from '#tests/fixtures/transport-packets.ts'
import { streamTimes } from '#workers/media/quick-times.ts'

const [PICTURES, SOUND] = [256, 257]
const IDS = { video: PICTURES, sound: SOUND, all: [PICTURES, SOUND] }
/** Pictures of five packets each, 25 a second, and a piece of sound every fifth of a second. */
function stream(seconds: number, startsAt: number, lastSoundPackets = 2): Buffer {
  const packets: Buffer[] = []
  for (let picture = 0; picture < seconds * 25; picture += 1) {
    const at = startsAt + picture / 25
    packets.push(
      transportPacket(PICTURES, at % (2 ** 33 / 90_000)),
      ...Array.from({ length: 4 }, () => transportPacket(PICTURES, null)),
    )
    const isLast = picture + 5 >= seconds * 25
    if (picture % 5 === 0)
      packets.push(
        transportPacket(SOUND, at % (2 ** 33 / 90_000)),
        ...Array.from({ length: (isLast ? lastSoundPackets : 2) - 1 }, () =>
          transportPacket(SOUND, null),
        ),
      )
  }
  return Buffer.concat(packets)
}
const timesOf = (bytes: Buffer, ids: Parameters<typeof streamTimes>[2] = IDS) =>
  streamTimes(async (start, end) => new Uint8Array(bytes.subarray(start, end)), bytes.length, ids)

describe('times of a transport stream', () => {
  it('are those of its first and last pieces', async () => {
    const times = await timesOf(stream(60, 1.4))
    expect(times.frameRate).toBeCloseTo(25, 6)
    expect(times.startSeconds).toBeCloseTo(1.4, 4)
    expect(times.mainStartSeconds).toBeCloseTo(1.4, 4)
    expect(times.mainEndSeconds).toBeCloseTo(61.4, 2)
  })

  it('TRU-01 end with the picture, also where the sound is longer', async () => {
    // The last sound begins 0.2 s before the end of the pictures, and has the bytes of 0.4 s.
    const bytes = stream(4, 1.4, 4)
    expect((await timesOf(bytes)).mainEndSeconds).toBeCloseTo(5.4, 2)
    expect((await timesOf(bytes)).soundEndSeconds).toBeCloseTo(5.6, 1)
    const alone = await timesOf(bytes, { video: null, sound: SOUND, all: [SOUND] })
    expect(alone.mainEndSeconds).toBeCloseTo(5.6, 1)
  })

  it('go on where the timestamps start again at 0', async () => {
    const lap = 2 ** 33 / 90_000
    const times = await timesOf(stream(20, lap - 10))
    expect((times.mainEndSeconds ?? 0) - (times.startSeconds ?? 0)).toBeCloseTo(20, 2)
    expect(times.frameRate).toBeCloseTo(25, 6)
  })

  it('are left open where a track is not met, or there are no packets', async () => {
    expect(
      (await timesOf(stream(4, 1.4), { video: 300, sound: SOUND, all: [SOUND, 300] }))
        .mainEndSeconds,
    ).toBeNull()
    expect(await timesOf(Buffer.alloc(2_000))).toEqual({
      frameRate: null,
      startSeconds: null,
      mainStartSeconds: null,
      mainEndSeconds: null,
      soundEndSeconds: null,
    })
  })
})
