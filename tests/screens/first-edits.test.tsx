import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { mediaJobToRow, orderToRow } from '#src/local/db/to-rows.ts'
import { wallets } from '#src/local/nouns/wallets.ts'
import type { UploadRow } from '#src/local/db/rows.ts'
import {
  fakeMediaJob,
  fakeOrder,
  fakeUploadRequest,
  fakeUploadRow,
  fakeWallet,
  idOf,
} from '#tests/fakes/fake-rows.ts'
import { NOW, openScreen, type Rows } from './harness/open-screen.tsx'
import type { Answers } from './harness/fake-server.ts'
import { fakeTask } from './harness/things.ts'

const MB = 1_000_000
const CHECKOUT = `/uploads/orders/${idOf(3)}/checkout`
const order = fakeOrder()
const job = fakeMediaJob({ orderIsPlaced: true, orderId: idOf(3), tasks: [fakeTask()] })
const answers: Answers = {
  getOrder: { order },
  getMediaJob: { mediaJob: job },
  listOrderMediaJobs: { mediaJobs: [{ ...job, uploadRequest: fakeUploadRequest() }] },
  listMediaJobOrders: { orders: [order] },
  listWallets: { wallets: [fakeWallet()] },
  getUploadRequestMetadata: { uploadRequest: fakeUploadRequest() },
}
const plan = { partSizeBytes: 8 * MB, partCount: 3_125, sizeBytes: 25_000 * MB }
const video = fakeUploadRow({
  uploadRequestId: idOf(2),
  plan,
  file: { name: 'beach.mp4', sizeBytes: 25_000 * MB, lastModifiedEpochMs: 1, type: 'video/mp4' },
})
const excerpt = (changes: Partial<UploadRow> = {}): UploadRow =>
  fakeUploadRow({
    id: 'local-excerpt',
    uploadRequestId: idOf(90),
    purpose: 'excerpt',
    excerpt: {
      uploadId: video.id,
      uploadRequestId: idOf(2),
      stretches: [{ startMs: 0, endMs: 15_000 }],
    },
    file: { ...video.file, sizeBytes: 98 * MB },
    safeBytes: 34 * MB,
    ...changes,
  })
const rows = (uploads: readonly UploadRow[]): Rows => ({
  orders: [orderToRow(order, NOW)],
  mediaJobs: [mediaJobToRow(job, NOW)],
  wallets: [wallets.toRow(fakeWallet(), NOW)],
  uploads,
})
const seen = {
  uploadId: 'local-excerpt',
  safeBytes: 34 * MB,
  inFlightBytes: 0,
  bytesPerSecond: 125_000,
  secondsLeft: 512,
  quietForMs: 0,
  pause: null,
  isUnsaved: false,
}

test('NOW-01 the page of an order says how much of what its edits need has been sent', async () => {
  await openScreen({
    path: CHECKOUT,
    rows: rows([video, excerpt()]),
    answers,
    uploads: { progress: [seen] },
  })
  const bar = page.getByRole('progressbar', { name: 'What your first edits need' })
  await expect.element(bar).toHaveAttribute('aria-valuetext', '34 of 98 MB')
  await expect.element(page.getByText('About 9 min. The rest of your video follows.')).toBeVisible()
})

test('NOW-01 the list of uploads shows a video and its excerpt as one, with what is sent first', async () => {
  await openScreen({
    path: '/edits',
    rows: rows([video, excerpt()]),
    answers,
    uploads: { progress: [seen] },
  })
  const panel = page.getByRole('complementary', { name: 'Upload' })
  await expect.element(panel.getByText('Sending first what your edits need')).toBeInTheDocument()
  expect(panel.getByRole('progressbar').elements()).toHaveLength(1)
})

test('NOW-01 the page of an order says that what its edits need has arrived', async () => {
  await openScreen({
    path: CHECKOUT,
    rows: rows([video, excerpt({ state: { kind: 'done', doneAtEpochMs: NOW } })]),
    answers,
  })
  await expect.element(page.getByText(/^What your first edits need has arrived\./)).toBeVisible()
})

test('NOW-01 an excerpt that the server did not take is not spoken of', async () => {
  await openScreen({
    path: CHECKOUT,
    rows: rows([video, excerpt({ state: { kind: 'expired' } })]),
    answers,
  })
  await expect.element(page.getByRole('heading', { name: 'Order & pay' })).toBeVisible()
  const panel = page.getByRole('complementary', { name: 'Upload' })
  await expect.element(panel.getByText('Uploading')).toBeInTheDocument()
  expect(page.getByText(/your first edits need/).elements()).toHaveLength(0)
})
