import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { wallets } from '#src/local/nouns/wallets.ts'
import { fakeUploadMoments } from '#tests/fakes/fake-moments.ts'
import { fakeUploadRow, fakeWallet, idOf } from '#tests/fakes/fake-rows.ts'
import { watchBackButton } from './harness/back-button.ts'
import { dragFinger } from './harness/drag-finger.ts'
import { refused, unreachable, type Answers } from './harness/fake-server.ts'
import { NOW, openScreen } from './harness/open-screen.tsx'

/**
 * A picture every four seconds instead of two: each is a button with two more, and all are drawn at
 * every change.
 */
const uploadMoments = (more: Parameters<typeof fakeUploadMoments>[0] = {}) => {
  const { pictures, ...found } = fakeUploadMoments()
  const sparse = pictures?.placesMs.filter((_, at) => at % 2 === 0) ?? []
  return {
    ...found,
    pictures: pictures === null ? null : { ...pictures, placesMs: sparse },
    ...more,
  }
}
const path = `/uploads/${idOf(2)}/media-jobs/new`
/** The formats of a checked video of two minutes. */
const openFormats = (answers: Answers = {}) => {
  const wallet = fakeWallet()
  return openScreen({
    path,
    rows: {
      uploads: [fakeUploadRow({ uploadRequestId: idOf(2), state: { kind: 'paused' } })],
      wallets: [wallets.toRow(wallet, NOW)],
    },
    answers: {
      listWallets: { wallets: [wallet] },
      getUploadMoments: { uploadMoments: uploadMoments() },
      getMomentPictures: refused(404, 'media-jobs/thumbnail-not-found'),
      ...answers,
    },
  })
}
/** The board of a format, opened from its card. */
const openBoard = async (answers: Answers = {}, name = '15s Teaser') => {
  const screen = await openFormats(answers)
  await page.getByRole('button', { name, exact: true }).click()
  await page.getByRole('button', { name: `Change options of ${name}` }).click()
  return screen
}
const change = page.getByRole('button', { name: 'Change options of 15s Teaser' })
const board = page.getByRole('dialog', { name: 'Moments of 15s Teaser' })
const press = (name: string) => board.getByRole('button', { name, exact: true })
const shown = board.getByRole('radiogroup', { name: 'Moments that will be delivered, in order' })
const names = () =>
  shown
    .getByRole('radio')
    .elements()
    .map((each) => each.getAttribute('aria-label') ?? '')
const times = () => names().map((name) => /, (.*?)(, locked)?$/.exec(name)?.[1])

test('REC-21 the board shows what will be delivered, and what is changed there is kept', async () => {
  const screen = await openBoard()
  await expect.element(board.getByText(/Exactly these moments will be delivered/)).toBeVisible()
  const first = times()
  expect(first).toHaveLength(6)
  await press('Lock').click()
  await shown.getByRole('radio').nth(2).click()
  await press('Swap').click()
  await expect.element(board.getByText(/^Moment 3 now begins at /)).toBeVisible()
  await press('Never show').click()
  await expect.element(board.getByRole('heading', { name: 'Never shown' })).toBeVisible()
  const banned = board.getByRole('button', { name: /^Allow .* again$/ })
  expect(banned.elements()).toHaveLength(1)
  await press('Earlier').click()
  await expect.element(board.getByText('It is number 2 now, and locked.')).toBeVisible()
  await press('Surprise me').click()
  const after = times()
  expect(after[0]).toBe(first[0])
  expect(names()[0]).toContain('locked')
  expect(names()[1]).toContain('locked')
  expect(after.slice(2)).not.toEqual(first.slice(2))
  await press('Apply').click()
  await expect.element(board).not.toBeInTheDocument()
  await expect.element(page.getByText('6 moments chosen by you')).toBeVisible()
  await screen.goTo('/edits')
  await screen.goTo(path)
  await change.click()
  await expect.element(shown).toBeVisible()
  expect(times()).toEqual(after)
  expect(banned.elements()).toHaveLength(1)
  await press('Start over').click()
  expect(times()).toEqual(first)
})

