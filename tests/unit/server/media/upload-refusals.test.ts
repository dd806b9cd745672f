import { describe, expect, it } from 'vitest'
import { refuseStill, unreadable } from '#server/media/upload-refusals.ts'

describe('what is said of a file that cannot be opened', () => {
  it.each([
    [
      'failed: [apng @ 0x5623] Format not on whitelist',
      'This picture is an animated PNG. Please export it as one PNG without animation, or as a GIF or MP4.',
    ],
    [
      'failed: Invalid data found when processing input',
      'This is not a video, image, or audio file. Please choose another file.',
    ],
  ])('an asset of which ffprobe says %s', (detail, message) => {
    expect(unreadable(detail, 'media-asset', false)).toMatchObject({ message, detail })
  })
})

it('a GIF of a single picture is called one, and no short video', () => {
  expect(refuseStill('gif', 1)?.message).toContain('shows a single picture')
  expect([refuseStill('gif', 2), refuseStill('png_pipe', 1)]).toEqual([null, null])
})
