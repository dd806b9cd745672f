import { describe, expect, it } from 'vitest'
import { toFileProbe } from '#server/media/probe.ts'

const video = {
  codec_type: 'video',
  codec_name: 'hevc',
  width: 1920,
  height: 1080,
  avg_frame_rate: '30000/1001',
  sample_aspect_ratio: '1:1',
}

describe('probe', () => {
  it('UPL-12 sizes are as shown: turned, and with their pixel shape', () => {
    const turned = toFileProbe(
      {
        streams: [{ ...video, side_data_list: [{}, { rotation: -90 }] }],
        format: { format_name: 'mov,mp4', duration: '10' },
      },
      'a',
    )
    expect(turned?.source).toMatchObject({
      width: 1080,
      height: 1920,
      frameRate: 29.97,
      durationMs: 10_000,
    })
    const anamorphic = toFileProbe(
      {
        streams: [{ ...video, width: 720, height: 576, sample_aspect_ratio: '64:45' }],
        format: { format_name: 'mpeg', duration: '10' },
      },
      'a',
    )
    expect(anamorphic?.source).toMatchObject({ width: 1024, height: 576 })
  })

  it('UPL-12 a late start is no part of the length of a Matroska file', () => {
    const late = { duration: '12.5', start_time: '2.5' }
    expect(
      toFileProbe({ streams: [video], format: { format_name: 'matroska,webm', ...late } }, 'a')
        ?.source.durationMs,
    ).toBe(10_000)
    expect(
      toFileProbe({ streams: [video], format: { format_name: 'mpegts', ...late } }, 'a')?.source
        .durationMs,
    ).toBe(12_500)
  })

  it('UPL-12 cover art is no video, and HDR is seen', () => {
    const song = [
      { codec_type: 'audio', codec_name: 'mp3', channels: 2 },
      { ...video, codec_name: 'mjpeg', disposition: { attached_pic: 1 } },
    ]
    expect(
      toFileProbe({ streams: song, format: { format_name: 'mp3', duration: '3' } }, 'a'),
    ).toMatchObject({
      kind: 'audio',
      contentType: 'audio/mpeg',
      source: { width: 0, audioChannels: 2 },
    })
    expect(
      toFileProbe(
        {
          streams: [{ ...video, color_transfer: 'smpte2084' }],
          format: { format_name: 'mov,mp4', duration: '3' },
        },
        'a',
      )?.source.isHdr,
    ).toBe(true)
  })

  it('UPL-12 nonsense numbers become none', () => {
    const odd = toFileProbe(
      {
        streams: [{ ...video, avg_frame_rate: '0/0', sample_aspect_ratio: '0:1' }],
        format: { format_name: 'avi', duration: 'N/A' },
      },
      'a',
    )
    expect(odd?.source).toMatchObject({ durationMs: 0, frameRate: 0, width: 1920 })
    expect(toFileProbe({ streams: [{ codec_type: 'subtitle' }], format: {} }, 'a')).toBeNull()
  })
})
