import { describeMadeTeaser } from '#tests/suites/made-teaser.ts'

const likeness = { video: 'hd.mp4', within: 0.02 } as const

describeMadeTeaser({
  video: 'hd.mp4',
  width: 1280,
  height: 720,
  rate: '25/1',
  pictures: 375,
  likeness,
})
describeMadeTeaser({
  video: 'off-grid.mp4',
  width: 640,
  height: 360,
  rate: '30000/1001',
  pictures: 450,
  likeness: { video: 'slow.mp4', within: 0.04 },
})
