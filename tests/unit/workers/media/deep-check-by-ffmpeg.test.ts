import { describe, expect, it } from 'vitest'
import type { DeepCheckNews } from '#workers/media/deep-check.ts'
import type { FfmpegJobs, FfmpegRequest } from '#workers/media/ffmpeg-jobs.ts'
import {
  damagedAtMs,
  longestKeyGapMs,
  deepCheckByFfmpeg,
  parsePackets,
  samplesOf,
} from '#workers/media/deep-check-by-ffmpeg.ts'
import { err, ok } from '#src/lib/result.ts'
import { NO_DEEP_FACTS } from '#checks/facts.ts'
import type { ProbeReport } from '#src/local/probe/report.ts'

const REPORT: ProbeReport = {
  engine: 'ffmpeg-wasm',
  container: 'AVI',
  mimeType: 'video/x-msvideo',
  sizeBytes: 5,
  durationMs: 80_000,
  video: {
    codec: 'mpeg4',
    codecString: null,
    codedWidth: 3840,
    codedHeight: 2160,
    displayWidth: 3840,
    displayHeight: 2160,
    rotation: 0,
    frameRate: 25,
    bitRate: null,
    isHdr: false,
  },
  audio: { codec: 'mp3', channels: 2, sampleRate: 48_000 },
  videoTrackCount: 1,
  audioTrackCount: 1,
  findings: [],
  tookMs: 3,
}
const ALL = { times: true, sound: true, damage: true }
const decoded = (
  atSeconds: number,
  lines: readonly string[],
  pictures = 25,
): Extract<DeepCheckNews, { kind: 'decoded' }> => ({
  kind: 'decoded',
  atSeconds,
  decoded: pictures,
  lines,
})
const packets = (
  from: number,
  count: number,
  perSecond: number,
  keys: readonly number[] = [0],
): string =>
  Array.from(
    { length: count },
    (_, index) =>
      `N/A,${(from + index / perSecond).toFixed(3)},${keys.includes(index) ? 'K_' : '__'}\n`,
  ).join('')

/** Jobs that say `news` and then end as told. */
function fakeJobs(
  news: readonly DeepCheckNews[],
  end: 'done' | 'too slow' = 'done',
): { readonly jobs: FfmpegJobs; readonly asked: FfmpegRequest['task'][] } {
  const asked: FfmpegRequest['task'][] = []
  return {
    asked,
    jobs: {
      run: async (request, onNews) => {
        asked.push(request.task)
        news.forEach((each) => onNews(each))
        return end === 'done' ? ok(undefined) : err({ code: 'probe/timeout' })
      },
    },
  }
}
const look = (jobs: FfmpegJobs, report = REPORT, wanted = ALL) =>
  deepCheckByFfmpeg(
    jobs,
    new File(['x'], 'scene.avi'),
    report,
    wanted,
    new AbortController().signal,
  )

describe('a deep check by ffmpeg', () => {
  it('looks at eight places, hears ten windows and decodes at five, fewer pictures of a large video', async () => {
    const { jobs, asked } = fakeJobs([])
    await look(jobs)
    expect(asked).toMatchObject([
      {
        kind: 'deep-check',
        check: {
          packetsAt: [0, 10, 20, 30, 40, 50, 60, 70],
          decodeAt: [8, 24, 40, 56, 72],
          frames: 6,
        },
      },
    ])
    expect(
      asked.map((task) => (task.kind === 'deep-check' ? task.check.soundAt.length : 0)),
    ).toEqual([10])
  })

  it('asks only for what is wanted and can be told, and for nothing at all if there is nothing', async () => {
    const { jobs, asked } = fakeJobs([])
    const video = REPORT.video === null ? null : { ...REPORT.video, codec: 'av1' }
    expect(
      await look(
        jobs,
        { ...REPORT, audio: null, video },
        { times: false, sound: true, damage: true },
      ),
    ).toEqual(NO_DEEP_FACTS)
    expect(await look(jobs, { ...REPORT, durationMs: null })).toEqual(NO_DEEP_FACTS)
    expect(asked).toEqual([])
  })

  it('keeps what was measured before the time was up', async () => {
    const { jobs } = fakeJobs(
      [
        { kind: 'packets', csv: packets(0, 48, 25) + packets(10, 48, 50) },
        { kind: 'sound', atSeconds: 4, samples: new Float32Array(480) },
        { kind: 'sound', atSeconds: 4, samples: new Float32Array(480) },
      ],
      'too slow',
    )
    const found = await look(jobs)
    expect(found).toMatchObject({
      loudness: { windows: 1, silent: 1, clippedShare: 0 },
      damagedAtMs: null,
    })
    expect(
      [found.frameRates?.lowest, found.frameRates?.highest].map((rate) => Math.round(rate ?? 0)),
    ).toEqual([25, 50])
  })
})

describe('packets', () => {
  it('are read by their decoding time, else by their picture time; lines without any are dropped', () => {
    expect(parsePackets('1.5,1.4,K_\nN/A,1.44,__\n1.6,N/A,__\nN/A,N/A,__\n\n')).toEqual([
      { seconds: 1.4, isKey: true },
      { seconds: 1.44, isKey: false },
      { seconds: 1.6, isKey: false },
    ])
  })

  it('belong to one place until it is full, or time goes back at the end of a short file', () => {
    expect(
      samplesOf(parsePackets(packets(0, 48, 25) + packets(1, 20, 25) + packets(1, 20, 25))).map(
        (sample) => sample.length,
      ),
    ).toEqual([48, 20, 20])
  })

  it('B6 tell the gap between key frames, also back to the one that was found before the place', () => {
    const samples = samplesOf(parsePackets(packets(0, 48, 25, [0, 25]) + packets(30, 48, 25)))
    expect(longestKeyGapMs(samples, [0, 41])).toBe(11_000)
    expect(longestKeyGapMs(samplesOf(parsePackets(packets(0, 48, 25, []))), [0])).toBeNull()
  })
})

describe('damage', () => {
  it('B5 is where the decoder complains first', () => {
    expect(
      damagedAtMs(
        [
          decoded(8, []),
          decoded(24, ['[mpeg4 @ 0x1] ac-tex damaged at 34 27']),
          decoded(40, ['[mpeg4 @ 0x1] Error at MB: 9']),
        ],
        'mpeg4',
      ),
    ).toBe(24_000)
    expect(
      damagedAtMs(
        [
          decoded(8, [
            'Error while decoding stream #0:0: Invalid data found when processing input',
          ]),
        ],
        'prores',
      ),
    ).toBe(8_000)
  })

  it('B5 is not what the demuxer says at each opening, nor a decoder that can never decode', () => {
    expect(
      damagedAtMs(
        [decoded(8, ['[avi @ 0x1] Something else', '[flv @ 0x1] Packet mismatch 14 16 22'])],
        'flv1',
      ),
    ).toBeNull()
    expect(
      damagedAtMs([decoded(8, ['[hevc @ 0x1] Could not find ref with POC 25'])], 'hevc'),
    ).toBeNull()
    expect(
      damagedAtMs(
        [decoded(8, ['[hevc @ 0x1] no'], 0), decoded(24, ['[hevc @ 0x1] no'], 0)],
        'hevc',
      ),
    ).toBeNull()
  })
})
