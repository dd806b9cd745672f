import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import type { components } from '#openapi/schema.gen.ts'
import { mediaJobToRow } from '#src/local/db/to-rows.ts'
import { fakeMediaJob, idOf } from '#tests/fakes/fake-rows.ts'
import { pending, refused } from './harness/fake-server.ts'
import { NOW, openScreen } from './harness/open-screen.tsx'
import { fakeOutput, fakeTask } from './harness/things.ts'

type MediaJob = components['schemas']['MediaJob']

const HOUR_MS = 3_600_000
const names = page.getByRole('heading', { level: 2 })
const job = (number: number, changes: Partial<MediaJob> = {}): MediaJob =>
  fakeMediaJob({
    _id: idOf(number),
    uploadRequestId: idOf(90_000 + number),
    name: `scene ${number}`,
    createdAt: new Date(NOW - number * HOUR_MS).toISOString(),
    tasks: [fakeTask()],
    progressRatio: 1,
    ...changes,
  })
const rowsOf = (jobs: readonly MediaJob[]) => ({
  mediaJobs: jobs.map((each) => mediaJobToRow(each, NOW)),
})
const many = (count: number) => Array.from({ length: count }, (_, at) => job(at + 1))

/** Counts the rows of whole jobs that this page reads from now on. */
function countJobsRead(): () => number {
  let count = 0
  const read = IDBObjectStore.prototype.getAll
  const get = IDBObjectStore.prototype.get
  IDBObjectStore.prototype.getAll = function (this: IDBObjectStore, ...given) {
    const request = read.apply(this, given)
    if (this.name === 'mediaJobs')
      request.addEventListener('success', () => (count += request.result.length))
    return request
  }
  IDBObjectStore.prototype.get = function (this: IDBObjectStore, key) {
    if (this.name === 'mediaJobs') count += 1
    return get.call(this, key)
  }
  return () => {
    IDBObjectStore.prototype.getAll = read
    IDBObjectStore.prototype.get = get
    return count
  }
}

test('LIF-03 of a long library only the cards near the view are in the page, and few jobs are read', async () => {
  const stopCounting = countJobsRead()
  const screen = await openScreen({
    path: '/edits',
    rows: rowsOf(many(10_000)),
    answers: { listMediaJobsPage: pending },
  })
  await expect.element(page.getByText('100% Processed').first()).toBeVisible()
  expect(names.elements().length).toBeLessThanOrEqual(60)
  window.scrollTo(0, document.body.scrollHeight)
  await expect.element(page.getByRole('heading', { name: 'scene 10000' })).toBeVisible()
  expect(names.elements().length).toBeLessThanOrEqual(60)
  const last = page.getByRole('heading', { name: 'scene 10000' }).element().closest('li')
  expect([last?.ariaSetSize, last?.ariaPosInSet]).toEqual(['10000', '10000'])
  expect(stopCounting()).toBeLessThanOrEqual(200)
  expect(screen.server.calls('getMediaJob')).toEqual([])
})

test('LIF-03 Tab comes from card to card, and the card that has the focus stays', async () => {
  await openScreen({
    path: '/edits',
    rows: rowsOf(many(200)),
    answers: { listMediaJobsPage: pending },
  })
  const button = (number: number) =>
    page.getByRole('button', { name: `Show Edits of scene ${number}`, exact: true })
  await expect.element(button(1)).toBeVisible()
  ;(button(1).element() as HTMLElement).focus()
  for (let number = 2; number <= 14; number += 1) {
    await expect.element(button(number)).toBeInTheDocument()
    while (!document.activeElement?.textContent?.endsWith(` of scene ${number}`))
      await userEvent.tab()
  }
  window.scrollTo(0, document.body.scrollHeight)
  await expect.element(page.getByRole('heading', { name: 'scene 200' })).toBeVisible()
  await expect.element(button(14)).toHaveFocus()
})

