import 'fake-indexeddb/auto'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openTestDeviceDb } from '#tests/fakes/fake-db.ts'
import { findingCopy } from '#src/components/problem/probe-copy.ts'
import { createIds } from '#src/lib/ids.ts'
import type { Locks } from '#src/lib/locks.ts'
import { silentLog } from '#src/lib/log.ts'
import { err, ok } from '#src/lib/result.ts'
import { openAccountDb, type AccountDb } from '#src/local/db/account-db.ts'
import type { DeviceDb } from '#src/local/db/device-db.ts'
import type { UploadRow } from '#src/local/db/rows.ts'
import { earlierUpload } from '#src/local/probe/earlier-upload.ts'
import { ffprobeDeepFacts } from '#src/local/probe/ffprobe-deep.ts'
import { deepCheckUpload, withDeepFacts } from '#src/local/probe/deep-check-upload.ts'
import { readFilmstrip } from '#src/local/probe/pictures.ts'
import type { DeepFacts, ProbeReport } from '#src/local/probe/report.ts'
import { judgeLooks, lookAt } from '#workers/media/picture-look.ts'
import { deepFindings } from '#checks/deep-rules.ts'
import { NO_DEEP_FACTS } from '#checks/facts.ts'

const MINUTE_MS = 60_000
const QUIET: DeepFacts = {
  frameRates: { lowest: 29.9, highest: 30.1 },
  longestKeyGapMs: 2_000,
  sound: { startsLateMs: 21, endsEarlyMs: 30 },
  loudness: { windows: 10, silent: 2, clippedShare: 0 },
  pictures: { looked: 12, black: 1, frozen: 2 },
  damagedAtMs: null,
  isInterlaced: false,
  hasLocation: false,
  hasDevice: false,
  createdAt: '2026-05-03T10:00:00.000Z',
}

describe('the deep check', () => {
  it('has nothing to say about an ordinary video, nor about what was not checked', () => {
    expect(deepFindings(QUIET, MINUTE_MS)).toEqual([])
    expect(deepFindings(NO_DEEP_FACTS, 0)).toEqual([])
  })

  it.each([
    [
      'B1',
      'info',
      { frameRates: { lowest: 24, highest: 30 } },
      'The frame rate varies between 24 and 30.',
    ],
    [
      'B1',
      'warn',
      { frameRates: { lowest: 20, highest: 60 } },
      'The frame rate varies between 20 and 60.',
    ],
    [
      'B2',
      'warn',
      { sound: { startsLateMs: 0, endsEarlyMs: 6_000 } },
      'The sound ends 6 s before the video.',
    ],
    [
      'B2',
      'warn',
      { sound: { startsLateMs: 1_500, endsEarlyMs: 0 } },
      'The sound starts 1.5 s late.',
    ],
    [
      'B2',
      'warn',
      { sound: { startsLateMs: -1_500, endsEarlyMs: 0 } },
      'The sound starts 1.5 s before the video.',
    ],
    [
      'B3',
      'warn',
      { loudness: { windows: 10, silent: 10, clippedShare: 0 } },
      'This video is silent.',
    ],
    [
      'B3',
      'warn',
      { loudness: { windows: 10, silent: 8, clippedShare: 0 } },
      'Most of this video is silent.',
    ],
    [
      'B3',
      'warn',
      { loudness: { windows: 10, silent: 0, clippedShare: 0.02 } },
      'The sound is distorted.',
    ],
    [
      'B4',
      'warn',
      { pictures: { looked: 10, black: 8, frozen: 0 } },
      'Most of this video is black.',
    ],
    [
      'B4',
      'warn',
      { pictures: { looked: 11, black: 0, frozen: 10 } },
      'The picture in this video hardly moves.',
    ],
    ['B5', 'warn', { damagedAtMs: 62_000 }, 'The video is damaged at 1:02.'],
    ['B6', 'info', { longestKeyGapMs: 12_000 }, 'This video has few key frames.'],
    ['B7', 'info', { isInterlaced: true }, 'This video is interlaced.'],
    ['B9', 'info', { hasLocation: true }, 'This file contains the location where it was filmed.'],
    ['B9', 'info', { hasDevice: true }, 'This file names the device it was filmed with.'],
  ] as const)('%s is a %s for %o', (ruleId, verdict, different, title) => {
    const findings = deepFindings({ ...QUIET, ...different }, MINUTE_MS)
    expect(findings).toMatchObject([{ ruleId, verdict }])
    expect(findings.map((finding) => findingCopy(finding).title)).toEqual([title])
  })

  it('does not mind sound that ends a little early in a long video', () => {
    expect(
      deepFindings({ ...QUIET, sound: { startsLateMs: 0, endsEarlyMs: 8_000 } }, 60 * MINUTE_MS),
    ).toEqual([])
    expect(
      deepFindings({ ...QUIET, sound: { startsLateMs: 0, endsEarlyMs: 11_000 } }, 60 * MINUTE_MS),
    ).toHaveLength(1)
  })

  it('does not judge a whole video by three pictures', () => {
    expect(
      deepFindings({ ...QUIET, pictures: { looked: 3, black: 3, frozen: 2 } }, MINUTE_MS),
    ).toEqual([])
  })

  it('reads what ffprobe says beyond the report, and nothing of nonsense', () => {
    expect(
      ffprobeDeepFacts({
        streams: [
          { codec_type: 'video', field_order: 'tt', start_time: '0.000000', duration: '10.0' },
          { codec_type: 'audio', start_time: '0.500000', duration: '3.5' },
        ],
        format: {
          tags: {
            'com.apple.quicktime.location.ISO6709': '+1+1/',
            'com.apple.quicktime.make': 'x',
            creation_time: '2026-05-03T10:00:00.000000Z',
          },
        },
      }),
    ).toEqual({
      isInterlaced: true,
      sound: { startsLateMs: 500, endsEarlyMs: 6_000 },
      hasLocation: true,
      hasDevice: true,
      createdAt: '2026-05-03T10:00:00.000Z',
    })
    expect(ffprobeDeepFacts('x')).toEqual({})
    expect(
      ffprobeDeepFacts({ streams: [{ codec_type: 'video', start_time: 'N/A' }], format: {} }),
    ).toMatchObject({ sound: null, hasLocation: false, isInterlaced: null })
  })
})

