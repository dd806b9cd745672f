import { afterAll, beforeAll, expect, it } from 'vitest'
import {
  openBrowserPreviews,
  type BrowserPreviews,
  type PreviewedEdit,
} from '#tests/setup/browser-previews.ts'

let previews: BrowserPreviews
beforeAll(async () => {
  previews = await openBrowserPreviews()
})
afterAll(() => previews.close())

const WATERMARK = { slug: 'dynamic-watermark', payload: { text: '@someusername' } } as const
// Plans and files like others, of which `npm test` makes previews.
const EDITS: readonly PreviewedEdit[] = [
  { ...WATERMARK, video: 'small.mp4' },
  { ...WATERMARK, video: 'upright.mov' },
  { ...WATERMARK, video: 'hevc.mp4' },
  { slug: 'teaser-15s', video: 'small.mp4' },
  { slug: 'social-media-gif-pack', video: 'small.mp4' },
  { slug: 'tube-cut', payload: { targetDuration: 10_000 }, video: 'small.mp4' },
  { slug: 'example-low-resolution-video', video: 'small.mp4' },
]

it.each(EDITS)(
  '$slug of $video is what the server makes of the same plan, and small',
  async (edit) => {
    await expect(previews.expectAlike(edit)).resolves.toBeDefined()
  },
)
