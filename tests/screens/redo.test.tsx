import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import type { components } from '#openapi/schema.gen.ts'
import { mediaJobToRow } from '#src/local/db/to-rows.ts'
import { wallets } from '#src/local/nouns/wallets.ts'
import { fakeUploadMoments } from '#tests/fakes/fake-moments.ts'
import {
  fakeMediaJob,
  fakeOrder,
  fakeUploadRequest,
  fakeWallet,
  idOf,
} from '#tests/fakes/fake-rows.ts'
import { refused, unreachable, type Answers } from './harness/fake-server.ts'
import { NOW, openScreen } from './harness/open-screen.tsx'
import { fakeOutput, fakeTask } from './harness/things.ts'

type Schemas = components['schemas']

const DAY_MS = 86_400_000
const PATH = `/uploads/${idOf(2)}/edits/${idOf(600)}/again`
const isoIn = (ms: number) => new Date(NOW + ms).toISOString()
const file = (n: number, fileName: string) =>
  fakeOutput({ _id: idOf(n), fileName, contentType: 'video/mp4', duration: 15_000 })
const delivered = fakeTask({
  status: 'succeeded',
  redoUntil: isoIn(6 * DAY_MS),
  outputs: [file(700, 'first.mp4')],
})
const finished = (changes: Partial<Schemas['MediaJob']> = {}): Schemas['MediaJob'] =>
  fakeMediaJob({
    name: 'beach',
    isMediaWorkflowStarted: true,
    isUploadRequestCompleted: true,
    isUploadRequestValidated: true,
    orderIsPlaced: true,
    orderId: idOf(3),
    progressRatio: 1,
    videoDuration: 120_000,
    attestedAt: isoIn(-DAY_MS),
    tasks: [delivered],
    ...changes,
  })
const watermark = finished({
  tasks: [{ ...delivered, name: 'Dynamic Watermark', mediaJobTaskPresetSlug: 'dynamic-watermark' }],
  mediaJobTaskRequests: [
    { mediaJobTaskPresetSlug: 'dynamic-watermark', payload: { text: '@wrong' } },
  ],
})
/** The redo of the delivered edit, finished. */
const redone = finished({
  _id: idOf(11),
  orderId: idOf(13),
  createdAt: isoIn(-1000),
  tasks: [
    fakeTask({
      _id: idOf(601),
      status: 'succeeded',
      redoOfTaskId: idOf(600),
      outputs: [file(701, 'second.mp4')],
    }),
  ],
})
const open = (path: string, jobs: readonly Schemas['MediaJob'][], answers: Answers = {}) => {
  const wallet = fakeWallet()
  return openScreen({
    path,
    rows: {
      mediaJobs: jobs.map((job) => mediaJobToRow(job, NOW)),
      wallets: [wallets.toRow(wallet, NOW)],
    },
    answers: {
      listWallets: { wallets: [wallet] },
      getOrder: { order: fakeOrder({ status: 'paid', isFullyPaid: true }) },
      listMediaJobsPage: { mediaJobs: [...jobs], pagination: { nextCursor: null } },
      getUploadRequest: { uploadRequest: fakeUploadRequest({ isValidated: true }) },
      getUploadMoments: { uploadMoments: fakeUploadMoments() },
      getMomentPictures: refused(404, 'media-jobs/thumbnail-not-found'),
      ...answers,
    },
  })
}
const button = (name: string) => page.getByRole('button', { name, exact: true })

test('REC-24 another text is ordered at half price, once something was changed', async () => {
  const screen = await open(PATH, [watermark], {
    createMediaJob: { mediaJob: finished({ _id: idOf(11), isMediaWorkflowStarted: false }) },
    createOrder: { order: fakeOrder({ mediaJobId: idOf(11) }) },
    getMediaJob: { mediaJob: finished({ _id: idOf(11), isMediaWorkflowStarted: false }) },
    listMediaJobOrders: { orders: [] },
    // The checkout may open before the test ends.
    listOrderMediaJobs: {
      mediaJobs: [{ ...finished({ _id: idOf(11) }), uploadRequest: fakeUploadRequest() }],
    },
  })
  await expect.element(page.getByText('Half price: 20 tokens instead of 40 tokens.')).toBeVisible()
  await expect.element(page.getByText(/^Change something first/)).toBeVisible()
  await expect.element(button('Submit for Editing')).toBeDisabled()
  await button('Change options').click()
  await page.getByRole('dialog').getByRole('textbox').fill('@right')
  await button('Apply').click()
  await expect.element(page.getByText('@right')).toBeVisible()
  await expect.element(page.getByText('1 edit · 20 tokens')).toBeVisible()
  await button('Submit for Editing').click()
  await expect.poll(() => screen.server.calls('createMediaJob').length).toBe(1)
  expect(screen.server.calls('createMediaJob')[0]?.body).toEqual({
    mediaJob: {
      uploadRequestId: idOf(2),
      mediaJobTaskRequests: [
        {
          mediaJobTaskPresetSlug: 'dynamic-watermark',
          payload: { text: '@right', size: 'medium', strength: 'medium' },
        },
      ],
      redoOfTaskId: idOf(600),
    },
  })
})