describe('what a strip shows', () => {
  const picture = (grey: (x: number) => number): Uint8Array =>
    Uint8Array.from({ length: 32 * 18 * 4 }, (_, at) => (at % 4 === 3 ? 255 : grey((at >> 2) % 32)))
  it('tells black from dark, still from moving, and counts one frame once', () => {
    const looks = [0, 1, 2, 3].map((at) =>
      lookAt(
        picture(() => 0),
        32,
        18,
        at * 1_000,
      ),
    )
    expect(
      judgeLooks([
        ...looks,
        looks[0] ??
          lookAt(
            picture(() => 0),
            32,
            18,
            0,
          ),
      ]),
    ).toEqual({ looked: 4, black: 4, frozen: 3 })
    expect(
      judgeLooks(
        [0, 1].map((at) =>
          lookAt(
            picture((x) => (x + at * 5) % 32),
            32,
            18,
            at,
          ),
        ),
      ),
    ).toEqual({ looked: 2, black: 0, frozen: 0 })
    expect(judgeLooks([])).toBeNull()
  })
})

let db: AccountDb
let deviceDb: DeviceDb
beforeEach(async () => {
  deviceDb = await openTestDeviceDb()
  db = await openAccountDb(`user-${createIds().uuid()}`)
})
afterEach(async () => {
  await db.delete()
})

const REPORT: ProbeReport = {
  engine: 'mediabunny',
  container: 'MP4',
  mimeType: 'video/mp4',
  sizeBytes: 5,
  durationMs: MINUTE_MS,
  video: null,
  audio: null,
  videoTrackCount: 1,
  audioTrackCount: 0,
  findings: [{ ruleId: 'B2', verdict: 'info', facts: { fault: 'none' } }],
  tookMs: 3,
}
const ROW: UploadRow = {
  id: 'u1',
  uploadRequestId: null,
  idempotencyKey: 'k',
  purpose: 'media-job',
  file: { name: 'scene.mp4', sizeBytes: 5, lastModifiedEpochMs: 1, type: 'video/mp4' },
  state: { kind: 'uploading' },
  epoch: 3,
  plan: null,
  safeBytes: 0,
  probe: REPORT,
  fingerprint: { head: 'a', tail: 'b' },
  createdAtEpochMs: 1_777_802_400_000,
  updatedAtEpochMs: 1,
}
const FILE = new File(['video'], 'scene.mp4')
const FREE: Locks = {
  ifFree: async (_name, work) => {
    await work()
    return true
  },
}
const made = (name: string): Blob => new Blob([name], { type: 'image/jpeg' })

