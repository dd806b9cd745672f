import { expect, onTestFinished, test } from 'vitest'
import { page } from 'vitest/browser'
import { render } from 'vitest-browser-react/pure'
import { Button } from '#src/ui/Button.tsx'
import { Dialog } from '#src/ui/Dialog.tsx'
import '#src/styles/index.css'

const FOOT = (
  <>
    <Button variant="secondary">Keep the edits as they are</Button>
    <Button>Apply to all</Button>
  </>
)

/** 1280 x 1024 at 400 %, and the window of a phone that lies on its side. */
const WINDOWS = [
  [320, 256],
  [740, 340],
] as const

test.each(WINDOWS)(
  'WAY-06 a dialog in a window of %i x %i pixels scrolls as a whole, and shows that more follows',
  async (width, height) => {
    await page.viewport(width, height)
    onTestFinished(() => page.viewport(1280, 800))
    const shown = await render(
      <Dialog title="Options of this edit" isOpen onClose={() => undefined} footer={FOOT}>
        <ul>
          {Array.from({ length: 30 }, (_, index) => (
            <li key={index}>Option {index + 1}</li>
          ))}
        </ul>
      </Dialog>,
    )
    onTestFinished(() => shown.unmount())
    const dialog = page.getByRole('dialog')
    await expect.element(dialog).toBeVisible()
    const apply = page.getByRole('button', { name: 'Apply to all' })
    const boxOf = (element: Element) => element.getBoundingClientRect()
    const item = (name: string) => page.getByText(name, { exact: true }).element()
    const seen = () =>
      Array.from({ length: 30 }, (_, index) => boxOf(item(`Option ${index + 1}`))).filter(
        (box) => box.top >= boxOf(dialog.element()).top && box.bottom <= height,
      ).length
    expect(boxOf(apply.element()).top, 'the buttons come after the content').toBeGreaterThan(height)
    item('Option 12').scrollIntoView({ block: 'center' })
    expect(seen() * boxOf(item('Option 1')).height).toBeGreaterThan(height * 0.6)
    apply.element().scrollIntoView()
    expect(boxOf(apply.element()).bottom).toBeLessThanOrEqual(height)
    expect(boxOf(item('Option 30')).bottom).toBeLessThanOrEqual(boxOf(apply.element()).top)
  },
)
