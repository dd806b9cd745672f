import { describe, expect, it } from 'vitest'
import { clockwise, ffprobeReport } from '#src/local/probe/ffprobe-report.ts'
import { walkBoxes, walkSegment } from '#src/local/probe/layout.ts'
import { tooShortFor } from '#checks/format-needs.ts'
import { recipes } from '#recipes/presets.ts'
import { quickFindings, type RuleInput } from '#checks/quick-rules.ts'
import { readSignature } from '#src/local/probe/signature.ts'
import { findingCopy, probeFailureCopy } from '#src/components/problem/probe-copy.ts'
import type { SourceLayout } from '#checks/facts.ts'
import type { ProbeReport, VideoTrackReport } from '#src/local/probe/report.ts'

const VIDEO: VideoTrackReport = {
  codec: 'h264',
  codecString: 'avc1.640028',
  codedWidth: 1920,
  codedHeight: 1080,
  displayWidth: 1920,
  displayHeight: 1080,
  rotation: 0,
  frameRate: 29.97,
  bitRate: null,
  isHdr: false,
}
const LAYOUT: SourceLayout = {
  hasIndex: true,
  hasPayload: true,
  isFragmented: false,
  isEncrypted: false,
  missingShare: 0,
}

function input(
  report: Partial<Omit<ProbeReport, 'findings' | 'tookMs'>> = {},
  more: Partial<Omit<RuleInput, 'report'>> = {},
): RuleInput {
  return {
    fileName: 'scene.mp4',
    layout: LAYOUT,
    ...more,
    report: {
      engine: 'mediabunny',
      container: 'MP4',
      mimeType: 'video/mp4',
      sizeBytes: 200_000_000,
      durationMs: 600_000,
      video: VIDEO,
      audio: { codec: 'aac', channels: 2, sampleRate: 48_000 },
      videoTrackCount: 1,
      audioTrackCount: 1,
      ...report,
    },
  }
}

