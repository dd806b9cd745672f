import { describe, expect, it } from 'vitest'
import { unreadable } from '#server/media/upload-refusals.ts'

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
