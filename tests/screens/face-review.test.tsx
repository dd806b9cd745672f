import { expect, onTestFinished, test } from 'vitest'
import { cdp, page, userEvent } from 'vitest/browser'
import type { MediaJob } from '#src/hooks/edits/use-library.ts'
import { fakeFaceReview, fakeMediaJob } from '#tests/fakes/fake-rows.ts'
import { faceReviewPath } from '#src/config/paths.ts'
import { mediaJobToRow } from '#src/local/db/to-rows.ts'
import { dragFinger } from './harness/drag-finger.ts'
import { refused } from './harness/fake-server.ts'
import { NOW, openScreen, type ScreenOptions } from './harness/open-screen.tsx'

/** As much of the browser's own protocol as answers requests of the page for pictures. */
interface Cdp {
  on(event: 'Fetch.requestPaused', listener: (paused: { requestId: string }) => void): void
  off: Cdp['on']
  send(method: string, parameters: object): Promise<void>
}

const review = fakeFaceReview()
const task: MediaJob['tasks'][number] = {
  _id: review.taskId,
  name: 'Face Blurred Full Scene',
  status: 'created',
  mediaJobTaskPresetSlug: 'face-blurred-full-scene',
  errorMessage: null,
  outputs: [],
  progressRatio: 0.5,
  refundedCoinAmount: 0,
  review: { state: 'waiting', until: '2026-12-21T10:00:00.000Z' },
  createdAt: '2026-11-21T09:30:00.000Z',
}
const job = fakeMediaJob({
  isMediaWorkflowStarted: true,
  isUploadRequestCompleted: true,
  isUploadRequestValidated: true,
  orderIsPlaced: true,
  progressRatio: 0.5,
  tasks: [task],
})
const path = faceReviewPath(job._id, review.taskId)
const row = { _id: review.taskId, value: review, pulledAtEpochMs: NOW }

/** The screen of a review that waits, with a server that keeps what it is sent. */
const openReview = (options: Partial<ScreenOptions> = {}, begun = review) => {
  let stored = begun
  return openScreen({
    path,
    rows: { mediaJobs: [mediaJobToRow(job, NOW)] },
    ...options,
    answers: {
      getMediaJob: { mediaJob: job },
      getFaceReview: () => ({ faceReview: stored }),
      saveFaceReview: ({ body }) => {
        const { faceReview } = body as {
          faceReview: { basedOn: number; decisions: typeof review.decisions }
        }
        stored = {
          ...stored,
          revision: faceReview.basedOn + 1,
          decisions: faceReview.decisions,
        }
        return { faceReview: stored }
      },
      ...options.answers,
    },
  })
}
/** As a finger does: on the label, which is in front of the box. */
const tick = async (name: string) => {
  const label = page.getByRole('checkbox', { name }).element().closest('label')
  if (label === null) throw new Error(`${name} has no label`)
  await userEvent.click(label)
}
const saved = page.getByText('Your decisions are saved.')
const unchanged = page.getByText('Nothing changed yet.')
const video = () => page.getByLabelText('The video, without sound').element()

test('REC-18 a review shows nothing yet, what this device has, what is fresh, and a failure', async () => {
  let answer: (body: { faceReview: typeof review }) => void = () => undefined
  const answered = new Promise<{ faceReview: typeof review }>((resolve) => {
    answer = resolve
  })
  await openReview({ answers: { getFaceReview: () => answered } })
  await expect.element(page.getByRole('heading', { name: 'Review faces' })).toBeVisible()
  expect(page.getByRole('heading', { name: 'Faces found' }).elements()).toEqual([])
  answer({ faceReview: review })
  await expect.element(page.getByRole('heading', { name: 'Faces found' })).toBeVisible()
  // The shot with the face that the search is least sure of comes first, and in it that face.
  await expect
    .element(page.getByText('Shots that the search is least sure of come first.'))
    .toBeVisible()
  expect(page.getByRole('checkbox', { name: /Cover the face/ }).elements()).toHaveLength(3)
  await expect
    .element(page.getByRole('checkbox', { name: /Cover the face/ }).first())
    .toHaveAccessibleName('Cover the face from 0:03 to 0:04')
  await expect.element(page.getByText('Not sure')).toBeVisible()
})

