import { expect, onTestFinished, test } from 'vitest'
import { page } from 'vitest/browser'
import { err, ok, type Result } from '#src/lib/result.ts'
import type { FindFailure, FoundMoments } from '#src/local/edits/found-moments.ts'
import { wallets } from '#src/local/nouns/wallets.ts'
import type { UploadRow } from '#src/local/db/rows.ts'
import type { ProbeReport } from '#src/local/probe/report.ts'
import { fakeUploadMoments } from '#tests/fakes/fake-moments.ts'
import { fakeUploadRow, fakeWallet, idOf } from '#tests/fakes/fake-rows.ts'
import { refused, unreachable, type Answers } from './harness/fake-server.ts'
import { NOW, openScreen } from './harness/open-screen.tsx'
import type { UploadsOptions } from './harness/fake-uploads.ts'

type Media = NonNullable<UploadsOptions['media']>
type Pictures = Media['pictures']

const PROBE: ProbeReport = {
  engine: 'mediabunny',
  sizeBytes: 1000,
  durationMs: 120_000,
  container: 'mp4',
  video: {
    codec: 'h264',
    displayWidth: 1920,
    displayHeight: 1080,
    frameRate: 30,
    isHdr: false,
  } as ProbeReport['video'],
  audio: null,
  findings: [],
} as unknown as ProbeReport

const path = `/uploads/${idOf(2)}/media-jobs/new`
const picture = async (): Promise<Blob> => {
  const canvas = new OffscreenCanvas(16, 9)
  canvas.getContext('2d')?.fillRect(0, 0, 16, 9)
  return canvas.convertToBlob({ type: 'image/jpeg' })
}
/** The board of a teaser of a video of two minutes, whose file this page holds. */
const openBoard = async (
  {
    state = { kind: 'paused' },
    pictures,
    isHeld = true,
    findMoments,
  }: {
    readonly state?: UploadRow['state']
    readonly pictures?: Pictures
    readonly isHeld?: boolean
    readonly findMoments?: Media['findMoments']
  } = {},
  answers: Answers = {},
) => {
  const wallet = fakeWallet()
  const file = new File(['a'], 'beach.mp4', { type: 'video/mp4', lastModified: 1 })
  Object.defineProperty(file, 'size', { value: 1000 })
  const asked: number[][] = []
  const makeAll: Pictures = async (_, { shares }, onPicture) => {
    asked.push(shares.map((share) => Math.round(share * 120_000)))
    const made = await picture()
    for (const index of shares.keys()) onPicture(index, made)
    return ok([made])
  }
  const screen = await openScreen({
    path,
    rows: {
      uploads: [fakeUploadRow({ uploadRequestId: idOf(2), state, probe: PROBE })],
      wallets: [wallets.toRow(wallet, NOW)],
    },
    answers: {
      listWallets: { wallets: [wallet] },
      getMomentPictures: refused(404, 'media-jobs/thumbnail-not-found'),
      ...answers,
    },
    uploads: {
      media: {
        pictures: pictures ?? makeAll,
        ...(findMoments === undefined ? {} : { findMoments }),
      },
      bridge: { heldFile: () => (isHeld ? file : null) },
    },
  })
  await page.getByRole('button', { name: '15s Teaser', exact: true }).click()
  await change.click()
  return { screen, asked }
}
const change = page.getByRole('button', { name: 'Change options of 15s Teaser' })
const board = page.getByRole('dialog', { name: 'Moments of 15s Teaser' })
const press = (name: string) => board.getByRole('button', { name, exact: true })
const shown = board.getByRole('radiogroup', { name: 'Moments that will be delivered, in order' })
const times = () =>
  shown
    .getByRole('radio')
    .elements()
    .map((each) => /, (.*?)(, locked)?$/.exec(each.getAttribute('aria-label') ?? '')?.[1])
const note = board.getByText(/so these are evenly spaced\./)

test('NOW-04 before the video has arrived the board opens by its file, without the server, and keeps the choice', async () => {
  const { screen, asked } = await openBoard()
  await expect.element(board.getByText(/^Your video has not arrived yet/)).toBeVisible()
  expect(times()).toHaveLength(6)
  await expect.poll(() => board.element().querySelectorAll('img').length).toBeGreaterThan(12)
  // Strict mode begins twice; else each picture is made once.
  const places = asked.slice(1).flat()
  expect(new Set(places).size).toBe(places.length)
  const first = times()
  await press('Lock').click()
  await shown.getByRole('radio').nth(2).click()
  await press('Swap').click()
  await expect.element(board.getByText(/^Moment 3 now begins at /)).toBeVisible()
  await press('Never show').click()
  await expect.element(board.getByRole('heading', { name: 'Never shown' })).toBeVisible()
  const own = board.getByRole('form', { name: 'Add a moment of your own' })
  await own.getByLabelText('Begins at').fill('0:54.0')
  await own.getByLabelText('Ends at').fill('0:55.2')
  await own.getByRole('button', { name: 'Add moment' }).click()
  expect(times()[0]).toBe(first[0])
  const chosen = times()
  // Own points have their picture too.
  await expect.poll(() => asked.flat()).toContain(54_600)
  await press('Apply').click()
  await expect.element(board).not.toBeInTheDocument()
  await expect.element(page.getByText(/moments chosen by you/)).toBeVisible()
  const [request] = (await screen.db.selections.get(idOf(2)))?.requests ?? []
  expect(request).toMatchObject({
    payload: { moments: { shown: expect.arrayContaining([expect.anything()]) } },
  })

  // Now the server has searched it: its candidates, and the choice of the person.
  screen.server.answer({ getUploadMoments: { uploadMoments: fakeUploadMoments() } })
  await screen.db.uploads.update('local-upload', { state: { kind: 'verifying' } })
  await change.click()
  await expect.element(shown).toBeVisible()
  await expect.element(note).not.toBeInTheDocument()
  expect(times()).toEqual(chosen)
})

