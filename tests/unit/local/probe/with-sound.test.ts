import { expect, it } from 'vitest'
import { namingSound } from '#checks/tracks.ts'
import { sourceProbeOf } from '#src/local/previews/preview.ts'
import type { ProbeReport } from '#src/local/probe/report.ts'
import { withSound } from '#src/local/probe/with-sound.ts'

const sound = { lengthMs: null, language: null, title: null }
const report: ProbeReport = {
  engine: 'mediabunny',
  container: 'MKV',
  mimeType: 'video/x-matroska',
  sizeBytes: 1000,
  durationMs: 60_000,
  video: {
    codec: 'avc',
    codecString: null,
    codedWidth: 1920,
    codedHeight: 1080,
    displayWidth: 1920,
    displayHeight: 1080,
    rotation: 0,
    frameRate: 30,
    bitRate: null,
    isHdr: false,
  },
  audio: { codec: 'aac', channels: 1, sampleRate: 48_000 },
  videoTrackCount: 2,
  audioTrackCount: 2,
  taken: { picture: 1, sound: 0 },
  sounds: [
    { ...sound, number: 0, codec: 'aac', channels: 1 },
    { ...sound, number: 1, codec: 'ac3', channels: 6 },
  ],
  findings: [],
  tookMs: 1,
}

it('SRC-01 facts and previews are of the sound that is chosen, here or after the check of the server', () => {
  expect(sourceProbeOf(withSound(report, 1), 'a.mkv')).toMatchObject({
    tracks: { picture: 1, sound: 1 },
    audioCodec: 'ac3',
    audioChannels: 6,
  })
  const facts = { kind: 'sound', count: 2, taken: 1, pictures: 2, picture: 2 }
  const arrived = namingSound([{ ruleId: 'A15', verdict: 'info', facts }], 2)
  expect(sourceProbeOf(withSound(report, 1), 'a.mkv', arrived)?.tracks).toEqual({
    picture: 1,
    sound: 1,
  })
})

it('SRC-01 a report stays as it is where nothing is chosen, or a sound that it does not know', () => {
  expect([withSound(report, null), withSound(report, 5)]).toEqual([report, report])
})
