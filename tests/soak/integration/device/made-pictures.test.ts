import { startFirefox } from '#tests/setup/firefox.ts'
import { describeMadePictures } from '#tests/suites/made-pictures.ts'

const ALL = [
  'still-pack',
  'social-media-gif-pack',
  'short-trailer-gif',
  'team-skeet-thumbnail-video',
] as const

describeMadePictures(ALL, 'full-hd.mp4')
describeMadePictures(ALL, 'tall.mp4')
describeMadePictures(['short-trailer-gif', 'team-skeet-thumbnail-video'], 'off-grid.mp4')
// It gives pixels, and planes are made of them again.
describeMadePictures(ALL, 'hd.mp4', { browser: 'Firefox', start: startFirefox })