test('REC-21 own points are taken as they are, and what does not fit says what to do', async () => {
  await openBoard()
  const own = board.getByRole('form', { name: 'Add a moment of your own' })
  const add = own.getByRole('button', { name: 'Add moment' })
  await own.getByLabelText('Begins at').fill('0:50,1')
  await own.getByLabelText('Ends at').fill('0:56.7')
  await add.click()
  await expect
    .poll(() => names().some((name) => name.includes('0:50.1 to 0:56.7, locked')))
    .toBe(true)
  await own.getByLabelText('Begins at').fill('1:00')
  await own.getByLabelText('Ends at').fill('1:12')
  await add.click()
  await expect.element(board.getByText('These moments do not fit yet')).toBeVisible()
  // In full, and beside the button that cannot be pressed.
  await expect.poll(() => board.getByText(/too long for 15 s/).elements()).toHaveLength(2)
  await expect.element(press('Apply')).toBeDisabled()
})

test('REC-21 on a laptop what changes a moment stands beside all of them, in view', async () => {
  await page.viewport(1366, 768)
  onTestFinished(() => page.viewport(1280, 800))
  await openBoard()
  await expect.element(press('Swap')).toBeInViewport()
  const last = shown.getByRole('radio').nth(5)
  await expect.element(last).toBeInViewport()
  expect(press('Swap').element().getBoundingClientRect().left).toBeGreaterThan(
    last.element().getBoundingClientRect().right,
  )
  await expect.element(board.getByRole('button', { name: /, show it$/ }).first()).toBeInViewport()
})

test('REC-21 the board is used by keyboard alone, and gives the focus back', async () => {
  await openBoard()
  await expect.element(shown).toBeVisible()
  const focused = () =>
    document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.textContent
  for (let tabs = 0; tabs < 3 && !focused()?.startsWith('Moment 1 of 6'); tabs += 1)
    await userEvent.tab()
  expect(focused()).toContain('Moment 1 of 6')
  await userEvent.keyboard('{ArrowRight}{Enter}')
  expect(focused()).toContain('Moment 2 of 6')
  await userEvent.tab()
  expect(focused()).toBe('Earlier')
  await userEvent.keyboard('{ArrowRight}{ArrowRight}{Enter}')
  expect(names()[1]).toContain('locked')
  await userEvent.keyboard('{ArrowRight}{Enter}')
  await expect.element(board.getByText(/^Moment 2 now begins at /)).toBeVisible()
  const swapped = times()[1]
  await userEvent.tab()
  expect(focused()).toBe('Surprise me')
  await userEvent.keyboard('{Enter}')
  expect(times()[1]).toBe(swapped)
  await userEvent.tab()
  await userEvent.tab()
  expect(focused()).toMatch(/, (show it|shown)$/)
  // What was changed is not thrown away by a slip.
  await userEvent.keyboard('{Escape}')
  const question = page.getByRole('alertdialog', { name: 'Leave without applying?' })
  await expect.element(question).toBeVisible()
  await userEvent.keyboard('{Escape}')
  await expect.element(question).not.toBeInTheDocument()
  expect(times()[1]).toBe(swapped)
  await expect.poll(focused).toMatch(/, (show it|shown)$/)
  await userEvent.keyboard('{Escape}')
  await question.getByRole('button', { name: 'Leave' }).click()
  await expect.element(board).not.toBeInTheDocument()
  await expect.element(change).toHaveFocus()
  // Where nothing was changed, nothing is asked.
  await userEvent.keyboard('{Enter}')
  await expect.element(shown).toBeVisible()
  await userEvent.keyboard('{Escape}')
  await expect.element(board).not.toBeInTheDocument()
})

test('REC-21 the back button of a phone asks before what was changed on the board is forgotten', async () => {
  const pressBack = watchBackButton()
  const screen = await openBoard()
  await expect.element(shown).toBeVisible()
  await press('Swap').click()
  const changed = times()
  expect(pressBack()).toBe(true)
  const question = page.getByRole('alertdialog', { name: 'Leave without applying?' })
  await expect.element(question).toBeVisible()
  // Only the question, which lies on the board.
  expect(pressBack()).toBe(true)
  await expect.element(question).not.toBeInTheDocument()
  expect(times()).toEqual(changed)
  await press('Apply').click()
  await expect.element(board).not.toBeInTheDocument()

  await change.click()
  await expect.element(shown).toBeVisible()
  expect(pressBack()).toBe(true)
  await expect.element(board).not.toBeInTheDocument()
  // The page has it again.
  await expect.poll(pressBack).toBe(false)
  expect(screen.path()).toBe(path)
})