describe('the pre-checks before the first byte', () => {
  it('have nothing to say about an ordinary video', () => {
    expect(quickFindings(input())).toEqual([])
    expect(quickFindings(input({ container: 'MOV' }, { fileName: 'IMG_0001.MOV' }))).toEqual([])
    expect(
      quickFindings(
        input({ video: { ...VIDEO, displayWidth: 1080, displayHeight: 1920, rotation: 90 } }),
      ),
    ).toEqual([])
  })

  it.each([
    [
      'A4',
      'block',
      input({ video: null, videoTrackCount: 0 }),
      'This file has sound but no video.',
    ],
    [
      'A5',
      'block',
      input({}, { layout: { ...LAYOUT, hasIndex: false } }),
      'This recording is incomplete, so it cannot be played.',
    ],
    [
      'A6',
      'warn',
      input({}, { layout: { ...LAYOUT, missingShare: 0.3 } }),
      'The file ends early: 30% is missing.',
    ],
    [
      'A6',
      'block',
      input({}, { layout: { ...LAYOUT, missingShare: 0.51 } }),
      'The file ends early: 51% is missing.',
    ],
    [
      'A6',
      'warn',
      input({}, { layout: { ...LAYOUT, missingShare: 0.000_01 } }),
      'The file ends early: 1% is missing.',
    ],
    [
      'A7',
      'block',
      input({}, { layout: { ...LAYOUT, isEncrypted: true } }),
      'This video is copy-protected and cannot be edited.',
    ],
    ['A8', 'info', input({ container: 'MKV' }), 'This file is actually in MKV format.'],
    ['A10', 'warn', input({ durationMs: 400 }), 'This video is 0.4 s long.'],
    ['A10', 'block', input({ durationMs: 399 }), 'This video is 0.4 s long.'],
    ['A10', 'block', input({ durationMs: 0 }), 'This video has a length of zero.'],
    [
      'A12',
      'warn',
      input({ video: { ...VIDEO, displayWidth: 640, displayHeight: 360 } }),
      'This video is only 640×360.',
    ],
    [
      'A12',
      'block',
      input({ video: { ...VIDEO, displayWidth: 640, displayHeight: 14 } }),
      'This video is only 640×14.',
    ],
    [
      'A13',
      'info',
      input({ video: { ...VIDEO, displayWidth: 7680, displayHeight: 4320 } }),
      'This video will be edited at 4K.',
    ],
    [
      'A13',
      'info',
      input({ video: { ...VIDEO, frameRate: 120 } }),
      'This video will be edited at 60 frames a second.',
    ],
    [
      'A14',
      'warn',
      input({ video: { ...VIDEO, codec: 'vvc' } }),
      'We may not be able to read vvc.',
    ],
    ['A15', 'info', input({ audioTrackCount: 3 }), '3 audio tracks found. We use the first one.'],
    [
      'A17',
      'info',
      input({ video: { ...VIDEO, isHdr: true } }),
      'HDR will be converted to standard colors.',
    ],
    [
      'A18',
      'block',
      input({ video: { ...VIDEO, dolbyVision: { profile: 5, compatibility: 0 } } }),
      'Only Dolby Vision players can show the colors of this video, so please export it as HDR10 or SDR.',
    ],
    [
      'A19',
      'info',
      input({ video: { ...VIDEO, immersive: { kind: 'VR180', isDouble: true, isKept: true } } }),
      'This is a VR180 video.',
    ],
    [
      'A20',
      'block',
      input({ unfit: 'sparse' }),
      'This video has less than one picture in two seconds, so it cannot be edited.',
    ],
    [
      'A20',
      'block',
      input({ unfit: 'sound-changes' }),
      'The sound of this video changes in the middle, so it cannot be edited.',
    ],
    ['B2', 'info', input({ audio: null, audioTrackCount: 0 }), 'This video has no sound.'],
  ] as const)('%s is a %s', (ruleId, verdict, facts, title) => {
    const [first] = quickFindings(facts)
    expect(first).toMatchObject({ ruleId, verdict })
    if (first !== undefined) expect(findingCopy(first).title).toBe(title)
  })

  it.each([
    ['profile 5', 5, 0, null, true],
    ['profile 5, whatever else it claims', 5, 1, true, true],
    ['AV1 for Dolby alone', 10, 0, null, true],
    ['layers for Dolby alone', 20, 0, null, true],
    ['profile 8.1', 8, 1, true, false],
    ['profile 8.2', 8, 2, false, false],
    ['profile 8.4', 8, 4, true, false],
    ['a disc', 7, 6, true, false],
    ['a disc whose record leaves it out', 7, 0, null, false],
    ['AV1 on HDR10', 10, 1, true, false],
    ['a picture that says its own curve', 8, 0, true, false],
  ] as const)(
    'SRC-06 of Dolby Vision refuse what no other player shows: %s',
    (_what, profile, compatibility, isHdr, isRefused) => {
      const video = { ...VIDEO, isHdr, dolbyVision: { profile, compatibility } }
      const findings = quickFindings(input({ video }))
      expect(findings.some(({ ruleId }) => ruleId === 'A18')).toBe(isRefused)
    },
  )

  it('do not mind 60 frames a second as cameras write it', () => {
    expect(quickFindings(input({ video: { ...VIDEO, frameRate: 60.02 } }))).toEqual([])
  })

  it('A10 names the format that needs a longer video, and what it needs', () => {
    const said = (slug: string, name: string, durationMs: number | null): string | null => {
      const found = tooShortFor(slug, name, durationMs)
      return found === null ? null : findingCopy(found).title
    }
    expect(said('social-media-gif-pack', 'GIF Pack', 8_240)).toBe(
      'This video is 8.2 s long; "GIF Pack" needs at least 14 s.',
    )
    expect(said('team-skeet-trailer', 'Brand Trailer', 59_000)).toBe(
      'This video is 59 s long; "Brand Trailer" needs at least 1 min.',
    )
    expect([
      said('team-skeet-trailer', 'Brand Trailer', 59_950),
      said('team-skeet-trailer', 'Brand Trailer', null),
      said('dynamic-watermark', 'Watermark', 500),
      said('another', 'Another', 500),
    ]).toEqual([null, null, null, null])
  })

  it('A10 knows what every format that is offered needs', () => {
    for (const [slug, { needs }] of Object.entries(recipes)) {
      expect(tooShortFor(slug, slug, 1)).toEqual(
        needs.minimumMs === 0 ? null : expect.objectContaining({ ruleId: 'A10', verdict: 'warn' }),
      )
      expect(tooShortFor(slug, slug, Math.max(1, needs.minimumMs))).toBeNull()
    }
  })

  it('put the worst first', () => {
    expect(
      quickFindings(
        input({ video: { ...VIDEO, isHdr: true, displayHeight: 240 }, durationMs: 0 }),
      ).map((finding) => finding.verdict),
    ).toEqual(['block', 'warn', 'info'])
  })

  it('say of a rule of another version only that the file was not checked', () => {
    expect(findingCopy({ ruleId: 'Z9', verdict: 'warn', facts: {} }).title).toBe(
      'We could not check this file on this device.',
    )
    expect(probeFailureCopy({ code: 'probe/timeout' })).toMatchObject({
      title: 'We could not check this file on this device.',
      action: null,
    })
    expect(probeFailureCopy({ code: 'probe/no-video', facts: { kind: 'photo' } }).title).toBe(
      'This is a photo, not a video.',
    )
  })
})

