import { Coins } from 'lucide-react'
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { page } from 'vitest/browser'
import { render } from 'vitest-browser-react/pure'
import { MinutesSecondsField } from '#src/components/options/MinutesSecondsField.tsx'
import { Dialog } from '#src/ui/Dialog.tsx'
import '#src/styles/index.css'
import { mediaJobToRow } from '#src/local/db/to-rows.ts'
import { fakeMediaJob } from '#tests/fakes/fake-rows.ts'
import { CREATOR } from './harness/creator.ts'
import { NOW, openScreen } from './harness/open-screen.tsx'
import { PHONE_WIDTH, showOnPhone } from './harness/show-on-phone.ts'
import { fakeTask } from './harness/things.ts'

test('WAY-06 with letters of twice the size, minutes and seconds can be read in a dialog', async () => {
  await showOnPhone('200%')
  const shown = await render(
    <Dialog title="Uniform Sampling" isOpen onClose={() => undefined}>
      <MinutesSecondsField
        label="Final length"
        value={{ minutes: 25, seconds: 40 }}
        error={null}
        onChange={() => undefined}
      />
    </Dialog>,
  )
  onTestFinished(() => shown.unmount())
  for (const name of ['Minutes', 'Seconds']) {
    const field = page.getByRole('textbox', { name })
    await expect.element(field).toBeVisible()
    const { clientWidth, scrollWidth } = field.element()
    expect(clientWidth).toBeGreaterThanOrEqual(scrollWidth)
    expect(clientWidth).toBeGreaterThan(64)
  }
})

describe('a phone whose letters are twice as large', () => {
  beforeEach(() => showOnPhone('200%'))

  test.each([
    ['/signup', null, 'Create your account'],
    ['/create-profile', { ...CREATOR, profession: null }, 'I am a'],
    ['/uploads/new', CREATOR, 'Upload your video'],
  ])('%s needs no scrolling sideways', async (path, person, heading) => {
    await openScreen({ path, person })
    await expect.element(page.getByRole('heading', { level: 1, name: heading })).toBeVisible()
    if (person === CREATOR)
      await expect.element(page.getByRole('tab', { name: 'Full Scene Edits' })).toBeVisible()
    expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(PHONE_WIDTH)
  })
})

test('WAY-06 a picture beside large letters keeps its size', async () => {
  await showOnPhone('200%')
  const shown = await render(
    <p className="flex items-center gap-3">
      <Coins aria-label="Tokens" className="size-5" />
      4,800 tokens to spend on edits of this video
    </p>,
  )
  onTestFinished(() => shown.unmount())
  const { width, height } = page.getByLabelText('Tokens').element().getBoundingClientRect()
  expect(width).toBe(height)
})

test.each(['/signup', '/uploads/new', '/help'])(
  'WAY-06 %s fits a phone whose letters are four times as large, and its paddings leave room',
  async (path) => {
    await showOnPhone('400%')
    await openScreen({ path, person: path === '/signup' ? null : CREATOR })
    const heading = page.getByRole('heading', { level: 1 })
    await expect.element(heading).toBeVisible()
    expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(PHONE_WIDTH)
    const { left, width } = heading.element().getBoundingClientRect()
    expect(left).toBeLessThan(PHONE_WIDTH / 6)
    expect(width).toBeGreaterThan(PHONE_WIDTH / 2)
    // At least twice as large as at 100 %.
    expect(Number.parseFloat(getComputedStyle(heading.element()).fontSize)).toBeGreaterThan(59)
  },
)

describe('letters that the browser itself makes four times as large', () => {
  // Media queries see a person's own size of letters, but none that a page sets: so the screen is
  // four times as small.
  beforeEach(async () => {
    await showOnPhone('100%')
    await page.viewport(PHONE_WIDTH / 4, 740 / 4)
  })

  test.each(['/subscriptions', '/payments'])('WAY-06 push no words of %s out', async (path) => {
    await openScreen({
      path,
      answers: {
        listWalletSubscriptions: { walletSubscriptions: [] },
        listPayments: { payments: [] },
      },
    })
    await expect.element(page.getByRole('heading', { level: 2 }).first()).toBeVisible()
    const outside = [...document.querySelectorAll('h1, h2, p, li, a, button')].filter((element) => {
      const { left, right } = element.getBoundingClientRect()
      return right - left > 2 && (left < -1 || right > PHONE_WIDTH / 4 + 1)
    })
    expect(outside.map(({ textContent }) => textContent)).toEqual([])
  })

  test('WAY-06 cut nothing to four letters of one line', async () => {
    const names = ['Dynamic Watermark', 'Enhanced Audio', 'Upright Teaser']
    const tasks = names.map((name) => fakeTask({ name, status: 'succeeded' }))
    const job = fakeMediaJob({ progressRatio: 1, tasks })
    await openScreen({
      path: '/edits',
      rows: { mediaJobs: [mediaJobToRow(job, NOW)] },
      answers: { listMediaJobsPage: { mediaJobs: [job], pagination: { nextCursor: null } } },
    })
    const words = page.getByText(names.join(', '))
    await expect.element(words).toBeVisible()
    const { clientHeight, scrollHeight } = words.element()
    expect(scrollHeight).toBeLessThanOrEqual(clientHeight + 1)
  })
})

test.each(['100%', '200%'] as const)(
  'a menu stays on the screen of a phone with letters of %s',
  async (size) => {
    await showOnPhone(size)
    // Lower than the menu is high.
    await page.viewport(PHONE_WIDTH, 320)
    const job = fakeMediaJob({ progressRatio: 1, tasks: [fakeTask({ status: 'succeeded' })] })
    await openScreen({
      path: '/edits',
      rows: { mediaJobs: [mediaJobToRow(job, NOW)] },
      answers: { listMediaJobsPage: { mediaJobs: [job], pagination: { nextCursor: null } } },
    })
    await page.getByRole('button', { name: /^More actions/ }).click()
    const menu = page.getByRole('menu')
    await expect.element(menu).toBeVisible()
    const { left, right } = menu.element().getBoundingClientRect()
    expect(left).toBeGreaterThan(0)
    // The edge of the surface around it is 7 px further out.
    expect(right + 7).toBeLessThan(PHONE_WIDTH)
    const last = page.getByRole('menuitem').last().element()
    // An item of two lines may be higher than what is seen of the menu: its end has to be reached.
    last.scrollIntoView({ block: 'end' })
    const surface = menu.element().parentElement
    // A scroll ends at whole pixels.
    expect(last.getBoundingClientRect().bottom - 1).toBeLessThanOrEqual(
      surface?.getBoundingClientRect().bottom ?? 0,
    )
  },
)
