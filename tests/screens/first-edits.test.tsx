import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { mediaJobToRow, orderToRow } from '#src/local/db/to-rows.ts'
import { wallets } from '#src/local/nouns/wallets.ts'
import type { UploadRow } from '#src/local/db/rows.ts'
import type { TaskRequest } from '#src/local/edits/task-requests.ts'
import type { ProbeReport } from '#src/local/probe/report.ts'
import {
  fakeMediaJob,
  fakeOrder,
  fakeUploadRequest,
  fakeUploadRow,
  fakeWallet,
  idOf,
} from '#tests/fakes/fake-rows.ts'
import { NOW, openScreen, type Rows } from './harness/open-screen.tsx'
import { refused, type Answers } from './harness/fake-server.ts'
import { makeSmallMovie } from './harness/small-movie.ts'
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

test('NOW-01 of two excerpts the order shows the one that is on its way', async () => {
  await openScreen({
    path: CHECKOUT,
    rows: rows([
      video,
      excerpt({ id: 'local-first', state: { kind: 'done', doneAtEpochMs: NOW } }),
      excerpt({ createdAtEpochMs: 2 }),
    ]),
    answers,
    uploads: { progress: [seen] },
  })
  const bar = page.getByRole('progressbar', { name: 'What your first edits need' })
  await expect.element(bar).toHaveAttribute('aria-valuetext', '34 of 98 MB')
})

const PROBE = {
  engine: 'mediabunny',
  container: 'MP4',
  sizeBytes: 25_000 * MB,
  durationMs: 120_000,
  video: { codec: 'h264', displayWidth: 1920, displayHeight: 1080, frameRate: 25, isHdr: false },
  audio: null,
  findings: [],
} as unknown as ProbeReport
const sending = { ...seen, uploadId: video.id, safeBytes: 0 }
/** They add up to the teaser: 15 s, and two fades of a quarter of a second. */
const moments = {
  shown: [8_211, 19_333, 33_489].map((startMs) => ({
    startMs,
    endMs: startMs + 5_167,
    isLocked: false,
  })),
  banned: [],
}
const teaser = { mediaJobTaskPresetSlug: 'teaser-15s', payload: { moments } } as TaskRequest

test('NOW-01 what was ordered is sent first by a page that opens, once', async () => {
  const ordered = { ...job, mediaJobTaskRequests: [teaser] }
  const file = await makeSmallMovie('beach.mp4', 120_000)
  const { db } = await openScreen({
    path: CHECKOUT,
    rows: {
      ...rows([{ ...video, probe: PROBE }]),
      mediaJobs: [mediaJobToRow(ordered, NOW)],
    },
    answers: {
      ...answers,
      getMediaJob: { mediaJob: ordered },
      listOrderMediaJobs: { mediaJobs: [{ ...ordered, uploadRequest: fakeUploadRequest() }] },
    },
    uploads: { progress: [sending], bridge: { heldFile: () => file } },
  })
  const sent = () => db.uploads.filter(({ purpose }) => purpose === 'excerpt').toArray()
  await expect.poll(sent).toHaveLength(1)
  const [row] = await sent()
  expect(row?.excerpt).toMatchObject({ uploadId: video.id, uploadRequestId: idOf(2) })
  const panel = page.getByRole('complementary', { name: 'Upload' })
  await expect.element(panel.getByText('Uploading')).toBeInTheDocument()
  expect(await sent()).toHaveLength(1)
})

test.each([
  ['AVI', [0x52, 0x49, 0x46, 0x46, 0, 0, 0, 0], /a part of an AVI cannot be sent first/],
  [
    'MKV',
    [
      0x1a, 0x45, 0xdf, 0xa3, 0x87, 0x42, 0x82, 0x84, 0x77, 0x65, 0x62, 0x6d, 0x18, 0x53, 0x80,
      0x67, 0xff,
    ],
    /a part of an MKV without an index cannot be sent first/,
  ],
  ['MP4', [0, 0, 0, 8, 0x6d, 0x6f, 0x6f, 0x66], /a part of an MP4 cannot be sent first/],
] as const)('NOW-01 of a file of which no part can be sent first it is said: %s', async (...of) => {
  const [container, bytes, words] = of
  const file = new File([new Uint8Array(bytes)], 'beach')
  const { uploads } = await openScreen({
    path: `/uploads/${idOf(2)}/media-jobs/new`,
    rows: {
      uploads: [{ ...video, probe: { ...PROBE, container } }],
      wallets: [wallets.toRow(fakeWallet(), NOW)],
    },
    answers: {
      listWallets: { wallets: [fakeWallet()] },
      getUploadRequestMetadata: { uploadRequest: fakeUploadRequest() },
      getMomentPictures: refused(404, 'media-jobs/thumbnail-not-found'),
    },
    // At so many bytes a second nothing would be gained.
    uploads: {
      progress: [{ ...sending, bytesPerSecond: 1000 * MB }],
      bridge: { heldFile: () => file },
    },
  })
  await page.getByRole('button', { name: '15s Teaser', exact: true }).click()
  await expect
    .element(page.getByRole('button', { name: 'Change options of 15s Teaser' }))
    .toBeVisible()
  expect(page.getByText(words).elements()).toHaveLength(0)
  uploads.report(sending)
  await expect.element(page.getByText(words)).toBeVisible()
})