function box(type: string, body: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(8 + body.byteLength)
  new DataView(bytes.buffer).setUint32(0, bytes.byteLength)
  bytes.set(new TextEncoder().encode(type), 4)
  bytes.set(body, 8)
  return bytes
}
function join(...parts: readonly Uint8Array[]): Uint8Array {
  return Uint8Array.from(parts.flatMap((part) => Array.from(part)))
}
function reader(bytes: Uint8Array) {
  return (start: number, end: number): Promise<Uint8Array> =>
    Promise.resolve(bytes.slice(start, end))
}
const FTYP = box('ftyp', new Uint8Array(8))
const MDAT = box('mdat', new Uint8Array(1_000))
const track = (entry: string): Uint8Array =>
  box(
    'trak',
    box(
      'mdia',
      box(
        'minf',
        box('stbl', box('stsd', join(new Uint8Array(8), box(entry, new Uint8Array(20))))),
      ),
    ),
  )

describe('the walk over the boxes', () => {
  it('finds index, payload and the share that is cut off', async () => {
    const whole = join(FTYP, box('moov', track('avc1')), MDAT)
    expect(await walkBoxes(reader(whole), whole.byteLength)).toEqual(LAYOUT)
    const cut = whole.slice(0, whole.byteLength - 500)
    expect((await walkBoxes(reader(cut), cut.byteLength)).missingShare).toBeCloseTo(
      500 / whole.byteLength,
    )
    const noIndex = join(FTYP, MDAT)
    expect(await walkBoxes(reader(noIndex), noIndex.byteLength)).toMatchObject({
      hasIndex: false,
      hasPayload: true,
    })
  })

  it('sees protected tracks where they are declared, and only there', async () => {
    const locked = join(FTYP, box('moov', join(track('mp4a'), track('encv'))), MDAT)
    expect((await walkBoxes(reader(locked), locked.byteLength)).isEncrypted).toBe(true)
    const harmless = join(
      FTYP,
      box('moov', join(track('avc1'), box('udta', new TextEncoder().encode('encvenca')))),
      MDAT,
    )
    expect((await walkBoxes(reader(harmless), harmless.byteLength)).isEncrypted).toBe(false)
  })

  it('does not run away on garbage', async () => {
    const garbage = Uint8Array.from({ length: 5_000 }, (_, index) => (index * 197) & 255)
    expect((await walkBoxes(reader(garbage), garbage.byteLength)).hasPayload).toBe(false)
  })

  it('reads the length of a Matroska segment, and takes an unknown one as it is', async () => {
    const header = [0x1a, 0x45, 0xdf, 0xa3, 0x84, 1, 2, 3, 4]
    const known = Uint8Array.from([
      ...header,
      0x18,
      0x53,
      0x80,
      0x67,
      0x43,
      0xe8,
      ...Array.from({ length: 500 }, () => 0),
    ])
    expect((await walkSegment(reader(known), known.byteLength)).missingShare).toBeCloseTo(
      500 / 1_015,
    )
    const live = Uint8Array.from([
      ...header,
      0x18,
      0x53,
      0x80,
      0x67,
      0x01,
      0xff,
      0xff,
      0xff,
      0xff,
      0xff,
      0xff,
      0xff,
      0,
    ])
    expect((await walkSegment(reader(live), live.byteLength)).missingShare).toBeNull()
  })
})