test('NOW-04 a board that is open stays as it is when the search of the server ends', async () => {
  const searching = fakeUploadMoments({ state: 'searching', moments: [], pictures: null })
  const { screen } = await openBoard(
    { state: { kind: 'verifying' } },
    { getUploadMoments: { uploadMoments: searching } },
  )
  await expect.element(board.getByText(/^Your video has not been searched yet/)).toBeVisible()
  await press('Swap').click()
  const before = times()
  screen.server.answer({ getUploadMoments: { uploadMoments: fakeUploadMoments() } })
  await screen.clock.advance(20_000)
  expect(times()).toEqual(before)
  await expect.element(note).toBeVisible()
})

test('NOW-04 where the server does not answer, the file is enough', async () => {
  const { screen } = await openBoard(
    { state: { kind: 'verifying' } },
    { getUploadMoments: unreachable },
  )
  await screen.letTimePassUntil(shown)
  await expect.element(note).toBeVisible()
})

test('NOW-04 without pictures the board goes by the times, and says so', async () => {
  await page.viewport(360, 780)
  onTestFinished(() => page.viewport(1280, 800))
  let calls = 0
  const pictures: Pictures = async () => {
    calls += 1
    return err({ code: 'probe/no-video' })
  }
  await openBoard({ pictures })
  await expect.element(board.getByText(/cannot make pictures of it/)).toBeVisible()
  expect(times()).toHaveLength(6)
  await expect.element(board.getByRole('button', { name: /, show it$/ }).first()).toBeVisible()
  // Strict mode, in which a file opens a page the first time, begins twice.
  expect(calls).toBeLessThanOrEqual(2)
  expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(360)
})

test('NOW-04 where the file cannot be read here the board says what it waits for', async () => {
  await openBoard(
    { isHeld: false },
    {
      getUploadMoments: {
        uploadMoments: fakeUploadMoments({ state: 'unchecked', source: null, pictures: null }),
      },
    },
  )
  await expect.element(board.getByText(/once your video is uploaded and checked/)).toBeVisible()
})

/** A search of the device that ends when it is told to. */
function searchOfDevice() {
  const search = Promise.withResolvers<Result<FoundMoments, FindFailure>>()
  const findMoments: Media['findMoments'] = async (_file, _source, _options, onShare) => {
    onShare(0.4)
    return search.promise
  }
  return { findMoments, end: search.resolve }
}
const found = { moments: fakeUploadMoments().moments, isQuick: false } as const

test('NOW-04 the board proposes what the device finds, unless something was changed, and keeps it', async () => {
  const search = searchOfDevice()
  const { screen } = await openBoard({ findMoments: search.findMoments })
  await expect
    .element(board.getByText(/Your device looks for better ones: 40 %\. You can take others\./))
    .toBeVisible()
  const even = times()
  search.end(ok(found))
  await expect.element(board.getByText(/^Your device found these moments/)).toBeVisible()
  await expect.element(board.getByText('These moments were found in your video.')).toBeVisible()
  expect(times()).toHaveLength(6)
  expect(times()).not.toEqual(even)
  // What was found stays, so that a reload does not search again.
  const proposed = times()
  expect(await screen.db.foundMoments.get('local-upload')).toMatchObject(found)
  await press('Cancel').click()
  await screen.db.foundMoments.update('local-upload', { isQuick: true })
  await change.click()
  await expect.element(board.getByText(/found these moments by a quick choice/)).toBeVisible()
  expect(times()).toEqual(proposed)
})

test('NOW-04 what a person changed stays when the device has found others', async () => {
  const search = searchOfDevice()
  await openBoard({ findMoments: search.findMoments })
  await expect.element(board.getByText(/looks for better ones/)).toBeVisible()
  await press('Swap').click()
  const changed = times()
  search.end(ok(found))
  await expect.element(board.getByText(/What you changed stays/)).toBeVisible()
  expect(times()).toEqual(changed)
})

test('NOW-04 a video that cannot be searched here keeps even moments, and says why', async () => {
  const search = searchOfDevice()
  await openBoard({ findMoments: search.findMoments })
  search.end(err({ code: 'find/no-decoder' }))
  await expect.element(board.getByText(/This browser cannot decode your video/)).toBeVisible()
  await expect.element(note).toBeVisible()
  expect(times()).toHaveLength(6)
})
