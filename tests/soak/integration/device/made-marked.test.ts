import { startFirefox } from '#tests/setup/firefox.ts'
import { describeMadeMarked } from '#tests/suites/made-marked.ts'

describeMadeMarked({ video: 'hd.mp4', within: 0.02 })
describeMadeMarked({ video: 'tall.mp4' })
describeMadeMarked({ video: 'fast.mp4' })
describeMadeMarked({ video: 'full-hd.mp4' })
// It gives pixels, and planes are made of them again.
describeMadeMarked({ video: 'hd.mp4', browser: 'Firefox', start: startFirefox })