test('REC-18 a review that cannot be fetched says so, with what this device has and without', async () => {
  const answers = { getFaceReview: refused(422, 'request/invalid', 'Not today.') }
  const screen = await openReview({ answers })
  await expect.element(page.getByText('Unable to fetch the review')).toBeVisible()
  await screen.db.faceReviews.put(row)
  await expect.element(page.getByRole('heading', { name: 'Faces found' })).toBeVisible()
})

test('REC-18 faces are reviewed by keyboard alone: visible, a whole stretch, a box, undone, finished', async () => {
  const screen = await openReview({
    answers: {
      finishFaceReview: { mediaJobTask: { ...task, review: { state: 'done', until: null } } },
    },
  })
  await expect.element(unchanged).toBeVisible()
  const focus = (name: string, role: 'checkbox' | 'button' | 'slider' = 'button') => {
    const element = page.getByRole(role, { name }).element()
    if (!(element instanceof HTMLElement)) throw new Error(`${name} cannot have the focus`)
    element.focus()
  }
  focus('Cover the face from 0:03 to 0:04', 'checkbox')
  await userEvent.keyboard(' ')
  focus('Cover all of this stretch from 0:30 to 1:00', 'checkbox')
  await userEvent.keyboard(' ')
  focus('Place in the video', 'slider')
  await userEvent.keyboard('{End}{ArrowLeft}')
  await expect.element(page.getByText('The whole picture is covered here.')).toBeVisible()
  await userEvent.keyboard('{Home}')
  focus('Add a box')
  await userEvent.keyboard('{Enter}')
  focus(
    'Box drawn by hand, 0:00 to 0:30. Arrow keys move it, with Shift they resize it, Delete removes it.',
  )
  await userEvent.keyboard('{ArrowLeft}{ArrowLeft}{Shift>}{ArrowDown}{/Shift}')
  await expect.element(page.getByText('Box 1: 0:00 to 0:30')).toBeVisible()
  await expect.poll(() => screen.server.calls('saveFaceReview').length).toBeGreaterThan(0)
  await expect.element(saved).toBeVisible()
  const kept = async () => (await screen.db.faceReviews.get(review.taskId))?.value.decisions
  await expect.poll(async () => (await kept())?.added[0]?.boxes[0]?.height).toBeCloseTo(0.31)
  expect(await kept()).toMatchObject({
    uncovered: ['t2'],
    wholly: [{ startMs: 30_000, endMs: 60_000 }],
  })
  expect((await kept())?.added[0]?.boxes[0]?.x).toBeCloseTo(0.38)
  focus('Undo')
  await userEvent.keyboard('{Enter}')
  await expect.poll(async () => (await kept())?.added[0]?.boxes[0]?.height).toBeCloseTo(0.3)

  // No server of these tests sends pictures.
  await expect.element(page.getByRole('button', { name: 'Make the edit' })).toBeDisabled()
  video().dispatchEvent(new Event('loadeddata'))
  await expect.element(page.getByRole('button', { name: 'Make the edit' })).toBeEnabled()
  focus('Make the edit')
  await userEvent.keyboard('{Enter}')
  const question = page.getByRole('alertdialog', { name: 'Make the edit now?' })
  await expect.element(question).toBeVisible()
  await expect
    .element(question.getByText(/^2 of 3 faces found are covered, 1 stays visible\./))
    .toBeVisible()
  await question.getByRole('button', { name: 'Make the edit' }).click()
  await expect.element(page.getByText('This review has ended')).toBeVisible()
  expect(screen.server.calls('finishFaceReview')).toHaveLength(1)
})

test('REC-18 decisions are said to be saved once some were, and the bar keeps its height', async () => {
  await page.viewport(360, 740)
  onTestFinished(() => page.viewport(1280, 800))
  await openReview()
  await expect.element(unchanged).toBeVisible()
  expect(saved.elements()).toEqual([])
  // No server of these tests sends pictures, which the bar says on a line of its own.
  await expect.element(page.getByText(/^You can finish when the pictures/)).toBeVisible()
  const bar = page.getByRole('button', { name: 'Make the edit' }).element().closest('.sticky')
  const before = bar?.getBoundingClientRect().height
  await tick('Cover the face from 0:03 to 0:04')
  await expect.element(saved).toBeVisible()
  expect(unchanged.elements()).toEqual([])
  expect(bar?.getBoundingClientRect().height).toBe(before)
})

