import { describeMadeMarked } from '#tests/suites/made-marked.ts'

// The soak marks larger ones, in another browser too.
describeMadeMarked({ video: 'short.mp4' })
