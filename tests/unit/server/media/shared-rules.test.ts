import { describe, expect, it } from 'vitest'
import { checkSource } from '#server/media/check-upload.ts'
import { findingCopy } from '#src/components/problem/probe-copy.ts'
import { toFileProbe } from '#server/media/file-probe.ts'

const video = {
  codec_type: 'video',
  codec_name: 'h264',
  width: 1920,
  height: 1080,
  avg_frame_rate: '30/1',
  sample_aspect_ratio: '1:1',
  field_order: 'progressive',
  start_time: '0',
  duration: '60',
}
const audio = {
  codec_type: 'audio',
  codec_name: 'aac',
  channels: 2,
  start_time: '0',
  duration: '60',
}
const format = { format_name: 'mov,mp4,m4a,3gp,3g2,mj2', duration: '60' }
const says = (
  streams: Parameters<typeof toFileProbe>[0]['streams'],
  different: Parameters<typeof toFileProbe>[0]['format'] = {},
): readonly string[] => {
  const probe = toFileProbe({ streams, format: { ...format, ...different } }, 'scene.mp4')
  return probe === null
    ? ['unreadable']
    : checkSource(probe, 'scene.mp4').map((finding) => `${finding.ruleId} ${finding.verdict}`)
}

describe('the pre-checks of the browser, on what the server measured', () => {
  it('UPL-12 say nothing of an ordinary video', () => expect(says([video, audio])).toEqual([]))

  it('SRC-01 name the track that is used, and a sound that no edit can use', () => {
    const spatial = { ...audio, codec_name: 'unknown', codec_tag_string: 'apac' }
    const words = (...streams: Parameters<typeof says>[0]): unknown => {
      const probe = toFileProbe({ streams, format }, 'scene.mp4')
      const [found] = probe === null ? [] : checkSource(probe, 'scene.mp4')
      return found === undefined ? null : [found.verdict, findingCopy(found)]
    }
    const marked = { ...audio, disposition: { default: 1 } }
    expect(words(video, audio, marked)).toMatchObject([
      'info',
      { title: '2 audio tracks found. We use the second one.', body: null },
    ])
    expect(words({ ...video, nb_frames: '1' }, video, audio)).toMatchObject([
      'info',
      { title: '2 video tracks found. We use the second one.', body: null },
    ])
    expect(words(video, spatial, audio)).toMatchObject([
      'info',
      {
        title: '2 audio tracks found. We use the second one.',
        body: 'Spatial sound (apac) cannot be edited.',
      },
    ])
    expect(words(video, spatial)).toMatchObject([
      'warn',
      {
        title: 'Spatial sound (apac) cannot be edited, so your edits will be without sound.',
        body: 'Export the video with stereo sound to keep it.',
      },
    ])
  })

  it.each([
    ['sound only', [audio], {}, ['A4 block']],
    ['a photo', [{ ...video, codec_name: 'mjpeg' }], { format_name: 'image2' }, ['A4 block']],
    ['a blink', [video, audio], { duration: '0.5' }, ['A10 warn']],
    ['a small picture', [{ ...video, width: 320, height: 180 }, audio], {}, ['A12 warn']],
    ['two sounds', [video, audio, audio], {}, ['A15 info']],
    ['HDR', [{ ...video, color_transfer: 'arib-std-b67' }, audio], {}, ['A17 info']],
    [
      'Dolby Vision that nothing else shows',
      [{ ...video, side_data_list: [{ dv_profile: 5, dv_bl_signal_compatibility_id: 0 }] }, audio],
      {},
      ['A18 block'],
    ],
    [
      'Dolby Vision on HLG',
      [
        {
          ...video,
          color_transfer: 'arib-std-b67',
          side_data_list: [{ dv_profile: 8, dv_bl_signal_compatibility_id: 4 }],
        },
        audio,
      ],
      {},
      ['A17 info'],
    ],
    ['no sound', [video], {}, ['B2 info']],
    ['sound that ends early', [video, { ...audio, duration: '20' }], {}, ['B2 warn']],
    ['half pictures', [{ ...video, field_order: 'tt' }, audio], {}, ['B7 info']],
  ] as const)('UPL-12 speak about %s', (_what, streams, different, findings) => {
    expect(says(streams, different)).toEqual(findings)
  })
})