test('REC-18 a face that was missed is covered by finger: a box is added, moved and resized', async () => {
  const screen = await openReview()
  await expect.element(unchanged).toBeVisible()
  await page.getByRole('button', { name: 'Add a box' }).click()
  const box = page.getByRole('button', { name: /^Box drawn by hand/ })
  await expect.element(box).toBeVisible()
  const picture = () => box.element().parentElement?.getBoundingClientRect() ?? new DOMRect()
  const { width, height } = picture()
  const kept = async () =>
    (await screen.db.faceReviews.get(review.taskId))?.value.decisions.added[0]?.boxes[0]
  await dragFinger(box.element(), [-0.2 * width, 0.1 * height])
  await expect.poll(async () => (await kept())?.x).toBeCloseTo(0.2, 1)
  expect((await kept())?.y).toBeCloseTo(0.4, 1)
  expect((await kept())?.width).toBeCloseTo(0.2)
  const corner = box.element().querySelector('span')
  if (corner === null) throw new Error('The box has no corner')
  await dragFinger(corner, [0.1 * width, -0.1 * height])
  await expect.poll(async () => (await kept())?.width).toBeCloseTo(0.3, 1)
  expect((await kept())?.height).toBeCloseTo(0.2, 1)
  expect((await kept())?.x).toBeCloseTo(0.2, 1)
  // Of two fingers on the box the first one moves it.
  const before = await kept()
  await dragFinger(box.element(), [0.1 * width, 0.05 * height], [0.3, 0.3], [0.7, 0.7])
  await expect.poll(async () => (await kept())?.x).toBeCloseTo((before?.x ?? 0) + 0.1, 2)
  expect((await kept())?.y).toBeCloseTo((before?.y ?? 0) + 0.05, 2)
  await dragFinger(box.element(), [-0.1 * width, -0.05 * height], [0.3, 0.3])
  await expect.poll(async () => (await kept())?.x).toBeCloseTo(0.2, 1)
  // A finger on the picture itself scrolls the page, and draws nothing.
  await dragFinger(box.element().parentElement ?? document.body, [0, -30], [0.9, 0.9])
  await expect.poll(() => screen.server.calls('saveFaceReview').length).toBeGreaterThan(0)
  expect(page.getByRole('button', { name: /^Box drawn by hand/ }).elements()).toHaveLength(1)
  expect(await kept()).toMatchObject({ x: expect.closeTo(0.2, 1), y: expect.closeTo(0.4, 1) })
})

test('REC-18 a new box does not lie on the one before, and that the whole picture is covered is said over both', async () => {
  await openReview()
  await expect.element(unchanged).toBeVisible()
  const add = page.getByRole('button', { name: 'Add a box' })
  await add.click()
  await add.click()
  const boxes = () => page.getByRole('button', { name: /^Box drawn by hand/ }).elements()
  await expect.poll(() => boxes().length).toBe(2)
  const [first, second] = boxes().map((box) => box.getBoundingClientRect())
  expect((second?.x ?? 0) - (first?.x ?? 0)).toBeGreaterThan(10)
  expect((second?.y ?? 0) - (first?.y ?? 0)).toBeGreaterThan(10)
  await tick('Cover all of this stretch from 0:00 to 0:30')
  const words = page.getByText('The whole picture is covered here.')
  await expect.element(words).toBeVisible()
  const isAfter = Node.DOCUMENT_POSITION_FOLLOWING
  expect(boxes().map((box) => box.compareDocumentPosition(words.element()) & isAfter)).toEqual([
    isAfter,
    isAfter,
  ])
})

test('REC-18 a box on a phone is never so small that no finger meets it, by finger and by keyboard', async () => {
  await page.viewport(360, 740)
  onTestFinished(() => page.viewport(1280, 800))
  const screen = await openReview()
  await page.getByRole('button', { name: 'Add a box' }).click()
  const box = page.getByRole('button', { name: /^Box drawn by hand/ })
  await expect.element(box).toBeVisible()
  const drawn = box.element()
  const size = () => {
    const { width, height } = drawn.getBoundingClientRect()
    return [Math.round(width), Math.round(height)]
  }
  const kept = async () =>
    (await screen.db.faceReviews.get(review.taskId))?.value.decisions.added[0]?.boxes[0]
  const picture = drawn.parentElement?.getBoundingClientRect() ?? new DOMRect()
  await dragFinger(drawn.querySelector('span') ?? drawn, [-150, -150])
  await expect.poll(async () => (await kept())?.width).toBeCloseTo(24 / picture.width)
  expect((await kept())?.height).toBeCloseTo(24 / picture.height)
  await expect.poll(size).toEqual([24, 24])
  if (drawn instanceof HTMLElement) drawn.focus()
  await userEvent.keyboard('{Shift>}{ArrowRight}{/Shift}')
  await expect.poll(() => size()[0]).toBeGreaterThan(24)
  await userEvent.keyboard('{Shift>}{ArrowLeft}{ArrowLeft}{ArrowUp}{/Shift}')
  await expect.poll(size).toEqual([24, 24])
})