describe('the signature', () => {
  const bytes = (text: string, offset = 0): Uint8Array =>
    join(new Uint8Array(offset), new TextEncoder().encode(text), new Uint8Array(64))
  it.each([
    [bytes('ftypisom', 4), { kind: 'media', container: 'isobmff' }],
    [bytes('ftypheic', 4), { kind: 'photo' }],
    [Uint8Array.from([0x1a, 0x45, 0xdf, 0xa3, 0]), { kind: 'media', container: 'matroska' }],
    [bytes('RIFF1234AVI '), { kind: 'media', container: 'avi' }],
    [bytes('RIFF1234WAVE'), { kind: 'sound' }],
    [Uint8Array.from([0xff, 0xd8, 0xff, 0xe0]), { kind: 'photo' }],
    [new TextEncoder().encode('Dear diary,\nnothing happened.'), { kind: 'text' }],
    [Uint8Array.from([1, 2, 3, 4]), { kind: 'unknown' }],
  ] as const)('goes by content', (head, signature) =>
    expect(readSignature(head)).toEqual(signature),
  )
})

describe('the answer of ffprobe', () => {
  it('becomes a report with upright sizes and exact rates', () => {
    const report = ffprobeReport(
      {
        streams: [
          {
            codec_type: 'video',
            codec_name: 'hevc',
            width: 1920,
            height: 1080,
            avg_frame_rate: '30000/1001',
            sample_aspect_ratio: '1:1',
            color_transfer: 'smpte2084',
            side_data_list: [{ rotation: -90 }],
          },
          { codec_type: 'audio', codec_name: 'aac', channels: 2, sample_rate: '48000' },
        ],
        format: { format_name: 'mov,mp4,m4a,3gp,3g2,mj2', duration: '10.032000' },
      },
      5,
    )
    expect(report).toMatchObject({
      container: 'MP4',
      durationMs: 10_032,
      video: { rotation: 90, displayWidth: 1080, displayHeight: 1920, isHdr: true },
      audio: { sampleRate: 48_000 },
    })
    expect(report?.video?.frameRate).toBeCloseTo(29.97)
  })
  it('does not take a cover picture for a video', () => {
    expect(
      ffprobeReport(
        {
          streams: [
            { codec_type: 'video', codec_name: 'mjpeg', disposition: { attached_pic: 1 } },
            { codec_type: 'audio', codec_name: 'mp3' },
          ],
          format: { format_name: 'mp3' },
        },
        5,
      ),
    ).toMatchObject({ video: null, videoTrackCount: 0 })
  })
  it('is null for anything else', () => {
    for (const json of [null, {}, { streams: [] }, 'x']) expect(ffprobeReport(json, 5)).toBeNull()
  })
  it('turns any angle the right way', () => {
    expect([0, 90, -90, 180, 270, 450, -180, 1].map(clockwise)).toEqual([
      0, 90, 270, 180, 270, 90, 180, 0,
    ])
  })
})
