import { expect, it } from 'vitest'
import { videoFacts } from '#src/features/upload/VideoFacts.tsx'
import type { ProbeReport } from '#src/local/probe/report.ts'

const REPORT: ProbeReport = {
  engine: 'mediabunny',
  container: 'mp4',
  mimeType: 'video/mp4',
  sizeBytes: 1000,
  durationMs: 61_000,
  video: {
    codec: 'avc',
    codecString: null,
    codedWidth: 1920,
    codedHeight: 1080,
    displayWidth: 1080,
    displayHeight: 1920,
    rotation: 90,
    frameRate: 30,
    bitRate: null,
    isHdr: false,
  },
  audio: { codec: 'aac', channels: 2, sampleRate: 48_000 },
  videoTrackCount: 1,
  audioTrackCount: 1,
  findings: [],
  tookMs: 5,
}

it('shows length, resolution as displayed, sound and rotation of a checked video', () => {
  expect(videoFacts(1000, REPORT)).toEqual([
    ['Size', '1 KB'],
    ['Length', '1:01'],
    ['Resolution', '1080 × 1920'],
    ['Sound', 'Stereo'],
    ['Rotation', 'Shown rotated by 90°'],
  ])
})

it('says that there is no sound', () => {
  expect(Object.fromEntries(videoFacts(1000, { ...REPORT, audio: null }))).toMatchObject({
    Sound: 'No sound',
  })
})

it('says only the size of a video that could not be checked here', () => {
  expect(videoFacts(1000, null).map(([label]) => label)).toEqual(['Size'])
})