test('REC-18 the corner of a box is in reach of a finger, also at the edge of the picture', async () => {
  const devTools = cdp() as Cdp
  await devTools.send('Emulation.setTouchEmulationEnabled', { enabled: true })
  onTestFinished(() => devTools.send('Emulation.setTouchEmulationEnabled', { enabled: false }))
  await page.viewport(360, 740)
  onTestFinished(() => page.viewport(1280, 800))
  await openReview()
  await page.getByRole('button', { name: 'Add a box' }).click()
  const box = page.getByRole('button', { name: /^Box drawn by hand/ })
  await expect.element(box).toBeVisible()
  const drawn = box.element()
  const corner = drawn.querySelector('span')
  if (corner === null) throw new Error('The box has no corner')
  /** How much of the corner takes a touch: to the right, and down. */
  const reach = () => {
    const { left, right, top, bottom } = corner.getBoundingClientRect()
    const isCorner = (x: number, y: number) => corner.contains(document.elementFromPoint(x, y))
    const across = Array.from({ length: Math.round(right - left) }, (_, at) =>
      isCorner(left + at + 0.5, (top + bottom) / 2),
    )
    const down = Array.from({ length: Math.round(bottom - top) }, (_, at) =>
      isCorner((left + right) / 2, top + at + 0.5),
    )
    return [across, down].map((touches) => touches.filter(Boolean).length)
  }
  const near = () => drawn.getBoundingClientRect()
  const toEdges = () => {
    const picture = drawn.parentElement?.getBoundingClientRect() ?? new DOMRect()
    return [Math.round(picture.right - near().right), Math.round(picture.bottom - near().bottom)]
  }
  expect(reach()).toEqual([44, 44])
  await dragFinger(corner, [-150, -150])
  await expect.poll(() => Math.round(near().width)).toBe(24)
  expect(reach()).toEqual([44, 44])
  // As small as it can be, and in the corner of the picture, it is still moved and resized.
  await dragFinger(drawn, [300, 300])
  await expect.poll(toEdges).toEqual([0, 0])
  expect(reach()).toEqual([44, 44])
  await dragFinger(drawn, [-60, -60], [-1.3, -1.3])
  await expect.poll(toEdges).toEqual([60, 60])
  await dragFinger(corner, [30, 20])
  await expect.poll(toEdges).toEqual([30, 40])
})

test('REC-18 what is removed by keyboard leaves the focus beside its place', async () => {
  await openReview()
  await expect.element(unchanged).toBeVisible()
  const add = page.getByRole('button', { name: 'Add a box' })
  await add.click()
  const box = page.getByRole('button', { name: /^Box drawn by hand/ })
  await expect.element(box).toBeVisible()
  const drawn = box.element()
  if (drawn instanceof HTMLElement) drawn.focus()
  await userEvent.keyboard('{Delete}')
  await expect.element(box).not.toBeInTheDocument()
  await expect.element(page.getByRole('slider')).toHaveFocus()
  await add.click()
  const remove = page.getByRole('button', { name: 'Remove: Box 1' })
  await expect.element(remove).toBeVisible()
  const listed = remove.element()
  if (listed instanceof HTMLElement) listed.focus()
  await userEvent.keyboard('{Enter}')
  await expect.element(remove).not.toBeInTheDocument()
  await expect.element(page.getByRole('heading', { name: 'Covered by hand' })).toHaveFocus()
})

