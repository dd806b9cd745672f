import { describe, expect, onTestFinished, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import type { components } from '#openapi/schema.gen.ts'
import { mediaJobToRow, orderToRow } from '#src/local/db/to-rows.ts'
import { fakeMediaJob, fakeOrder, idOf } from '#tests/fakes/fake-rows.ts'
import { pending, refused, type Call } from './harness/fake-server.ts'
import { NOW, openScreen } from './harness/open-screen.tsx'
import { fakeOutput, fakeTask } from './harness/things.ts'

type MediaJob = components['schemas']['MediaJob']

const MINUTE_MS = 60_000
const names = page.getByRole('heading', { level: 2 })
const job = (number: number, changes: Partial<MediaJob> = {}): MediaJob =>
  fakeMediaJob({
    _id: idOf(number),
    uploadRequestId: idOf(9_000 + number),
    name: `scene ${number}`,
    createdAt: new Date(NOW - number * MINUTE_MS).toISOString(),
    tasks: [fakeTask()],
    ...changes,
  })
const jobs = (count: number): MediaJob[] => Array.from({ length: count }, (_, at) => job(at + 1))
const listed = (mediaJobs: MediaJob[], nextCursor: string | null = null) => ({
  mediaJobs,
  pagination: { nextCursor },
})
const rowsOf = (mediaJobs: readonly MediaJob[], ageMs = 0) => ({
  mediaJobs: mediaJobs.map((each) => mediaJobToRow(each, NOW - ageMs)),
})
/** Red, green and blue of a color as it is painted, 0 to 255. */
function channels(color: string): number[] {
  const paint = new OffscreenCanvas(1, 1).getContext('2d')
  if (paint === null) throw new Error('This browser paints nothing')
  paint.fillStyle = color
  paint.fillRect(0, 0, 1, 1)
  return Array.from(paint.getImageData(0, 0, 1, 1).data.slice(0, 3))
}
/** A server that sorts, searches and pages as the contract says, ten at a time. */
const library = (all: readonly MediaJob[]) => ({
  listMediaJobsPage: ({ query }: Call) => {
    const sign = query.get('sortDirection') === 'asc' ? 1 : -1
    const key = (each: MediaJob) => (query.get('sortBy') === 'name' ? each.name : each.createdAt)
    const found = all
      .filter(({ name }) => name.includes(query.get('name') ?? ''))
      .toSorted((one, other) => sign * (key(one) < key(other) ? -1 : 1))
    const from = Number(query.get('cursor') ?? 0)
    return listed(found.slice(from, from + 10), found.length > from + 10 ? `${from + 10}` : null)
  },
})

describe('the states of /edits', () => {
  test('EDT-01 shows that it loads while neither the device nor the server has answered', async () => {
    await openScreen({ path: '/edits', answers: { listMediaJobsPage: pending } })
    await expect.element(page.getByRole('status', { name: 'Loading your edits' })).toBeVisible()
    await expect.element(names).not.toBeInTheDocument()
  })

  test('EDT-01 says what will be here, and leads to the upload, while there is nothing', async () => {
    const screen = await openScreen({ path: '/edits' })
    await expect.element(page.getByText('Your edits will be here')).toBeVisible()
    await page.getByRole('link', { name: 'Upload a Video' }).click()
    await expect.poll(screen.path).toBe('/uploads/new')
  })

  test('EDT-01 shows what this device has before the server answers', async () => {
    await openScreen({
      path: '/edits',
      rows: rowsOf([job(1)]),
      answers: { listMediaJobsPage: pending },
    })
    await expect.element(names).toHaveTextContent('scene 1')
    await expect.element(page.getByRole('status', { name: 'Loading' })).not.toBeInTheDocument()
  })

  test('JOB-09 an order that was cancelled is no failure', async () => {
    const cancelled = job(1, {
      isMediaWorkflowFailed: true,
      tasks: [fakeTask({ status: 'canceled' })],
    })
    await openScreen({
      path: '/edits',
      answers: { listMediaJobsPage: listed([cancelled]) },
    })
    await expect.element(page.getByText('Cancelled', { exact: true })).toBeVisible()
    await expect
      .element(page.getByText('Anything you paid was returned to your wallet.'))
      .toBeVisible()
    await expect.element(page.getByText('Processing Failed')).not.toBeInTheDocument()
    expect(page.getByRole('progressbar').elements()).toEqual([])
  })

  test('EDT-01 agrees with the server once it has answered', async () => {
    await openScreen({
      path: '/edits',
      rows: rowsOf([job(1), job(2)], MINUTE_MS),
      answers: { listMediaJobsPage: listed([job(2, { progressRatio: 1 })]) },
    })
    await expect.element(page.getByText('100% Processed')).toBeVisible()
    await expect.element(names).toHaveTextContent('scene 2')
  })

  test('EDT-04 says why nothing could be loaded, and loads it at the next try', async () => {
    const screen = await openScreen({
      path: '/edits',
      answers: { listMediaJobsPage: refused(422, 'request/invalid', 'The list is broken today.') },
    })
    await expect.element(page.getByText('Error loading edits')).toBeVisible()
    await expect.element(page.getByText('The list is broken today.')).toBeVisible()
    screen.server.answer({ listMediaJobsPage: listed([job(1)]) })
    await page.getByRole('button', { name: 'Try Again' }).click()
    await expect.element(names).toHaveTextContent('scene 1')
    await expect.element(page.getByText('Error loading edits')).not.toBeInTheDocument()
  })

  test('EDT-04 keeps what this device has when loading fails, and says how old it is', async () => {
    await openScreen({
      path: '/edits',
      rows: rowsOf([job(1)], 20 * MINUTE_MS),
      answers: { listMediaJobsPage: refused(422, 'request/invalid', 'The list is broken today.') },
    })
    await expect.element(page.getByText('Error loading edits')).toBeVisible()
    await expect
      .element(page.getByText(/The list is broken today\. .* as of 9:40 AM\./))
      .toBeVisible()
    await expect.element(names).toHaveTextContent('scene 1')
  })

  test('EDT-01 MIS-03 shows what this device has without a connection, and says since when', async () => {
    const done = job(1, {
      progressRatio: 1,
      tasks: [600, 601].map((id) =>
        fakeTask({ _id: idOf(id), status: 'succeeded', outputs: [fakeOutput()] }),
      ),
    })
    await openScreen({ path: '/edits', network: 'offline', rows: rowsOf([done]) })
    await expect.element(page.getByText(/^Offline\. .* as of 10:00 AM$/)).toBeVisible()
    await expect.element(page.getByText('100% Processed')).toBeVisible()
    // Nothing went wrong, and trying again cannot help.
    await expect.element(page.getByRole('button', { name: 'Try Again' })).not.toBeInTheDocument()
    await page.getByRole('button', { name: 'Show Edits of scene 1' }).click()
    const why = page.getByText(/^Downloads need a connection, but for/)
    await expect.element(why).toBeVisible()
    // Once, and not under each edit.
    expect(why.elements()).toHaveLength(1)
    await expect.element(page.getByRole('link', { name: /Download/ })).not.toBeInTheDocument()
  })
})

describe('searching, sorting and paging', () => {
  test('EDT-04 loads ten more at a time until there are no more', async () => {
    await openScreen({ path: '/edits', answers: library(jobs(12)) })
    await expect.element(names.nth(9)).toBeVisible()
    expect(names.elements()).toHaveLength(10)
    await page.getByRole('button', { name: 'Load More' }).click()
    await expect.element(names.nth(11)).toBeVisible()
    await expect.element(page.getByRole('button', { name: 'Load More' })).not.toBeInTheDocument()
  })

  test("EDT-04 'Failed to load more results' keeps what is shown and loads the rest on another try", async () => {
    const all = library(jobs(12))
    const screen = await openScreen({ path: '/edits', answers: all })
    await expect.element(names.nth(9)).toBeVisible()
    screen.server.answer({
      listMediaJobsPage: refused(422, 'request/invalid', 'No more today.'),
    })
    await page.getByRole('button', { name: 'Load More' }).click()
    await expect.element(page.getByText('Failed to load more results')).toBeVisible()
    expect(names.elements()).toHaveLength(10)
    screen.server.answer(all)
    await page.getByRole('button', { name: 'Load More' }).click()
    await expect.element(names.nth(11)).toBeVisible()
    await expect.element(page.getByText('Failed to load more results')).not.toBeInTheDocument()
  })

  test('EDT-02 while an edit is worked on, only the first page and its own are asked for again', async () => {
    const all = jobs(25).map((each) => ({ ...each, progressRatio: 1 }))
    all[11] = job(12, { isMediaWorkflowStarted: true, progressRatio: 0.4 })
    const screen = await openScreen({ path: '/edits', answers: library(all) })
    await expect.element(names.nth(9)).toBeVisible()
    await page.getByRole('button', { name: 'Load More' }).click()
    await expect.element(names.nth(19)).toBeVisible()
    await page.getByRole('button', { name: 'Load More' }).click()
    await expect.element(names.nth(24)).toBeVisible()
    const cursors = () =>
      screen.server.calls('listMediaJobsPage').map(({ query }) => query.get('cursor'))
    const before = cursors().length
    const progress = page.getByText('40% Processed')
    await expect.element(progress.first()).toBeInTheDocument()
    all[11] = job(12, { isMediaWorkflowStarted: true, progressRatio: 1 })
    // At the latest after 5 s, by the library's own timer.
    await expect.element(progress).not.toBeInTheDocument()
    // On a busy machine that timer may have come twice.
    expect(new Set(cursors().slice(before))).toEqual(new Set([null, '10']))
  })

  test('EDT-03 sorts by the chosen order, which stands in the address', async () => {
    const screen = await openScreen({ path: '/edits', answers: library(jobs(6)) })
    await expect.element(names.first()).toHaveTextContent('scene 1')
    await userEvent.selectOptions(page.getByLabelText('Sort by'), 'Name Z-A')
    await expect.element(names.first()).toHaveTextContent('scene 6')
    await expect.poll(screen.path).toBe('/edits?sort=name-z-a')
  })

  test('EDT-03 searches by name, says when nothing was found, and when searching failed', async () => {
    const screen = await openScreen({ path: '/edits', answers: library(jobs(6)) })
    const search = page.getByLabelText('Search your edits')
    await search.fill('scene 3')
    await expect.poll(screen.path).toBe('/edits?q=scene+3')
    await expect.poll(() => names.elements()).toHaveLength(1)
    await search.fill('nothing like it')
    await expect.element(page.getByText('Nothing found for “nothing like it”')).toBeVisible()
    screen.server.answer({ listMediaJobsPage: refused(422, 'request/invalid', 'Not today.') })
    await search.fill('something else')
    await expect.element(page.getByText('Failed to search uploads')).toBeVisible()
  })

  test('EDT-03 a reload keeps search and order, which stand in the address', async () => {
    await openScreen({ path: '/edits?q=scene&sort=name-a-z', answers: library(jobs(6)) })
    await expect.element(page.getByLabelText('Search your edits')).toHaveValue('scene')
    await expect.element(page.getByLabelText('Sort by')).toHaveValue('name-a-z')
    await expect.element(names.first()).toHaveTextContent('scene 1')
  })
})

describe('one edit', () => {
  test('APP-22 JOB-09 the bar is red when failed, green at 100 percent, else a gradient, beside how far the work is and how long it takes', async () => {
    await openScreen({
      path: '/edits',
      answers: library([
        job(1, { isMediaWorkflowFailed: true, progressRatio: 0.4 }),
        job(2, {
          isMediaWorkflowStarted: true,
          progressRatio: 1,
          tasks: [fakeTask({ status: 'succeeded' })],
        }),
        job(3, {
          isMediaWorkflowStarted: true,
          progressRatio: 0.42,
          estimatedCompletedAt: new Date(NOW + 3 * MINUTE_MS).toISOString(),
        }),
      ]),
    })
    await expect.element(page.getByText('42% Processed').first()).toBeVisible()
    await expect.element(page.getByText('about 3 minutes remaining')).toBeVisible()
    const fillOf = async (number: number): Promise<CSSStyleDeclaration> => {
      const bar = page.getByRole('progressbar', { name: `Edits of scene ${number}` })
      await expect.element(bar).toBeInTheDocument()
      const fill = bar.element().querySelector('[data-tone]')
      if (fill === null) throw new Error('The bar has no fill')
      return getComputedStyle(fill)
    }
    const [red = 0, ...notRed] = channels((await fillOf(1)).backgroundColor)
    expect(red).toBeGreaterThan(2 * Math.max(...notRed))
    const [rest = 0, green = 0, blue = 0] = channels((await fillOf(2)).backgroundColor)
    expect(green).toBeGreaterThan(1.2 * Math.max(rest, blue))
    const running = await fillOf(3)
    expect(running.backgroundImage).toMatch(/^linear-gradient\(/)
    expect(running.width).not.toBe((await fillOf(2)).width)
  })

  const again = (number: number, changes: Partial<MediaJob> = {}) =>
    job(number, { name: 'scene', uploadRequestId: idOf(7), ...changes })

  test('WAY-05 EDT-01 one video is one card, whose orders are told apart by their time', async () => {
    await page.viewport(360, 780)
    onTestFinished(() => page.viewport(1280, 800))
    const done = (number: number, name: string) =>
      again(number, {
        progressRatio: 1,
        videoDuration: 62_000,
        tasks: [fakeTask({ name, status: 'succeeded', outputs: [fakeOutput()] })],
      })
    const orders = [done(1, 'Still Pack'), done(3, '15s Teaser')]
    await openScreen({ path: '/edits', answers: library([...orders, job(2)]) })
    await expect
      .poll(() => names.elements().map((each) => each.textContent))
      .toEqual(['scene', 'scene 2'])
    await expect.element(page.getByText('1:02 · 2 orders')).toBeVisible()
    const list = page.getByRole('list', { name: 'Orders of scene' })
    await expect.poll(() => list.getByRole('listitem').elements()).toHaveLength(2)
    expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(360)
    for (const time of ['9:59:00 AM', '9:57:00 AM'])
      await page.getByRole('button', { name: `Show Edits of scene, Nov 21, 2026, ${time}` }).click()
    // Both are open at once, each below its order.
    await expect
      .poll(() =>
        page
          .getByRole('heading', { level: 3 })
          .elements()
          .map((each) => each.textContent),
      )
      .toEqual(['Still Pack', '15s Teaser'])
  })

  test('WAY-05 of many orders the newest three stand there, also where a filter leaves some out', async () => {
    const failed = { isMediaWorkflowFailed: true }
    const orders = [again(1), again(2), again(3), again(4), again(5, failed)]
    const screen = await openScreen({ path: '/edits', rows: rowsOf(orders), network: 'offline' })
    const shows = page.getByRole('button', { name: /^Show Edits of scene/ })
    await expect.poll(() => shows.elements()).toHaveLength(3)
    await page.getByRole('button', { name: 'Show 2 older orders' }).click()
    await expect.poll(() => shows.elements()).toHaveLength(5)
    await page.getByRole('button', { name: 'Hide older orders' }).click()
    await expect.poll(() => shows.elements()).toHaveLength(3)
    await userEvent.selectOptions(page.getByLabelText('State'), 'Failed or cancelled')
    await expect.poll(() => shows.elements()).toHaveLength(1)
    await expect.element(page.getByText('1 of 1 videos on this device')).toBeVisible()
    await page.getByRole('link', { name: 'Show all 5 orders of this video' }).click()
    await expect.poll(screen.path).toBe(`/edits?video=${idOf(7)}`)
    await expect.poll(() => shows.elements()).toHaveLength(3)
  })

  test('EDT-01 two videos of one name can be told apart by their time', async () => {
    const twice = [job(1, { name: 'scene' }), job(2, { name: 'scene' })]
    await openScreen({ path: '/edits', answers: library(twice) })
    for (const time of ['9:59:00 AM', '9:58:00 AM'])
      await expect
        .element(page.getByRole('button', { name: `Show Edits of scene, Nov 21, 2026, ${time}` }))
        .toBeVisible()
  })

  test('EDT-01 APP-22 JOB-10 opens each edit with its results and closes them again, cuts long names and texts of buttons, and shows a text with its lines', async () => {
    const text = 'Title: A scene\nTags: beach, sun'
    const buttonText = 'Download the teaser of fifteen seconds in full size and with sound'
    const made = job(1, {
      name: 'A very long name of a scene that one would not want to read to its very end',
      progressRatio: 1,
      tasks: [
        fakeTask({
          name: '15s Teaser',
          status: 'succeeded',
          outputs: [fakeOutput({ buttonText }), { _id: idOf(701), kind: 'text', text }],
        }),
      ],
    })
    await openScreen({ path: '/edits', answers: library([made]) })
    const name = () => names.element().textContent ?? ''
    await expect.poll(name).toMatch(/^A very long name of a scene .*…$/)
    expect([...name()].length).toBeLessThanOrEqual(60)

    const link = page.getByRole('link', { name: /^Download the teaser/ })
    await expect.element(link).not.toBeInTheDocument()
    await page.getByRole('button', { name: /^Show Edits of A very long name/ }).click()
    await expect.element(link).toHaveAttribute('href', fakeOutput().downloadUrl)
    const shown = link.element().textContent.trim()
    expect(shown).toMatch(/^Download the teaser of fifteen.*…$/)
    expect([...shown].length).toBeLessThanOrEqual(40)
    expect((page.getByText(/^Title: A scene/).element() as HTMLElement).innerText).toBe(text)
    await page.getByRole('button', { name: /^Hide Edits of A very long name/ }).click()
    await expect.element(link).not.toBeInTheDocument()
  })

  test('EDT-01 folds the results of many edits on phones, and opens them one by one', async () => {
    await page.viewport(360, 780)
    onTestFinished(() => page.viewport(1280, 800))
    const output = (number: number) =>
      fakeOutput({ _id: idOf(700 + number), buttonText: `Download ${number}` })
    const many = job(1, {
      progressRatio: 1,
      tasks: Array.from({ length: 6 }, (_, at) =>
        fakeTask({
          _id: idOf(600 + at),
          name: `Edit ${at + 1}`,
          status: 'succeeded',
          outputs: [1, 2, 3, 4].map((file) => output(at * 10 + file)),
        }),
      ),
    })
    await openScreen({ path: '/edits', answers: library([many]) })
    await page.getByRole('button', { name: 'Show Edits of scene 1' }).click()
    const links = page.getByRole('link', { name: /^Download \d/ })
    await expect.element(links).toHaveTextContent('Download 1')
    expect(document.documentElement.scrollHeight).toBeLessThan(2.5 * 780)
    expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(360)
    await page.getByRole('button', { name: '4 files, 4 MB of Edit 3' }).click()
    await expect.element(page.getByRole('link', { name: 'Download 21' })).toBeVisible()
    await page.getByRole('button', { name: '3 more files' }).nth(1).click()
    await expect.element(page.getByRole('link', { name: 'Download 24' })).toBeVisible()
    await page.viewport(1280, 800)
    await expect.element(page.getByRole('link', { name: 'Download 53' })).toBeVisible()
  })

  test('EDT-01 on a laptop two edits stand beside each other and take all of the width', async () => {
    await page.viewport(1440, 900)
    onTestFinished(() => page.viewport(1280, 800))
    const tasks = [1, 4, 1].map((count, at) =>
      fakeTask({
        _id: idOf(600 + at),
        name: `Edit ${at + 1}`,
        status: 'succeeded',
        outputs: Array.from({ length: count }, (_, file) =>
          fakeOutput({ _id: idOf(700 + 10 * at + file), fileName: `${at}-${file}.zip` }),
        ),
      }),
    )
    await openScreen({ path: '/edits', answers: library([job(1, { progressRatio: 1, tasks })]) })
    await page.getByRole('button', { name: 'Show Edits of scene 1' }).click()
    const place = (name: string) => page.getByText(name).element().getBoundingClientRect()
    await expect.element(page.getByText('0-0.zip')).toBeVisible()
    expect(place('Edit 2').top).toBe(place('Edit 1').top)
    expect(place('Edit 2').left).toBeGreaterThan(window.innerWidth / 2)
    expect(place('Edit 3').left).toBe(place('Edit 1').left)
    // One file has all the room of its edit, four share it two by two.
    expect(place('0-0.zip').width).toBeGreaterThan(500)
    expect(place('1-1.zip').top).toBe(place('1-0.zip').top)
    expect(place('1-2.zip').left).toBe(place('1-0.zip').left)
  })

  test('EDT-01 a result that is open on a phone stays open when the next edits are ready', async () => {
    await page.viewport(360, 780)
    onTestFinished(() => page.viewport(1280, 800))
    const edits = (finished: number) =>
      Array.from({ length: 4 }, (_, at) =>
        at < 4 - finished
          ? fakeTask({ _id: idOf(600 + at), name: `Edit ${at}` })
          : fakeTask({
              _id: idOf(600 + at),
              name: `Edit ${at}`,
              status: 'succeeded',
              outputs: [fakeOutput({ _id: idOf(700 + at), buttonText: `Download ${at}` })],
            }),
      )
    const screen = await openScreen({
      path: '/edits',
      answers: library([job(1, { tasks: edits(1), progressRatio: 0.2 })]),
    })
    await page.getByRole('button', { name: 'Show Edits of scene 1' }).click()
    const link = page.getByRole('link', { name: 'Download 3' })
    await expect.element(link).toBeVisible()
    const shown = link.element()
    screen.server.answer(library([job(1, { tasks: edits(3), progressRatio: 0.8 })]))
    await screen.letTimePassUntil(page.getByRole('link', { name: 'Download 1' }))
    expect(shown.isConnected).toBe(true)
  })

  test('JOB-10 a failed edit says so, that its tokens were given back, and can be tried again for free', async () => {
    const failed = fakeTask({
      name: '15s Teaser',
      status: 'failed',
      errorMessage: 'This edit could not be made.',
      refundedCoinAmount: 300,
    })
    const broken = job(1, { isMediaWorkflowFailed: true, progressRatio: 1, tasks: [failed] })
    const again = job(1, { isMediaWorkflowStarted: true, progressRatio: 0.1 })
    const screen = await openScreen({
      path: '/edits',
      answers: {
        ...library([broken]),
        retryMediaJobTask: { mediaJobTask: fakeTask({ status: 'created' }) },
        getMediaJob: { mediaJob: again },
      },
    })
    await expect.element(page.getByText('Processing Failed').first()).toBeVisible()
    await page.getByRole('button', { name: 'Show Edits of scene 1' }).click()
    await expect.element(page.getByText('This edit could not be made.')).toBeVisible()
    await expect.element(page.getByText('300 tokens returned to your wallet.')).toBeVisible()
    await expect.element(page.getByText('Free of charge.')).toBeVisible()
    await page.getByRole('button', { name: 'Try again: 15s Teaser' }).click()
    await expect.element(page.getByText('10% Processed').first()).toBeVisible()
    expect(screen.server.calls('retryMediaJobTask').map(({ params }) => params)).toEqual([
      { id: failed._id },
    ])
  })

  test('JOB-10 an edit that may not be tried again says why', async () => {
    const failed = fakeTask({ name: '15s Teaser', status: 'failed' })
    await openScreen({
      path: '/edits',
      answers: {
        ...library([job(1, { isMediaWorkflowFailed: true, tasks: [failed] })]),
        retryMediaJobTask: refused(409, 'media-job-tasks/not-retryable', 'Tried already.'),
      },
    })
    await page.getByRole('button', { name: 'Show Edits of scene 1' }).click()
    await page.getByRole('button', { name: 'Try again: 15s Teaser' }).click()
    await expect.element(page.getByRole('alert')).toBeVisible()
    await expect.element(page.getByRole('button', { name: /Try again/ })).not.toBeInTheDocument()
  })

  test('EDT-01 leads to the order that was not paid, and to the one that was not made', async () => {
    const unpaid = job(1, { orderIsPlaced: true, orderId: idOf(3) })
    const unordered = job(2, { uploadRequestId: idOf(7) })
    await openScreen({
      path: '/edits',
      rows: { orders: [orderToRow(fakeOrder(), NOW)] },
      answers: { ...library([unpaid, unordered]), getOrder: { order: fakeOrder() } },
    })
    await expect
      .element(page.getByRole('link', { name: 'Finish payment' }))
      .toHaveAttribute('href', `/uploads/orders/${idOf(3)}/checkout`)
    await expect
      .element(page.getByRole('link', { name: 'Finish ordering' }))
      .toHaveAttribute('href', `/uploads/${idOf(7)}/media-jobs/new`)
  })
})
