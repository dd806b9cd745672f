import { flushSync } from 'react-dom'
import { createRoot } from 'react-dom/client'
import { expect, onTestFinished, test } from 'vitest'
import '#src/styles/index.css'
import { OutputPreview } from '#src/components/OutputPreview.tsx'
import { fakeOutput } from './harness/things.ts'

test('EDT-01 without a network the source stands in for a video out of focus, as an edit may hide what it shows', async () => {
  const canvas = new OffscreenCanvas(16, 9)
  canvas.getContext('2d')?.fillRect(0, 0, 10, 5)
  const box = document.body.appendChild(document.createElement('div'))
  const root = createRoot(box)
  onTestFinished(() => {
    flushSync(() => root.unmount())
    box.remove()
  })
  const output = fakeOutput({ fileName: 'scene-blurred.mp4', contentType: 'video/mp4' })
  const picture = await canvas.convertToBlob()
  root.render(<OutputPreview output={output} isOnline={false} sourcePicture={picture} />)
  const shown = () => box.querySelector('img')
  await expect.poll(() => shown()?.complete).toBe(true)
  expect(getComputedStyle(shown() ?? box).filter).toMatch(/^blur/)
})
