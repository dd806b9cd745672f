import { describe, expect, it } from 'vitest'
import { parseProbe, toFileProbe, withTurn } from '#server/media/file-probe.ts'

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

  it('UPL-12 a photograph is as large as it is shown, by what its picture says of its turn', () => {
    const photograph = { codec_type: 'video', codec_name: 'mjpeg', width: 400, height: 200 }
    const described = { streams: [photograph], format: { format_name: 'jpeg_pipe' } }
    const frames = parseProbe('{"frames":[{"side_data_list":[{"rotation":-90}]}]}')?.frames
    expect(toFileProbe(withTurn(described, frames), 'a')?.source).toMatchObject({
      width: 200,
      height: 400,
    })
    expect(toFileProbe(withTurn(described), 'a')?.source).toMatchObject({ width: 400 })
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

  it('REC-06 pictures that AVI stores out of order come late by as many as the decoder holds back', () => {
    const late = (formatName: string, held: number): number | undefined =>
      toFileProbe(
        {
          streams: [{ ...video, avg_frame_rate: '25/1', has_b_frames: held }],
          format: { format_name: formatName, duration: '10' },
        },
        'a',
      )?.source.pictureLateMs
    expect([late('avi', 2), late('avi', 0), late('mov,mp4', 2)]).toEqual([80, undefined, undefined])
  })

  it('TRU-01 sound that outlasts the picture is no part of the length', () => {
    const length = (format: object, streamFacts: object): number | undefined =>
      toFileProbe({ streams: [{ ...video, ...streamFacts }], format }, 'a')?.source.durationMs
    const mp4 = { format_name: 'mov,mp4', start_time: '0.000000', duration: '60.042667' }
    expect(length(mp4, { start_time: '0.000000', duration: '60.000000' })).toBe(60_000)
    // Edits begin with the first picture: what is before it does not count.
    expect(length(mp4, { start_time: '1.000000', duration: '59.000000' })).toBe(59_000)
    const mkv = { format_name: 'matroska,webm', start_time: '0.000000', duration: '60.041000' }
    const noted = { start_time: '0.021000', tags: { DURATION: '00:01:00.021000000' } }
    expect(length(mkv, noted)).toBe(60_000)
    expect(length(mkv, { start_time: '0.021000' })).toBe(60_041)
    expect(length(mp4, { duration: '99.0' })).toBe(60_043)
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

  it('REC-22 fields and the matrix are kept, and a matrix that is not said is the usual one', () => {
    const sourceOf = (facts: object) =>
      toFileProbe(
        {
          streams: [{ ...video, ...facts }],
          format: { format_name: 'mov,mp4', duration: '3' },
        },
        'a',
      )?.source
    expect(sourceOf({ field_order: 'tt', color_space: 'smpte170m' })).toMatchObject({
      isInterlaced: true,
      colorMatrix: 'bt601',
    })
    expect(sourceOf({ field_order: 'progressive' })).not.toHaveProperty('isInterlaced')
    expect(sourceOf({})?.colorMatrix).toBe('bt709')
    expect(sourceOf({ width: 640, height: 360, color_space: 'gbr' })?.colorMatrix).toBe('bt601')
    expect(sourceOf({ color_transfer: 'smpte2084' })?.colorMatrix).toBe('bt2020')
    expect(sourceOf({ color_space: 'ictcp' })).not.toHaveProperty('colorMatrix')
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