test('REC-18 what has the focus after a removal is not under the picture that sticks on a phone', async () => {
  await page.viewport(360, 740)
  onTestFinished(() => page.viewport(1280, 800))
  await openReview()
  await page.getByRole('button', { name: 'Add a box' }).click()
  const remove = page.getByRole('button', { name: 'Remove: Box 1' })
  await expect.element(remove).toBeVisible()
  const heading = page.getByRole('heading', { name: 'Covered by hand' })
  const listed = remove.element()
  if (listed instanceof HTMLElement) listed.focus({ preventScroll: true })
  // The heading lies under the picture, and the button does not.
  const overlap = () =>
    video().getBoundingClientRect().bottom - heading.element().getBoundingClientRect().top
  window.scrollBy(0, -overlap() + 100)
  expect(overlap()).toBeGreaterThan(0)
  await userEvent.keyboard('{Enter}')
  await expect.element(heading).toHaveFocus()
  await expect.poll(overlap).toBeLessThanOrEqual(0)
})

test('REC-18 all faces are left visible at once, and one of them is covered again', async () => {
  const screen = await openReview()
  await expect.element(unchanged).toBeVisible()
  const coverAll = page.getByRole('button', { name: 'Cover all' })
  await expect.element(coverAll).toBeDisabled()
  await page.getByRole('button', { name: 'Leave all visible' }).click()
  await expect
    .poll(() => page.getByRole('checkbox', { name: /Cover the face/, checked: true }).elements())
    .toEqual([])
  await tick('Cover the face from 0:03 to 0:04')
  const uncovered = async () => (await screen.db.faceReviews.get(review.taskId))?.value.decisions
  await expect.poll(async () => (await uncovered())?.uncovered).toEqual(['t1', 't3'])
  await coverAll.click()
  await expect.poll(async () => (await uncovered())?.uncovered).toEqual([])
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect.poll(async () => (await uncovered())?.uncovered).toEqual(['t1', 't3'])
})

test.each([
  ['a wide video stays in view above the faces', 1920, 1080],
  ['an upright video comes into view', 1080, 1920],
])(
  'REC-18 a face that is pressed on a phone is seen in the video: %s',
  async (_, width, height) => {
    await page.viewport(360, 740)
    onTestFinished(() => page.viewport(1280, 800))
    await openReview({}, { ...review, width, height })
    await expect.element(unchanged).toBeVisible()
    const face = page.getByRole('button', { name: 'Show the face from 0:31 to 0:58 in the video' })
    window.scrollTo(0, document.documentElement.scrollHeight)
    await face.click()
    await expect.element(page.getByRole('slider')).toHaveAttribute('aria-valuetext', '0:40 of 1:00')
    const bounds = () => video().getBoundingClientRect()
    await expect.poll(() => bounds().top).toBeGreaterThanOrEqual(64)
    expect(bounds().bottom).toBeLessThanOrEqual(740)
  },
)

/** A review of as many shots with a face each; the server has their pictures, of its own size. */
const openLongReview = async (count: number) => {
  await showStrips()
  const shots = Array.from({ length: count }, (_, at) => ({
    startMs: at * 10_000,
    endMs: (at + 1) * 10_000,
  }))
  const [face] = review.finding?.tracks ?? []
  if (face === undefined) throw new Error('the review has no face')
  const tracks = shots.map((shot, at) => ({ ...face, ...shot, id: `long${at}` }))
  await openReview(
    {},
    { ...review, durationMs: count * 10_000, finding: { version: 1, tracks, shots } },
  )
  await expect.element(unchanged).toBeVisible()
}
const showStrips = async () => {
  const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="384" height="96"/>'
  const browser = cdp() as Cdp
  const answer = ({ requestId }: { requestId: string }) =>
    void browser.send('Fetch.fulfillRequest', {
      requestId,
      responseCode: 200,
      responseHeaders: [{ name: 'Content-Type', value: 'image/svg+xml' }],
      body: btoa(svg),
    })
  browser.on('Fetch.requestPaused', answer)
  await browser.send('Fetch.enable', { patterns: [{ urlPattern: '*/strip' }] })
  onTestFinished(async () => {
    browser.off('Fetch.requestPaused', answer)
    await browser.send('Fetch.disable', {})
  })
}

const strips = () => page.getByRole('button', { name: /^Show the face/ }).elements()
/**
 * Scrolls from strip to strip until all were shown: one that is left before its picture has come,
 * or before the browser has drawn it, was not.
 */
const scrollToAll = async () => {
  const places = strips()
  let turn = 0
  await expect
    .poll(() => {
      places[turn++ % places.length]?.scrollIntoView({ block: 'center' })
      return document.body.textContent
    })
    .toContain(`All ${places.length} faces shown`)
}

