import { flushSync } from 'react-dom'
import { createRoot } from 'react-dom/client'
import { expect, test } from 'vitest'
import { BlobImage } from '#src/ui/BlobImage.tsx'

async function picture(): Promise<Blob> {
  const canvas = new OffscreenCanvas(2000, 2000)
  canvas.getContext('2d')?.fillRect(0, 0, 10, 10)
  return await canvas.convertToBlob()
}

test('a picture that goes while it loads loses its address only afterwards', async () => {
  const blob = await picture()
  for (let round = 0; round < 20; round += 1) {
    const box = document.body.appendChild(document.createElement('div'))
    const root = createRoot(box)
    // The second one draws what the effect of the first one made.
    flushSync(() => root.render(<BlobImage blob={blob} alt="" />))
    flushSync(() => root.render(<BlobImage blob={blob} alt="" />))
    const image = box.querySelector('img')
    if (image === null) throw new Error('no picture')
    const ended = new Promise<string>((resolve) => {
      for (const type of ['load', 'error'])
        image.addEventListener(type, () => resolve(type), { once: true })
    })
    flushSync(() => root.unmount())
    expect(await ended).toBe('load')
    await expect
      .poll(
        async () =>
          await fetch(image.src)
            .then(() => 'kept')
            .catch(() => 'given up'),
      )
      .toBe('given up')
  }
})