describe('the deep check beside an upload', () => {
  const inspect = (deep: DeepFacts | null) =>
    deepCheckUpload(
      {
        db,
        deviceDb,
        ids: createIds(),
        clock: { now: () => 7 },
        log: silentLog,
        locks: FREE,
        media: {
          deepCheck: (_file, _options, onPicture) => {
            for (const index of [1, 0, 10, 2]) onPicture(index, made(`picture ${index}`))
            return Promise.resolve(deep === null ? err({ code: 'probe/timeout' }) : ok(deep))
          },
        },
      },
      'u1',
      FILE,
    )

  it('saves the strip in order and merges findings into the row, and nothing else of it', async () => {
    await db.uploads.add(ROW)
    await db.images.put({ key: 'filmstrip:gone:0', blob: made('old'), savedAtEpochMs: 1 })
    await db.images.put({ key: 'media-job-thumbnail:j', blob: made('kept'), savedAtEpochMs: 1 })
    await inspect({ ...QUIET, isInterlaced: true, damagedAtMs: 0 })
    const row = await db.uploads.get('u1')
    expect(row?.probe?.findings.map((finding) => `${finding.ruleId} ${finding.verdict}`)).toEqual([
      'B5 warn',
      'B2 info',
      'B7 info',
    ])
    expect({ ...row, probe: REPORT }).toEqual(ROW)
    expect(await readFilmstrip(db, 'u1')).toHaveLength(4)
    expect(await db.images.toCollection().primaryKeys()).toEqual([
      'filmstrip:u1:0',
      'filmstrip:u1:1',
      'filmstrip:u1:10',
      'filmstrip:u1:2',
      'media-job-thumbnail:j',
    ])
  })

  it('replaces what an earlier look found', () => {
    const twice = withDeepFacts(withDeepFacts(REPORT, { ...QUIET, isInterlaced: true }), {
      ...QUIET,
      damagedAtMs: 5,
    })
    expect(twice.findings.map((finding) => finding.ruleId)).toEqual(['B5', 'B2'])
  })

  it('keeps the pictures that were made when the look fails, and makes no row of an upload that is gone', async () => {
    await db.uploads.add(ROW)
    expect(await inspect(null)).toEqual({ ok: false, error: { code: 'probe/timeout' } })
    expect(await readFilmstrip(db, 'u1')).toHaveLength(4)
    await db.uploads.clear()
    expect(await inspect(QUIET)).toEqual({ ok: true, value: undefined })
    expect(await db.uploads.count()).toBe(0)
  })
})

describe('the same file again', () => {
  const same = { head: 'a', tail: 'b' }
  it('B8 names the newest upload of the same bytes, whatever its name', () => {
    const finding = earlierUpload(
      [
        ROW,
        {
          ...ROW,
          id: 'u2',
          file: { ...ROW.file, name: 'copy.mp4' },
          createdAtEpochMs: ROW.createdAtEpochMs - 1,
        },
      ],
      5,
      same,
    )
    expect(finding).toEqual({
      ruleId: 'B8',
      verdict: 'warn',
      facts: { atEpochMs: ROW.createdAtEpochMs, name: 'scene.mp4' },
    })
    expect(
      earlierUpload([{ ...ROW, uploadRequestId: 'r1' }], 5, same)?.facts['uploadRequestId'],
    ).toBe('r1')
    expect(findingCopy(finding ?? { ruleId: 'x', verdict: 'info', facts: {} }).title).toBe(
      'You uploaded this video on May 3, 2026.',
    )
  })
  it('B8 tells to use an upload that has arrived, and to continue any other', () => {
    const bodyOf = (state: UploadRow['state']) => {
      const finding = earlierUpload([{ ...ROW, state }], 5, same)
      return finding === null ? null : findingCopy(finding).body
    }
    const use = 'You can use that upload instead of sending the video again.'
    expect(bodyOf({ kind: 'verifying' })).toBe(use)
    expect(bodyOf({ kind: 'done', doneAtEpochMs: 1 })).toBe(use)
    expect(bodyOf({ kind: 'paused' })).toBe(
      'You can continue that upload instead of sending the video again.',
    )
  })
  it('B8 does not mind drafts, discarded uploads, assets and other bytes', () => {
    const rows: readonly UploadRow[] = [
      { ...ROW, state: { kind: 'draft' } },
      { ...ROW, state: { kind: 'discarded' } },
      { ...ROW, purpose: 'media-asset' },
      { ...ROW, fingerprint: { head: 'a', tail: 'c' } },
    ]
    expect(earlierUpload(rows, 5, same)).toBeNull()
    expect(earlierUpload([ROW], 6, same)).toBeNull()
  })
})