test('LIF-03 Back leads to the same place of the library, with the same edits open', async () => {
  const screen = await openScreen({
    path: '/edits',
    rows: rowsOf(many(200)),
    answers: {
      listMediaJobsPage: pending,
      getMediaJob: ({ params }) => ({
        mediaJob: job(Number.parseInt((params['id'] ?? '').slice(-12), 16)),
      }),
    },
  })
  await expect.element(names.first()).toBeVisible()
  window.scrollTo(0, 8000)
  const closed = () =>
    page
      .getByRole('button', { name: /^Show Edits of scene \d+$/ })
      .elements()
      .find((each) => each.getBoundingClientRect().top > 100)
  // Found and pressed at once: until the cards around are measured, they move.
  await expect.poll(closed).toBeDefined()
  const button = closed() as HTMLElement
  const name = button.textContent.replace('Show', 'Hide')
  button.click()
  const opened = page.getByRole('button', { name, exact: true })
  await expect.element(opened).toBeVisible()
  const topPx = () => Math.round(opened.element().getBoundingClientRect().top)
  const leftAtPx = await settled(topPx)
  await screen.goTo('/wallets')
  await expect.element(names).not.toHaveTextContent('scene')
  await screen.goBack()
  await expect.element(opened).toBeVisible()
  await expect.poll(topPx).toBeCloseTo(leftAtPx, -1)
})

/** A place in the page once two of its pictures show it there. */
async function settled(placePx: () => number): Promise<number> {
  let before = Number.NaN
  await expect
    .poll(async () => {
      await new Promise(requestAnimationFrame)
      const last = before
      before = placePx()
      return before - last
    })
    .toBe(0)
  return before
}

test('LIF-03 search and filters look through all that the device has, also without a connection', async () => {
  const jobs = [
    ...many(80),
    job(81, { progressRatio: 0, isMediaWorkflowFailed: true, name: 'broken one' }),
    job(1000, {
      name: 'pool at night',
      tasks: [fakeTask({ mediaJobTaskPresetSlug: 'still-pack' })],
    }),
  ]
  const screen = await openScreen({ path: '/edits', network: 'offline', rows: rowsOf(jobs) })
  const choose = (label: string, option: string) =>
    userEvent.selectOptions(page.getByLabelText(label), option)
  await page.getByLabelText('Search your edits').fill('NIGHT')
  await expect.element(names).toHaveTextContent('pool at night')
  await expect.element(page.getByText('1 of 82 videos on this device')).toBeVisible()
  await page.getByLabelText('Search your edits').fill('')
  await choose('State', 'Failed or cancelled')
  await expect.element(names).toHaveTextContent('broken one')
  await expect.poll(screen.path).toBe('/edits?state=failed')
  await choose('Date', 'Last 7 days')
  await choose('State', 'Finished')
  await expect.element(page.getByText('80 of 82 videos on this device')).toBeVisible()
  await choose('Format', 'still-pack')
  await expect.element(page.getByText('No such edits on this device')).toBeVisible()
  await page.getByRole('button', { name: 'Show all edits' }).click()
  await expect.poll(screen.path).toBe('/edits')
  await expect.element(names.first()).toHaveTextContent('scene 1')
})

const finished = (number: number, changes: Partial<MediaJob> = {}) =>
  job(number, {
    tasks: [
      fakeTask({
        status: 'succeeded',
        filesGoAt: '2026-12-03T12:00:00.000Z',
        outputs: [
          fakeOutput({ _id: idOf(700), sizeBytes: 7_000_000 }),
          fakeOutput({ _id: idOf(701), sizeBytes: 3_000_000, contentType: 'x/still' }),
          fakeOutput({ _id: idOf(702), sizeBytes: 4_000_000, contentType: 'x/still' }),
        ],
      }),
    ],
    ...changes,
  })
const ofFirst = { uploadRequestId: idOf(90_001), name: 'scene 1' }
const menuOf = (name: string) => page.getByRole('button', { name: `More actions for ${name}` })
const item = (name: string) => page.getByRole('menuitem', { name })

test('LIF-03 a video is renamed at once, also offline, and the server gets the name', async () => {
  const screen = await openScreen({
    path: '/edits',
    network: 'offline',
    rows: rowsOf([finished(1), finished(3, ofFirst)]),
  })
  await menuOf('scene 1').click()
  await item('Rename').click()
  const field = page.getByLabelText('Name')
  await field.fill(' ')
  await page.getByRole('button', { name: 'Rename', exact: true }).click()
  await expect.element(page.getByText('Type a name.')).toBeVisible()
  await field.fill('Pool at night')
  await userEvent.keyboard('{Enter}')
  // Both are orders of one video.
  await expect.element(page.getByText(/^The new name is on this device/)).toBeVisible()
  expect(names.elements().map((each) => each.textContent)).toEqual(['Pool at night'])
  screen.server.answer({
    listMediaJobsPage: pending,
    renameMediaJob: { mediaJob: finished(1, { name: 'Pool at night' }) },
  })
  screen.setNetwork('online')
  await expect
    .poll(async () => {
      await screen.clock.advance(5_000)
      return screen.server.calls('renameMediaJob').map(({ body }) => body)
    })
    .toContainEqual({ mediaJob: { name: 'Pool at night' } })
})