test('REC-21 another moment of the strip takes the place of the selected one', async () => {
  await openBoard({ getUploadMoments: { uploadMoments: fakeUploadMoments() } })
  const strip = board.getByRole('toolbar', { name: 'Moments to choose from' })
  await expect.element(strip).toBeVisible()
  const before = times()
  await strip
    .getByRole('button', { name: /, show it$/ })
    .nth(20)
    .click()
  expect(times()[0]).not.toBe(before[0])
  expect(times().slice(1)).toEqual(before.slice(1))
  expect(names()[0]).toContain('locked')
  await strip
    .getByRole('button', { name: /^4 · .*, shown$/ })
    .first()
    .click()
  await expect.element(shown.getByRole('radio').nth(3)).toHaveAttribute('aria-checked', 'true')
})

test('REC-21 a moment is dragged to another place by mouse and by touch, and stays there', async () => {
  await openBoard()
  await expect.element(shown).toBeVisible()
  const gripOf = (index: number): Element => {
    const found = shown.element().querySelectorAll('[data-drag-place] > [aria-hidden]')[index]
    if (found === undefined) throw new Error('no grip')
    return found
  }
  const before = times()
  await userEvent.dragAndDrop(gripOf(4), gripOf(1))
  await expect.element(board.getByText('It is number 2 now, and locked.')).toBeVisible()
  expect(times()).toEqual([before[0], before[4], ...before.slice(1, 4), before[5]])
  expect(names()[1]).toContain('locked')
  const [sixth, fourth] = [gripOf(5).getBoundingClientRect(), gripOf(3).getBoundingClientRect()]
  await dragFinger(gripOf(5), [fourth.x - sixth.x, fourth.y - sixth.y])
  await expect.element(board.getByText('It is number 4 now, and locked.')).toBeVisible()
  expect(times()[3]).toBe(before[5])
})

test('REC-21 the board says why there is nothing to choose from yet, or at all', async () => {
  const none = { moments: [], pictures: null } as const
  const screen = await openBoard({
    getUploadMoments: {
      uploadMoments: uploadMoments({ ...none, moments: [], state: 'unchecked', source: null }),
    },
  })
  await expect.element(board.getByText(/once your video is uploaded and checked/)).toBeVisible()
  screen.server.answer({
    getUploadMoments: {
      uploadMoments: uploadMoments({ ...none, moments: [], state: 'searching' }),
    },
  })
  await screen.letTimePassUntil(board.getByText(/Looking for moments in your video/))
  screen.server.answer({ getUploadMoments: { uploadMoments: uploadMoments() } })
  await screen.letTimePassUntil(shown)
  expect(times()).toHaveLength(6)
})

test('REC-21 a server that does not answer is asked again, and a video shown whole has nothing to choose', async () => {
  const source = { durationMs: 9000, width: 640, height: 360, frameRate: 30, nominalRate: null }
  const screen = await openBoard({ getUploadMoments: unreachable })
  const again = board.getByRole('button', { name: 'Try Again' })
  await expect.element(again).toBeVisible()
  // Not before the press: the board asks by itself as well, and then has no such button.
  const answer = () =>
    screen.server.answer({ getUploadMoments: { uploadMoments: uploadMoments({ source }) } })
  document.addEventListener('click', answer, { capture: true, once: true })
  await again.click()
  await expect
    .element(board.getByText('This edit shows all of your video, so there is nothing to choose.'))
    .toBeVisible()
})

