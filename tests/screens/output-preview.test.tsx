import { createStore, Provider } from 'jotai'
import { flushSync } from 'react-dom'
import { createRoot } from 'react-dom/client'
import type { ReactNode } from 'react'
import { expect, onTestFinished, test } from 'vitest'
import { page } from 'vitest/browser'
import '#src/styles/index.css'
import { isPlainAtom } from '#src/hooks/device/plain-look-atoms.ts'
import { OutputPreview } from '#src/components/outputs/OutputPreview.tsx'
import { ShareFile } from '#src/components/outputs/ShareFile.tsx'
import { fakeOutput } from './harness/things.ts'

function draw(shown: ReactNode): HTMLElement {
  const box = document.body.appendChild(document.createElement('div'))
  const root = createRoot(box)
  onTestFinished(() => {
    flushSync(() => root.unmount())
    box.remove()
  })
  const store = createStore()
  store.set(isPlainAtom, false)
  flushSync(() => root.render(<Provider store={store}>{shown}</Provider>))
  return box
}

test('EDT-01 without a network the source stands in for a video out of focus, as an edit may hide what it shows', async () => {
  const canvas = new OffscreenCanvas(16, 9)
  canvas.getContext('2d')?.fillRect(0, 0, 10, 5)
  const output = fakeOutput({ fileName: 'scene-blurred.mp4', contentType: 'video/mp4' })
  const picture = await canvas.convertToBlob()
  const box = draw(<OutputPreview output={output} isOnline={false} sourcePicture={picture} />)
  const shown = () => box.querySelector('img')
  await expect.poll(() => shown()?.complete).toBe(true)
  expect(getComputedStyle(shown() ?? box).filter).toMatch(/^blur/)
})

test('EDT-01 an upright result has the width of its place, up to 70 % of the height of the window', async () => {
  await page.viewport(360, 780)
  onTestFinished(() => page.viewport(1280, 800))
  const sizes = [
    [1080, 1920],
    [1920, 1080],
    [600, 2400],
    [null, null],
  ] as const
  const boxes = sizes.map(([width, height]) => {
    const output = fakeOutput({ contentType: 'video/mp4', width, height })
    const drawn = <OutputPreview output={output} isOnline={false} sourcePicture={null} />
    const { clientWidth, clientHeight } = draw(drawn).firstElementChild ?? document.body
    return [clientWidth, clientHeight]
  })
  const [[wide = 0] = []] = boxes
  expect(boxes).toEqual([
    [wide, Math.min(Math.round((wide * 16) / 9), 546)],
    [wide, Math.round((wide * 9) / 16)],
    [wide, 546],
    [wide, Math.round((wide * 9) / 16)],
  ])
})

/** Until the test is over, the browser hands files to other apps in this way. */
function shareBy(share: (data: ShareData) => Promise<void>): void {
  Object.assign(navigator, { canShare: () => true, share })
  onTestFinished(() => {
    Reflect.deleteProperty(navigator, 'canShare')
    Reflect.deleteProperty(navigator, 'share')
  })
}

test('EDT-01 a result goes to another app, with a second press where the browser has forgotten the first', async () => {
  const shared: (readonly [string, number])[] = []
  const refusals = [new DOMException('', 'NotAllowedError'), new DOMException('', 'AbortError')]
  shareBy((data) => {
    const refusal = refusals.shift()
    if (refusal !== undefined) return Promise.reject(refusal)
    for (const { name, size } of data.files ?? []) shared.push([name, size])
    return Promise.resolve()
  })
  const address = URL.createObjectURL(new Blob(['twelve bytes']))
  const file = { ...fakeOutput({ fileName: 'teaser.mp4' }), downloadUrl: address }
  draw(<ShareFile file={file} from={file.downloadUrl} />)
  await page.getByRole('button', { name: 'Share: teaser.mp4' }).click()
  URL.revokeObjectURL(address) // What is here already is not loaded again.
  await page.getByRole('button', { name: 'Share now: teaser.mp4' }).click()
  // The person closed the list of apps.
  await page.getByRole('button', { name: 'Share: teaser.mp4' }).click()
  await expect.poll(() => shared).toEqual([['teaser.mp4', 12]])
})

test('EDT-01 what cannot be shared says so, and a file that is too large is not offered', async () => {
  shareBy(() => Promise.resolve())
  const file = { ...fakeOutput({ fileName: 'teaser.mp4' }), downloadUrl: 'nothing:here' }
  draw(<ShareFile file={file} from={file.downloadUrl} />)
  await page.getByRole('button', { name: 'Share: teaser.mp4' }).click()
  await expect.element(page.getByText(/You can download it instead\.$/)).toBeVisible()
  expect(
    draw(<ShareFile file={{ ...file, sizeBytes: 300 * 1024 ** 2 }} from="nothing:here" />)
      .innerHTML,
  ).toBe('')
})
