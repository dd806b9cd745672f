import { describeMadeTeaser } from '#tests/suites/made-teaser.ts'

// The soak compares larger ones and all other edits.
describeMadeTeaser({
  video: 'small.mp4',
  width: 320,
  height: 180,
  rate: '30000/1001',
  pictures: 450,
  colours: 'smpte170m',
  likeness: { video: 'slow.mp4', within: 0.04 },
})