describe('at 360 px', () => {
  const stills = page.getByRole('dialog', { name: 'Moments of Still Pack' })
  const pictures = stills.getByRole('radiogroup')
  const stillNames = () =>
    pictures
      .getByRole('radio')
      .elements()
      .map((each) => each.getAttribute('aria-label') ?? '')

  beforeEach(async () => {
    await page.viewport(360, 740)
    onTestFinished(() => page.viewport(1280, 800))
  })

  test('REC-21 a still pack has a place for each of its pictures, and each can be another one', async () => {
    await openBoard({}, 'Still Pack')
    await expect.element(pictures).toBeVisible()
    const before = stillNames()
    expect(before).toHaveLength(12)
    expect(before[0]).toMatch(/^Still 1, \d+:\d\d\.\d$/)
    await pictures.getByRole('radio').nth(4).click()
    await stills.getByRole('button', { name: 'Swap', exact: true }).click()
    await expect.element(stills.getByText(/^Still 5 now is at /)).toBeVisible()
    await stills.getByRole('button', { name: 'Lock', exact: true }).click()
    await stills.getByRole('button', { name: 'Earlier', exact: true }).click()
    await expect.element(stills.getByText('It is still 4 now, and locked.')).toBeVisible()
    await stills.getByRole('button', { name: 'Surprise me' }).click()
    expect(stillNames()[3]).toMatch(/^Still 4, .*, locked$/)
    // One picture has one time, and a pack has no room for more.
    await expect.element(stills.getByLabelText('Ends at')).not.toBeInTheDocument()
    await expect
      .element(stills.getByRole('form', { name: 'Add a moment of your own' }))
      .not.toBeInTheDocument()
    const own = stills.getByRole('form', { name: 'Points of still 4' })
    await own.getByLabelText('Is at').fill('2:01')
    await own.getByRole('button', { name: 'Set points' }).click()
    await expect.element(own.getByText(/^Your video ends at 2:00\.0\./)).toBeVisible()
    await own.getByLabelText('Is at').fill('0:50.1')
    await own.getByRole('button', { name: 'Set points' }).click()
    expect(stillNames()[3]).toBe('Still 4, 0:50.1, locked')
    expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(360)
    // In one line, which leaves room for the moments.
    const [apply, cancel] = ['Apply', 'Cancel'].map(
      (name) =>
        stills.getByRole('button', { name, exact: true }).element().getBoundingClientRect().top,
    )
    expect(apply).toBe(cancel)
    await stills.getByRole('button', { name: 'Apply', exact: true }).click()
    await expect.element(page.getByText('12 moments chosen by you')).toBeVisible()
  })

  test('REC-21 a tube cut has its options and its board side by side, and keeps the choice while its length stays', async () => {
    await openFormats()
    const board = page.getByRole('dialog', { name: 'Moments of Tube Cut' })
    const options = page.getByRole('dialog', { name: 'Tube Cut' })
    const minutes = options.getByRole('textbox', { name: 'Target duration in minutes' })
    await page.getByRole('button', { name: 'Tube Cut', exact: true }).click()
    await minutes.fill('1')
    await options.getByRole('button', { name: 'Apply' }).click()
    const choose = page.getByRole('button', { name: 'Choose moments of Tube Cut' })
    await expect.element(choose).toBeVisible()
    const tops = [choose, page.getByRole('button', { name: 'Change options of Tube Cut' })].map(
      (each) => each.element().getBoundingClientRect().top,
    )
    expect(tops[0]).toBe(tops[1])
    expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(360)
    await choose.click()
    await expect.element(board.getByRole('radio').first()).toBeVisible()
    await board.getByRole('button', { name: 'Lock', exact: true }).click()
    await board.getByRole('button', { name: 'Apply', exact: true }).click()
    await expect.element(page.getByText(/^3 moments chosen by you · Up to 1/)).toBeVisible()
    await page.getByRole('button', { name: 'Change options of Tube Cut' }).click()
    await options.getByRole('button', { name: 'Apply' }).click()
    await expect.element(options).not.toBeInTheDocument()
    await expect.element(page.getByText(/^3 moments chosen by you · Up to 1/)).toBeVisible()
  })
})