test.each([
  [360, 740],
  [1366, 768],
])(
  'REC-18 the end of a long review is in reach from its top, with what was not shown yet, at %i px',
  async (width, height) => {
    await page.viewport(width, height)
    onTestFinished(() => page.viewport(1280, 800))
    await openLongReview(4)
    const finish = page.getByRole('button', { name: 'Make the edit' })
    await expect.element(finish).toBeInViewport()
    await expect.element(page.getByText(/^\d of 4 faces not shown yet$/)).toBeInViewport()
    const bar = finish.element().closest('.sticky')
    if (bar === null) throw new Error('there is no bar')
    await expect.poll(() => bar.getBoundingClientRect().height).toBeLessThan(height / 6)

    video().dispatchEvent(new Event('loadeddata'))
    // Where neither the video nor a strip has come, nothing can be finished.
    await expect.poll(() => strips()[0]?.querySelector('img')?.naturalWidth).toBeGreaterThan(0)
    await expect.element(finish).toBeEnabled()
    // By keyboard through all of them: none has the focus under the bar, whose button comes next.
    const covered: string[] = []
    const first = page.getByRole('button', { name: 'Leave all visible' }).element()
    if (first instanceof HTMLElement) first.focus()
    for (;;) {
      await userEvent.tab()
      const focused = document.activeElement
      if (focused === null || !focused.closest('[aria-labelledby=found]')) break
      if (focused.getBoundingClientRect().bottom > bar.getBoundingClientRect().top)
        covered.push(focused.textContent)
    }
    expect(covered).toEqual([])
    await expect.element(finish).toHaveFocus()

    await scrollToAll()
    await expect.element(page.getByText('All 4 faces shown')).toBeInViewport()
  },
)

test('REC-18 a phone that is turned shows faces all the same, under what sticks to it then', async () => {
  await page.viewport(360, 740)
  onTestFinished(() => page.viewport(1280, 800))
  await openLongReview(4)
  video().dispatchEvent(new Event('loadeddata'))
  await expect.element(page.getByText(/^\d of 4 faces not shown yet$/)).toBeInViewport()
  // Before anything can no longer be changed, it is said again.
  await page.getByRole('button', { name: 'Make the edit' }).click()
  const question = page.getByRole('alertdialog', { name: 'Make the edit now?' })
  await expect
    .element(question.getByText(/of the faces found (was|were) not shown since you opened/))
    .toBeVisible()
  await question.getByRole('button', { name: 'Go on reviewing' }).click()
  await expect.element(question).not.toBeInTheDocument()
  // What sticks to an upright phone is nearly as high as a phone that lies.
  await page.viewport(740, 360)
  const picture = video().getBoundingClientRect()
  expect(picture).toEqual(video().parentElement?.getBoundingClientRect())
  await scrollToAll()
})

test('REC-18 decisions that are made offline stay on this device and go to the server later', async () => {
  const screen = await openReview({
    rows: { mediaJobs: [mediaJobToRow(job, NOW)], faceReviews: [row] },
    network: 'offline',
  })
  await expect.element(page.getByRole('heading', { name: 'Faces found' })).toBeVisible()
  await tick('Cover the face from 0:31 to 0:58')
  await expect.element(page.getByText('Saved on this device.', { exact: true })).toBeVisible()
  await expect.element(page.getByRole('button', { name: 'Make the edit' })).toBeDisabled()
  await expect.element(page.getByText('You can finish when you are online.')).toBeVisible()
  screen.setNetwork('online')
  await screen.letTimePassUntil(saved)
  expect((await screen.db.faceReviews.get(review.taskId))?.value.decisions.uncovered).toEqual([
    't3',
  ])
})