test('REC-24 DEL-01 a tube cut from before that was the whole video says what to change, and keeps the rest', async () => {
  const cut = finished({
    tasks: [{ ...delivered, name: 'Tube Cut', mediaJobTaskPresetSlug: 'tube-cut' }],
    mediaJobTaskRequests: [
      {
        mediaJobTaskPresetSlug: 'tube-cut',
        payload: { targetDuration: 360_000, introMediaAssetIds: [], outroMediaAssetIds: [] },
      },
    ],
  })
  await open(PATH, [cut])
  const words = page.getByText(/^Tube Cut: Your video is 2 min long, so this would be all of it/)
  await expect.element(words).toBeVisible()
  await expect.element(page.getByText('Full length')).toBeVisible()
  await button('Change options').click()
  await page.getByRole('dialog').getByRole('textbox').fill('0.5')
  await button('Apply').click()
  await expect.element(words).not.toBeInTheDocument()
  await expect.element(page.getByText('Up to 30 s')).toBeVisible()
  await expect.element(button('Submit for Editing')).toBeEnabled()
})

test('REC-24 other moments are chosen on the board, and the same ones are no change', async () => {
  await open(PATH, [finished()])
  const board = page.getByRole('dialog', { name: 'Moments of 15s Teaser' })
  await button('Change moments').click()
  await board.getByRole('button', { name: 'Apply' }).click()
  await expect.element(page.getByText(/^Change something first/)).toBeVisible()
  await button('Change moments').click()
  await board.getByRole('button', { name: 'Surprise me' }).click()
  await board.getByRole('button', { name: 'Apply' }).click()
  await expect.element(page.getByText('6 moments chosen by you')).toBeVisible()
  await expect.element(button('Submit for Editing')).toBeEnabled()
})

test('WAY-05 REC-24 the library leads to it until seven days are over, and where something can be changed', async () => {
  const late = { ...delivered, _id: idOf(602), name: 'Late', redoUntil: isoIn(-1) }
  const scene = { ...delivered, _id: idOf(603), name: 'Scene' } as const
  await open('/edits', [
    finished({
      tasks: [delivered, late, { ...scene, mediaJobTaskPresetSlug: 'denoised-full-scene' }],
    }),
  ])
  await button('Show Edits of beach').click()
  const links = page.getByRole('link', { name: /^Change this edit/ })
  await expect.element(links).toHaveTextContent('Change this edit: 15s Teaser')
  await expect.element(page.getByText(/^At half price until \w+ \d+, 2026\.$/)).toBeVisible()
  await links.click()
  await expect.element(page.getByRole('heading', { name: 'Change this edit' })).toBeVisible()
})

test('REC-24 before and after stand side by side without a network, and half price is used', async () => {
  const screen = await open('/edits', [finished(), redone], { listMediaJobsPage: unreachable })
  await page
    .getByRole('button', { name: /^Show Edits of beach/ })
    .first()
    .click()
  const before = page.getByRole('region', { name: 'Before' })
  await expect.element(before.getByText('first.mp4')).toBeVisible()
  const after = page.getByRole('region', { name: 'After' })
  await expect.element(after.getByText('second.mp4')).toBeVisible()
  await expect
    .element(page.getByRole('link', { name: /^Change this edit/ }))
    .not.toBeInTheDocument()
  await screen.goTo(PATH)
  await expect.element(page.getByText('This edit cannot be made again at half price')).toBeVisible()
  await expect.element(page.getByRole('link', { name: 'Show the new edit' })).toBeVisible()
})