describe('moments in motion', () => {
  /** What the device says of pointers, reduced motion and the like. */
  const device = (isTrue: (query: string) => boolean) => {
    const real = window.matchMedia
    window.matchMedia = (query) =>
      Object.defineProperty(real.call(window, query), 'matches', { value: isTrue(query) })
    onTestFinished(() => void (window.matchMedia = real))
  }
  const computer = () => device((query) => query.includes('hover'))
  /** The whole of the first two moments, two seconds of the third, and nothing of the others. */
  const stretches = [
    { startMs: 6000, endMs: 12_000, atMs: 0 },
    { startMs: 34_000, endMs: 40_000, atMs: 6000 },
    { startMs: 52_000, endMs: 55_000, atMs: 12_000 },
  ]
  const openMoving = async (url = '/landing/teaser-15s.mp4') => {
    await openBoard({
      getUploadMoments: { uploadMoments: uploadMoments({ video: { url, stretches } }) },
    })
    await expect.element(shown).toBeVisible()
    expect(times().slice(0, 3)).toEqual([
      '0:07.0 to 0:10.3',
      '0:35.0 to 0:38.1',
      '0:53.0 to 0:55.8',
    ])
  }
  const tile = (index: number) => shown.getByRole('radio').nth(index)
  const videos = () => [...board.element().querySelectorAll('video')]
  /** The one video of the board, which plays in a place and nowhere else. */
  const playingIn = async (place: { element(): Element }): Promise<HTMLVideoElement> => {
    await expect
      .poll(() =>
        videos().map((each) => [
          each.paused,
          each.style.visibility,
          place.element().contains(each),
        ]),
      )
      .toEqual([[false, 'visible', true]])
    const [video] = videos()
    if (video === undefined) throw new Error('nothing plays')
    return video
  }
  const between = (video: HTMLVideoElement, fromS: number, toS: number) =>
    expect.poll(() => video.currentTime >= fromS - 0.05 && video.currentTime < toS).toBe(true)

  test('REC-21 on a computer a moment plays from its first point to its last under the pointer, one at a time', async () => {
    computer()
    await openMoving()
    expect(board.getByRole('button', { name: /^Play / }).elements()).toEqual([])
    await tile(0).hover()
    const video = await playingIn(tile(0))
    expect(video.muted).toBe(true)
    await between(video, 1, 4.3)
    video.currentTime = 4.2
    await between(video, 1, 2)
    await tile(1).hover()
    expect(await playingIn(tile(1))).toBe(video)
    await between(video, 7, 10.1)
    await tile(2).hover()
    await playingIn(tile(2))
    await expect.element(tile(2).getByText('2 of 3 s')).toBeVisible()
    await tile(3).hover()
    await expect.poll(videos).toEqual([])
    const candidate = board.getByRole('button', { name: /0:36\.9, shown$/ })
    await candidate.hover()
    await playingIn(candidate)
  })

  test('REC-21 a moment plays while the keyboard is on it', async () => {
    computer()
    await openMoving()
    ;(tile(0).element() as HTMLElement).focus()
    await userEvent.keyboard('{ArrowRight}')
    await between(await playingIn(tile(1)), 7, 10.1)
    // What plays in a moment is no stop between it and the next one.
    await userEvent.keyboard('{ArrowRight}')
    await expect.element(tile(2)).toHaveFocus()
    await userEvent.keyboard('{ArrowLeft}')
    await expect.element(tile(1)).toHaveFocus()
    await playingIn(tile(1))
    await userEvent.tab()
    await expect.poll(videos).toEqual([])
  })

  test('REC-21 where motion is reduced a moment plays when it is asked to', async () => {
    device(() => true)
    await openMoving()
    await tile(0).hover()
    expect(videos()).toEqual([])
    await press('Play moment 1').click()
    const video = await playingIn(tile(0))
    await press('Play moment 2').click()
    expect(await playingIn(tile(1))).toBe(video)
    await press('Stop moment 2').click()
    await expect.poll(videos).toEqual([])
    const own = board.getByRole('form', { name: 'Add a moment of your own' })
    await own.getByLabelText('Begins at').fill('0:36')
    await own.getByLabelText('Ends at').fill('0:39')
    await own.getByRole('button', { name: 'Play your own moment' }).click()
    await between(await playingIn(own), 8, 11)
    expect(board.getByRole('button', { name: 'Play moment 4' }).elements()).toEqual([])
  })

  test('REC-21 on a phone, where the video cannot be loaded, the pictures stay and the board says so', async () => {
    device(() => false)
    await openMoving('/nothing.mp4')
    await press('Play moment 1').click()
    await expect.element(board.getByText(/^Moments cannot be played now\./)).toBeVisible()
    await expect.element(press('Play moment 1')).toBeVisible()
    expect(videos()).toEqual([])
  })
})