test('REC-18 pictures that could not be shown are loaded again when the connection is back, and on request', async () => {
  const failed: string[] = []
  const take = ({ target }: Event) => {
    if (target instanceof HTMLVideoElement || target instanceof HTMLImageElement)
      failed.push(target.src.replace(/^.*faces\//, ''))
  }
  const failuresOf = (part: string) => failed.filter((each) => each === part).length
  const cannot = page.getByText(/^The pictures of the video cannot be shown now\./)
  const finish = page.getByRole('button', { name: 'Make the edit' })
  // Errors of pictures do not bubble.
  document.addEventListener('error', take, true)
  try {
    const screen = await openReview({
      rows: { mediaJobs: [mediaJobToRow(job, NOW)], faceReviews: [row] },
      network: 'offline',
    })
    await expect.element(cannot).toBeVisible()
    await expect.poll(() => page.getByText('No picture now.').elements().length).toBe(3)
    const [videos, strips] = [failuresOf('video'), failuresOf('t2/strip')]

    screen.setNetwork('online')
    await expect
      .poll(async () => {
        await screen.clock.advance(5_000)
        return failuresOf('video')
      })
      .toBeGreaterThan(videos)
    await expect.poll(() => failuresOf('t2/strip')).toBeGreaterThan(strips)
    await expect
      .element(page.getByText('You can finish when the pictures can be shown.'))
      .toBeVisible()
    await expect.element(finish).toBeDisabled()

    const before = failuresOf('video')
    await page.getByRole('button', { name: 'Try again' }).click()
    await expect.poll(() => failuresOf('video')).toBeGreaterThan(before)
    video().dispatchEvent(new Event('loadeddata'))
    await expect.element(cannot).not.toBeInTheDocument()
    await expect.element(finish).toBeEnabled()
  } finally {
    document.removeEventListener('error', take, true)
  }
})

test('REC-18 decisions of another device are not overwritten: the person chooses', async () => {
  const other = { ...review, revision: 1, decisions: { ...review.decisions, uncovered: ['t1'] } }
  const screen = await openReview({
    answers: { saveFaceReview: refused(409, 'face-reviews/changed', 'It was changed.') },
  })
  await expect.element(unchanged).toBeVisible()
  screen.server.answer({ getFaceReview: { faceReview: other } })
  await tick('Cover the face from 0:03 to 0:04')
  await expect.element(page.getByText('This review was also changed elsewhere')).toBeVisible()
  await page.getByRole('button', { name: 'Take the other' }).click()
  await expect.element(saved).toBeVisible()
  await expect
    .element(page.getByRole('checkbox', { name: 'Cover the face from 0:00 to 0:12' }))
    .not.toBeChecked()
})

test('REC-18 what was decided for another edit of the video is offered once, and can be undone', async () => {
  const earlier = { uncovered: ['t1'], added: [], wholly: [{ startMs: 30_000, endMs: 60_000 }] }
  const screen = await openReview({}, { ...review, earlier })
  const take = page.getByRole('button', { name: 'Start from those decisions' })
  await expect
    .element(
      page.getByText('For another edit of it, 1 face stays visible. By hand: 1 whole stretch.'),
    )
    .toBeVisible()
  const first = page.getByRole('checkbox', { name: 'Cover the face from 0:00 to 0:12' })
  await expect.element(first).toBeChecked()
  await take.click()
  await expect.element(first).not.toBeChecked()
  await expect.element(take).not.toBeInTheDocument()
  await expect
    .poll(() => screen.server.calls('saveFaceReview').at(-1)?.body)
    .toEqual({ faceReview: { basedOn: 0, decisions: earlier } })
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect.element(first).toBeChecked()
  await expect.element(take).toBeVisible()
})

test('REC-18 a search says how far it is, and the library leads to the review when it waits', async () => {
  const searching = { ...job, progressRatio: 0.2, tasks: [{ ...task, progressRatio: 0.2 }] }
  const screen = await openReview({
    rows: { mediaJobs: [mediaJobToRow(searching, NOW)] },
    answers: {
      getMediaJob: { mediaJob: searching },
      getFaceReview: { faceReview: { ...review, state: 'searching', finding: null } },
      listMediaJobsPage: { mediaJobs: [job], pagination: { nextCursor: null } },
    },
  })
  await expect
    .element(page.getByRole('progressbar', { name: 'Search for faces' }))
    .toHaveAttribute('aria-valuenow', '40')
  screen.server.answer({
    getFaceReview: { faceReview: review },
    getMediaJob: { mediaJob: job },
  })
  await screen.goTo('/edits')
  await page.getByRole('button', { name: /^Show Edits/ }).click()
  await expect.element(page.getByText('Waiting for you')).toBeVisible()
  await page.getByRole('link', { name: 'Review faces of Face Blurred Full Scene' }).click()
  await screen.letTimePassUntil(page.getByRole('heading', { name: 'Faces found' }))
})
