import { expect, onTestFinished, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import type { components } from '#openapi/schema.gen.ts'
import { assetThumbnailKey } from '#src/local/db/asset-pictures.ts'
import { pictureOf } from '#src/local/db/images.ts'
import { uploadPosterKey } from '#src/local/db/posters.ts'
import { mediaJobToRow, orderToRow } from '#src/local/db/to-rows.ts'
import { mediaAssets } from '#src/local/nouns/media-assets.ts'
import { jobThumbnailKey } from '#src/local/sync/images.ts'
import {
  fakeMediaAsset,
  fakeMediaJob,
  fakeOrder,
  fakeUploadRequest,
  fakeUploadRow,
  idOf,
} from '#tests/fakes/fake-rows.ts'
import { ok } from '#src/lib/result.ts'
import { pending, picture } from './harness/fake-server.ts'
import { NOW, openScreen, type Screen } from './harness/open-screen.tsx'
import { fakeOutput, fakeTask } from './harness/things.ts'

const PATH = '/user-profile'
const answers = { listSessions: { sessions: [] } }
const LOOK = 'Call it “Planner” on this device'
const WORDS = 'Plain words in mails and messages, and plain file names'
const boxOf = (name: string) => page.getByRole('checkbox', { name })

/** What the head of the built page has. */
function withIcons(): HTMLLinkElement {
  const link = document.createElement('link')
  link.rel = 'manifest'
  link.href = '/manifest.webmanifest'
  document.head.append(link)
  onTestFinished(() => link.remove())
  return link
}

function show(state: DocumentVisibilityState): void {
  vi.spyOn(document, 'visibilityState', 'get').mockReturnValue(state)
  document.dispatchEvent(new Event('visibilitychange'))
}

/** Read until it holds: the change is a transition without length. */
const shown = () => getComputedStyle(document.body).visibility

test('PHO-05 a device whose user chose so has a plain name and a cover, on every screen', async () => {
  onTestFinished(() => void vi.restoreAllMocks())
  const manifest = withIcons()
  const screen = await openScreen({ path: PATH, answers })
  await expect.element(boxOf(LOOK)).not.toBeChecked()
  expect(document.title).toBe('Your Account · Onecut')
  show('hidden')
  await expect.poll(shown).toBe('visible')
  await page.getByText(LOOK).click()
  await expect.element(boxOf(LOOK)).toBeChecked()
  await expect.poll(() => document.title).toBe('Planner')
  expect(manifest.getAttribute('href')).toBe('/plain.webmanifest')
  await screen.goTo('/help')
  await expect.element(page.getByRole('heading', { level: 1 })).toBeVisible()
  expect(document.title).toBe('Planner')
  show('hidden')
  await expect.poll(shown).toBe('hidden')
  show('visible')
  await expect.poll(shown).toBe('visible')
  await screen.goTo(PATH)
  await page.getByText(LOOK).click()
  await expect.poll(() => document.title).toBe('Your Account · Onecut')
  expect(manifest.getAttribute('href')).toBe('/manifest.webmanifest')
})

test('PHO-05 plain words and names are chosen for the account, and wait for a connection', async () => {
  const screen = await openScreen({
    path: PATH,
    answers: {
      ...answers,
      updateProfile: { userProfile: { profession: 'Creator/Model', discreet: true } },
    },
  })
  await page.getByText(WORDS).click()
  await expect.element(boxOf(WORDS)).toBeChecked()
  await expect
    .poll(() => screen.server.calls('updateProfile').map(({ body }) => body))
    .toEqual([{ userProfile: { discreet: true } }])
})

const MOSAIC_WIDTH = 24
type Output = components['schemas']['Output']

/** A picture with something to be seen in it. */
async function aPicture(): Promise<Blob> {
  const canvas = new OffscreenCanvas(640, 360)
  const context = canvas.getContext('2d')
  for (let x = 0; x < 640; x += 20) {
    if (context !== null) context.fillStyle = `hsl(${x} 90% 50%)`
    context?.fillRect(x, x / 4, 20, 180)
  }
  return await canvas.convertToBlob({ type: 'image/jpeg' })
}

const drawn = () =>
  [...document.querySelectorAll<HTMLImageElement>('img[src^="blob:"]')].map(
    ({ naturalWidth }) => naturalWidth,
  )
const storedWidths = async ({ db }: Pick<Screen, 'db'>) =>
  await Promise.all(
    (await db.images.toArray()).map(async (row) => {
      const { width } = await createImageBitmap(pictureOf(row))
      return width
    }),
  )
const allMosaics = (count: number) => Array.from({ length: count }, () => MOSAIC_WIDTH)

/** A device with a picture of each kind, whose user becomes discreet. */
async function becomeDiscreet(): Promise<Screen> {
  const seen = await aPicture()
  const outputs: Output[] = [
    fakeOutput({ fileName: 'still.jpg', contentType: 'image/jpeg', downloadUrl: '/never-asked' }),
    fakeOutput({ _id: idOf(71), contentType: 'video/mp4', downloadUrl: '/never-asked' }),
  ]
  const job = fakeMediaJob({
    name: 'beach day',
    orderIsPlaced: true,
    orderId: idOf(3),
    thumbnailUrl: `/editors/api/v1/media-jobs/${idOf(1)}/thumbnail`,
    progressRatio: 1,
    tasks: [fakeTask({ status: 'succeeded', outputs })],
  })
  const order = fakeOrder()
  const asset = fakeMediaAsset({
    format: {
      slug: 'image',
      thumbnailUrl: `/editors/api/v1/media-assets/${idOf(40)}/thumbnail`,
      width: 400,
      height: 300,
    },
  })
  const keys = [
    jobThumbnailKey(job._id),
    uploadPosterKey('u'),
    assetThumbnailKey(asset._id),
    ...[0, 1].map((index) => `filmstrip:u:${index}`),
  ]
  const upload = fakeUploadRow({
    id: 'u',
    uploadRequestId: idOf(2),
    state: { kind: 'paused', by: 'user' } as never,
    plan: { partSizeBytes: 500, partCount: 2, sizeBytes: 1000 },
  })
  const screen = await openScreen({
    path: PATH,
    rows: {
      mediaJobs: [mediaJobToRow(job, NOW)],
      orders: [orderToRow(order, NOW)],
      mediaAssets: [mediaAssets.toRow(asset, NOW)],
      uploads: [upload],
      images: keys.map((key) => ({ key, blob: seen, savedAtEpochMs: NOW })),
    },
    answers: {
      ...answers,
      listMediaJobsPage: { mediaJobs: [job], pagination: { nextCursor: null } },
      getMediaJob: { mediaJob: job },
      getOrder: { order },
      listMediaJobOrders: { orders: [order] },
      listOrderMediaJobs: { mediaJobs: [{ ...job, uploadRequest: fakeUploadRequest() }] },
      listMediaAssets: pending,
      listUploadRequests: pending,
      getMediaJobThumbnail: () => picture(seen),
      getMediaAssetThumbnail: () => picture(seen),
    },
    uploads: {
      bridge: { heldFile: () => new File(['video'], 'beach.mp4') },
      media: { poster: async () => ok(seen) },
    },
  })
  expect(await storedWidths(screen)).toEqual([640, 640, 640, 640, 640])
  await page.getByText(LOOK).click()
  await expect.poll(() => storedWidths(screen)).toEqual(allMosaics(keys.length))
  return screen
}

const shows = (name: string) => page.getByRole('button', { name, exact: true }).first()

/** Mosaics are drawn; a press shows the picture, which is not kept, and a press hides it. */
async function looksOnce(screen: Screen, name: string): Promise<void> {
  await expect.poll(() => drawn().length).toBeGreaterThan(0)
  expect(drawn().filter((width) => width !== MOSAIC_WIDTH && width !== 0)).toEqual([])
  await shows(`Show the picture of ${name}`).click()
  await expect.poll(drawn).toContain(640)
  expect(await storedWidths(screen)).toEqual(allMosaics(5))
  await shows(`Hide the picture of ${name}`).click()
  await expect.poll(drawn).not.toContain(640)
}

test('PHO-05 a discreet device stores and draws mosaics in the library, with orders and results', async () => {
  const screen = await becomeDiscreet()
  await screen.goTo('/edits')
  await looksOnce(screen, 'beach day')
  await page.getByRole('button', { name: /^Show Edits/ }).click()
  await expect.element(shows('Show still.jpg')).toBeVisible()
  expect(document.querySelectorAll('main video, img[src*="never-asked"]')).toHaveLength(0)
  await shows('Show still.jpg').click()
  // There is none at that address, which the browser learns when it asks.
  await expect.element(page.getByText('The preview could not be loaded.')).toBeVisible()
  await screen.goTo(`/uploads/media-jobs/${idOf(1)}/status`)
  await looksOnce(screen, 'beach day')
})

test('PHO-05 a discreet device draws mosaics of uploads and assets, also of the file that it has', async () => {
  const screen = await becomeDiscreet()
  await screen.goTo('/uploads/new')
  await looksOnce(screen, 'beach.mp4')
  await screen.goTo('/media-assets')
  await looksOnce(screen, 'Opening logo')
  // A wide picture leaves no bars beside it, as its whole rows of pixels would.
  const mosaic = document.querySelector('main li img[src^="blob:"]')
  expect(mosaic === null ? null : getComputedStyle(mosaic).objectFit).toBe('fill')
  await screen.goTo(`/uploads/${idOf(2)}/media-jobs/new`)
  await looksOnce(screen, 'beach.mp4')
  expect(await storedWidths(screen)).toEqual(allMosaics(5))
})

test('PHO-05 a picture that is looked at is covered again when the page goes out of sight', async () => {
  onTestFinished(() => void vi.restoreAllMocks())
  const screen = await becomeDiscreet()
  await screen.goTo('/edits')
  await shows('Show the picture of beach day').click()
  await expect.poll(drawn).toContain(640)
  show('hidden')
  await expect.poll(drawn).not.toContain(640)
  show('visible')
})

test('PHO-05 pictures come back with the next visit of the library when the device is discreet no more', async () => {
  const screen = await becomeDiscreet()
  await page.getByText(LOOK).click()
  await expect.poll(() => storedWidths(screen)).toEqual([])
  await screen.goTo('/edits')
  await expect.poll(() => storedWidths(screen)).toEqual([640])
  await expect.poll(drawn).toEqual([640])
})
