import { describeLikeness, describeMadeTeaser } from '#tests/suites/made-teaser.ts'

describeMadeTeaser({ video: 'hd.mp4', width: 1280, height: 720, rate: '25/1', pictures: 375 })
describeMadeTeaser({
  video: 'off-grid.mp4',
  width: 640,
  height: 360,
  rate: '30000/1001',
  pictures: 450,
})
describeLikeness('hd.mp4', 0.02)