test('LIF-03 DEL-04 all results of a job can be downloaded at once, and an address shows one video', async () => {
  await openScreen({
    path: `/edits?video=${idOf(90_001)}`,
    rows: rowsOf([finished(1), finished(3, ofFirst), finished(5)]),
    answers: { listMediaJobsPage: pending },
  })
  await expect
    .element(page.getByRole('link', { name: /^Download all results of scene 1, .*7 MB/ }).first())
    .toHaveAttribute('href', `/editors/api/v1/media-jobs/${idOf(1)}/results`)
  await expect.poll(() => names.elements().length).toBe(1)
  await page.getByRole('button', { name: 'Show all videos' }).click()
  await expect.poll(() => names.elements().length).toBe(2)
})

test('TRU-08 beside each edit stands the day on which its files go', async () => {
  await openScreen({
    path: '/edits',
    rows: rowsOf([finished(1)]),
    answers: { listMediaJobsPage: pending },
  })
  await page.getByRole('button', { name: 'Show Edits of scene 1' }).click()
  await expect
    .element(page.getByText('The server deletes these files on Dec 3, 2026.'))
    .toBeVisible()
})

test('LIF-03 deleting says what goes first, and a refusal is told beside the video', async () => {
  const screen = await openScreen({
    path: '/edits',
    rows: rowsOf([finished(1)]),
    answers: {
      listMediaJobsPage: pending,
      deleteStoredVideo: refused(409, 'uploads/in-use', 'Edits of this video are being made.'),
      readStorage: refused(422, 'request/invalid', 'Not today.'),
      getMediaJob: { mediaJob: finished(1) },
    },
  })
  await menuOf('scene 1').click()
  await item('Delete video and edits').click()
  await expect
    .element(page.getByText(/^"scene 1" and all its edits are deleted from the server at once/))
    .toBeVisible()
  await page.getByRole('button', { name: 'Delete', exact: true }).click()
  await expect
    .poll(() => screen.server.calls('deleteStoredVideo').map(({ params }) => params))
    .toEqual([{ id: idOf(90_001) }])
  await expect.element(page.getByText('The files could not be deleted')).toBeVisible()
})

test.each([
  { why: 'When no edit of it is being made.', isOffline: false },
  { why: 'When you are online.', isOffline: true },
])('LIF-03 where a video cannot be deleted, its menu says when: $why', async (state) => {
  const working = job(1, { progressRatio: 0.5, isMediaWorkflowStarted: true })
  await openScreen({
    path: '/edits',
    rows: rowsOf([state.isOffline ? finished(1) : working]),
    answers: { listMediaJobsPage: pending },
    ...(state.isOffline ? { network: 'offline' } : {}),
  })
  await menuOf('scene 1').click()
  const deletion = page.getByRole('menuitem', { name: /^Delete video and edits/ })
  await expect.element(deletion.getByText(state.why)).toBeVisible()
  await expect.element(deletion).toHaveAttribute('aria-disabled', 'true')
})

test('a long file name is cut in the middle: its end tells one result from the others', async () => {
  const fileName = `${'a-long-evening-in-the-hills-'.repeat(6)}gif-upright.gif`
  const output = fakeOutput({ fileName })
  await page.viewport(360, 740)
  await openScreen({
    path: '/edits',
    rows: rowsOf([job(1, { tasks: [fakeTask({ status: 'succeeded', outputs: [output] })] })]),
    answers: { listMediaJobsPage: pending },
  })
  await page.getByRole('button', { name: 'Show Edits of scene 1' }).click()
  const line = page.getByTitle(fileName)
  await expect.element(line).toHaveTextContent(fileName)
  const [start, end] = [...line.element().children]
  expect(start?.scrollWidth).toBeGreaterThan(start?.clientWidth ?? 0)
  expect(end?.textContent).toMatch(/gif-upright\.gif$/)
  expect(end?.scrollWidth).toBe(end?.clientWidth)
})
