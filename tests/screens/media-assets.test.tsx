import { describe, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { ok } from '#src/lib/result.ts'
import { assetThumbnailKey } from '#src/local/db/asset-pictures.ts'
import { optionsDraftKey } from '#src/local/db/form-drafts.ts'
import { mediaAssets, type MediaAsset } from '#src/local/nouns/media-assets.ts'
import { fakeMediaAsset, fakeUploadRequest, fakeUploadRow, idOf } from '#tests/fakes/fake-rows.ts'
import { ASSET_ROOM, CREATOR } from './harness/creator.ts'
import { done, pending, refused, type Call } from './harness/fake-server.ts'
import { NOW, openScreen, type ScreenOptions } from './harness/open-screen.tsx'

const PIXEL = 'R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7'
const LONG_NAME = 'My very long opening logo of the summer of 2026 by the sea'
const listOf = (...assets: MediaAsset[]) => ({
  mediaAssets: assets,
  mediaAssetRoom: ASSET_ROOM,
})
const roomOf = (count: number) => ({ ...ASSET_ROOM, count })
const KINDS: readonly MediaAsset[] = [
  fakeMediaAsset({ _id: idOf(44), name: 'Just now', format: null }),
  fakeMediaAsset({ name: LONG_NAME }),
  fakeMediaAsset({
    _id: idOf(42),
    name: 'Logo',
    format: { slug: 'image', thumbnailUrl: null, width: 400, height: 300 },
  }),
  fakeMediaAsset({
    _id: idOf(43),
    name: 'Jingle',
    format: { slug: 'audio', previewUrl: '/preview-of-jingle', duration: 3_723_000 },
  }),
  fakeMediaAsset({
    _id: idOf(45),
    name: 'Notes',
    format: { slug: 'unsupported', reason: 'This file is no video, picture or sound.' },
  }),
]
const asset = (name: string) => page.getByRole('listitem').filter({ hasText: name })
const button = (name: string) => page.getByRole('button', { name, exact: true })
const alert = page.getByRole('main').getByRole('alert')
const file = (name: string, type: string) => new File(['some bytes'], name, { type })
const openAssets = (options: Partial<ScreenOptions> = {}) =>
  openScreen({ path: '/media-assets', ...options })
const withKinds = (options: Partial<ScreenOptions> = {}) =>
  openAssets({ answers: { listMediaAssets: listOf(...KINDS) }, ...options })

describe('files that another device has begun', () => {
  const begun = fakeUploadRequest({
    _id: idOf(88),
    purpose: 'media-asset',
    receivedBytes: 0,
    createdAt: new Date(NOW - 60_000).toISOString(),
  })
  const { clientFilename } = begun.upload.metadata
  const elsewhere = page.getByRole('region', { name: 'Unfinished uploads from elsewhere' })
  const answers = {
    listMediaAssets: listOf(),
    listUploadRequests: ({ query }: Call) => ({
      uploadRequests: query.get('purpose') === 'media-asset' ? [begun] : [],
      pagination: { nextCursor: null },
    }),
  }

  test('AST-01 are listed, with the way to go on here, and can be discarded', async () => {
    const screen = await openAssets({ answers })
    await expect.element(elsewhere.getByText(clientFilename)).toBeVisible()
    await expect.element(elsewhere.getByText('Nothing has arrived yet.')).toBeVisible()
    const choose = elsewhere.getByRole('button', { name: `Choose ${clientFilename} again` })
    await expect.element(choose).toBeVisible()
    await elsewhere.getByRole('button', { name: `Discard: ${clientFilename}` }).click()
    await expect.element(page.getByText(`${clientFilename} was discarded.`)).toBeVisible()
    await expect.element(elsewhere).not.toBeInTheDocument()
    const asked = screen.server.calls('listUploadRequests').map(({ query }) => query.get('purpose'))
    expect(asked).toContain('media-asset')
  })

  test('AST-01 an own file that has become an asset is none, however old the list of files is', async () => {
    const made = fakeMediaAsset({ _id: idOf(40), uploadRequestId: idOf(88) })
    await openAssets({
      answers: {
        ...answers,
        listMediaAssets: listOf(made),
        listUploadRequests: {
          uploadRequests: [begun, { ...begun, _id: idOf(89) }],
          pagination: { nextCursor: null },
        },
      },
      rows: { mediaAssets: [mediaAssets.toRow(made, NOW)] },
    })
    await expect.element(elsewhere).toBeVisible()
    expect(elsewhere.getByRole('listitem').elements()).toHaveLength(1)
  })

  test('AST-01 are not listed where this device has them', async () => {
    await openAssets({
      answers,
      rows: {
        uploads: [fakeUploadRow({ uploadRequestId: idOf(88), purpose: 'media-asset' })],
      },
    })
    await expect.element(page.getByRole('list', { name: 'On their way' })).toBeVisible()
    await expect.element(elsewhere).not.toBeInTheDocument()
  })
})

describe('the guard of both screens', () => {
  test('APP-08 both need the right to create and to read assets', async () => {
    const permissions = CREATOR.permissions.filter((one) => one !== 'create:mediaAssets')
    const screen = await openAssets({ person: { ...CREATOR, permissions } })
    await expect.poll(screen.path).toBe('/not-authorized')
    await screen.goTo('/create-media-asset')
    await expect.poll(screen.path).toBe('/not-authorized')
  })

  test('APP-12 the menu of the account leads to the assets', async () => {
    const screen = await openScreen({ path: '/edits' })
    await button('Account').click()
    await page.getByRole('menuitem', { name: 'Media Assets' }).click()
    await expect.poll(screen.path).toBe('/media-assets')
    await expect.element(page.getByRole('heading', { name: 'Upload asset' })).toBeVisible()
  })
})

describe('the list of assets', () => {
  test('AST-02 APP-22 each kind has its card: picture or sound, length, 48 characters of its name', async () => {
    const picture = { key: assetThumbnailKey(idOf(40)), blob: PICTURE, savedAtEpochMs: NOW }
    await withKinds({ rows: { images: [picture] } })
    const pictures = () => document.querySelectorAll('main li img').length
    await expect.poll(pictures).toBe(1)
    await expect.element(asset('Just now').getByText('Processing...')).toBeVisible()
    const video = asset('My very long')
    await expect
      .element(
        video.getByRole('heading', { name: 'My very long opening logo of the summer of 2026…' }),
      )
      .toBeVisible()
    await expect.element(video.getByText('Type: video')).toBeVisible()
    await expect.element(video.getByText('0:00:12')).toBeVisible()
    await expect.element(asset('Logo').getByText('Type: image')).toBeVisible()
    await expect.element(asset('Jingle').getByText('1:02:03')).toBeVisible()
    const unsupported = asset('Notes')
    await expect.element(unsupported.getByText('Type: unsupported')).toBeVisible()
    await expect.element(unsupported.getByRole('img', { name: 'Not supported' })).toBeVisible()
    await expect.element(unsupported.getByText(/^This file is no video/)).toBeVisible()
  })

  test('AST-02 one player plays a sound, and says so when it cannot', async () => {
    await withKinds()
    await button('Play Jingle').click()
    await expect.element(page.getByText(/This sound cannot be played now/)).toBeVisible()
    await expect.element(button('Play Jingle')).toBeVisible()
  })

  test('AST-04 says what will be here, waits, and shows what the device has while it is offline', async () => {
    const screen = await openAssets()
    await expect
      .element(page.getByRole('heading', { name: 'Your assets will be here' }))
      .toBeVisible()
    screen.setNetwork('server-away')
    await screen.db.mediaAssets.put(mediaAssets.toRow(fakeMediaAsset(), NOW))
    await expect.element(asset('Opening logo').getByText('Type: video')).toBeVisible()
  })

  test('AST-04 a list that was empty before is no failure without a network', async () => {
    const facts = [{ key: 'list:mediaAssets', value: null, pulledAtEpochMs: NOW - 60_000 }]
    await openAssets({ rows: { facts }, network: 'offline' })
    await expect
      .element(page.getByRole('heading', { name: 'Your assets will be here' }))
      .toBeVisible()
    await expect
      .element(page.getByText(/It is updated as soon as the server answers\./))
      .toBeVisible()
    expect(alert.elements()).toEqual([])
  })

  test('AST-04 shows that it loads', async () => {
    await openAssets({ answers: { listMediaAssets: pending } })
    await expect.element(page.getByRole('status', { name: 'Loading your assets' })).toBeVisible()
  })

  test('AST-04 a failure says so, and another try brings the list', async () => {
    const screen = await openAssets({
      answers: { listMediaAssets: refused(422, 'request/invalid') },
    })
    await expect.element(alert.getByText('Unable to fetch media assets')).toBeVisible()
    screen.server.answer({ listMediaAssets: listOf(fakeMediaAsset()) })
    await button('Try Again').click()
    await expect.element(asset('Opening logo')).toBeVisible()
  })

  test('AST-04 a name is changed in its place, and kept in the field when the server refuses', async () => {
    const screen = await openAssets({
      answers: {
        listMediaAssets: listOf(fakeMediaAsset()),
        renameMediaAsset: refused(422, 'request/invalid', 'That name is not possible.'),
      },
    })
    await button('Rename Opening logo').click()
    const field = page.getByRole('textbox', { name: 'Name' })
    await field.fill('  ')
    await expect.element(button('Save')).toBeDisabled()
    await field.fill(' Closing logo ')
    await userEvent.keyboard('{Enter}')
    await expect.element(page.getByText('That name is not possible.')).toBeVisible()
    await expect.element(field).toHaveValue(' Closing logo ')
    screen.server.answer({
      renameMediaAsset: { mediaAsset: fakeMediaAsset({ name: 'Closing logo' }) },
    })
    await button('Save').click()
    await expect.element(page.getByRole('heading', { name: 'Closing logo' })).toBeVisible()
    expect(screen.server.calls('renameMediaAsset').at(-1)?.body).toEqual({
      mediaAsset: { name: 'Closing logo' },
    })
  })

  test('AST-04 the count agrees with what stands below it, and is asked for again', async () => {
    const screen = await openAssets({
      answers: {
        listMediaAssets: { ...listOf(fakeMediaAsset()), mediaAssetRoom: roomOf(1) },
        deleteMediaAsset: done(),
      },
    })
    const count = (words: string) => page.getByText(new RegExp(`^${words} of 200 assets`))
    await expect.element(count('1')).toBeVisible()
    const files = [41, 42, 43].map((id) =>
      fakeUploadRow({ id: `file-${id}`, purpose: 'media-asset', uploadRequestId: idOf(id) }),
    )
    const unsent = fakeUploadRow({ id: 'unsent', purpose: 'media-asset' })
    await screen.db.uploads.bulkAdd([...files, unsent])
    await expect.element(count('5')).toBeVisible()
    await screen.db.uploads.update('file-41', {
      state: { kind: 'failed', code: 'upload/invalid-file', message: null },
    })
    await expect.element(count('4')).toBeVisible()
    await button('Delete Opening logo').click()
    await expect.element(count('3')).toBeVisible()
    // Another device has added six.
    screen.server.answer({ listMediaAssets: { ...listOf(), mediaAssetRoom: roomOf(8) } })
    await screen.letTimePassUntil(count('9'))
  })

  test('AST-04 a deletion can be taken back for 5 s, and one that is refused says why', async () => {
    const screen = await openAssets({
      answers: {
        listMediaAssets: listOf(fakeMediaAsset()),
        deleteMediaAsset: refused(409, 'media-assets/in-use', 'A paid edit uses this asset.'),
      },
    })
    const card = asset('Opening logo')
    await button('Delete Opening logo').click()
    await expect.element(card).not.toBeInTheDocument()
    await button('Undo').click()
    await expect.element(card).toBeVisible()
    await button('Delete Opening logo').click()
    await screen.letTimePassUntil(page.getByText(/^A paid edit uses this asset\./))
    screen.server.answer({ deleteMediaAsset: done() })
    await card.getByRole('button', { name: 'Try Again' }).click()
    await expect.element(card).not.toBeInTheDocument()
    await expect.poll(() => screen.db.mediaAssets.count()).toBe(0)
  })
})

describe('uploading an asset', () => {
  const choose = async (...files: File[]) =>
    userEvent.upload(page.getByLabelText('Choose a file'), files)
  const dropTwo = () => {
    const dataTransfer = new DataTransfer()
    dataTransfer.items.add(file('one.mp4', 'video/mp4'))
    dataTransfer.items.add(file('two.mp4', 'video/mp4'))
    for (const type of ['dragenter', 'dragover', 'drop'])
      window.dispatchEvent(new DragEvent(type, { bubbles: true, cancelable: true, dataTransfer }))
  }

  test('AST-01 one file of a kind that edits can use: all else is refused in its words', async () => {
    await openAssets()
    await expect.element(page.getByText(/your asset here/).first()).toBeInTheDocument()
    await expect.element(page.getByRole('heading', { name: 'Your Uploads' })).toBeVisible()
    await expect
      .poll(() => {
        dropTwo()
        return alert.getByText('Upload one asset at a time').elements().length
      })
      .toBe(1)
    await choose(file('logo.svg', 'image/svg+xml'))
    await expect.element(alert.getByText('Invalid file type')).toBeVisible()
    await choose(new File([], 'empty.mp3', { type: 'audio/mpeg' }))
    await expect.element(alert.getByText('This file is empty.')).toBeVisible()
    await expect.element(alert.getByText(/Choose the original sound\.$/)).toBeVisible()
  })

  test('AST-01 an asset that is too much for the limits is refused before it is sent', async () => {
    const screen = await openAssets({
      uploads: { media: { probe: async () => ok({ ...REPORT, durationMs: 31 * 60_000 }) } },
    })
    await choose(file('scene.mp4', 'video/mp4'))
    await expect
      .element(alert.getByText(/^Videos that are used in edits may be up to 30 minutes long/))
      .toBeVisible()
    expect(screen.uploads.commands).toEqual([])
    expect(await screen.db.uploads.count()).toBe(0)
  })

  test('AST-01 without room for it an asset is refused before it is sent', async () => {
    const room = { ...ASSET_ROOM, count: 3, bytes: ASSET_ROOM.maxBytes - 5 }
    const screen = await openAssets({
      answers: { listMediaAssets: { mediaAssets: [], mediaAssetRoom: room } },
    })
    await expect.element(page.getByText(/^3 of 200 assets/)).toBeVisible()
    await choose(file('scene.mp4', 'video/mp4'))
    await expect.element(alert.getByText('There is not enough room for this asset')).toBeVisible()
    expect(await screen.db.uploads.count()).toBe(0)
  })

  test('AST-01 a start that fails says so', async () => {
    const failed = async () =>
      ({ ok: false, error: { code: 'upload/worker-unavailable' } }) as const
    await openAssets({ uploads: { bridge: { start: failed } } })
    await choose(file('jingle.mp3', 'audio/mpeg'))
    await expect.element(alert.getByText('File upload failed')).toBeVisible()
  })

  test('AST-01 AST-03 a good file leads to its name, which survives a reload and is confirmed at any time', async () => {
    const screen = await openAssets()
    await choose(file('intro.mp4', 'video/mp4'))
    await expect.poll(screen.path).toMatch(/^\/create-media-asset\?upload=/)
    const address = screen.path()
    const [row] = await screen.db.uploads.toArray()
    expect(row?.purpose).toBe('media-asset')
    await screen.db.uploads.update(row?.id ?? '', {
      state: { kind: 'uploading' },
      uploadRequestId: idOf(41),
    })
    await expect.element(page.getByRole('progressbar')).toBeVisible()
    const field = page.getByPlaceholder('Your asset name')
    await expect.element(button('Confirm')).toBeDisabled()
    await field.fill('   ')
    await expect.element(button('Confirm')).toBeDisabled()
    await field.fill(' Opening logo')
    await expect.poll(() => screen.db.drafts.count()).toBe(1)
    await screen.goTo('/media-assets')
    await page.getByRole('link', { name: /^Name this asset/ }).click()
    await expect.poll(screen.path).toBe(address)
    await expect.element(field).toHaveValue(' Opening logo')
    await button('Confirm').click()
    await expect.poll(screen.path).toBe('/media-assets')
    await expect.element(page.getByRole('heading', { name: 'Opening logo' })).toBeVisible()
    screen.server.answer({
      createMediaAsset: { mediaAsset: fakeMediaAsset({ format: null }) },
      listMediaAssets: listOf(fakeMediaAsset()),
    })
    await screen.db.uploads.update(row?.id ?? '', { state: { kind: 'done', doneAtEpochMs: NOW } })
    await expect.poll(() => screen.server.calls('createMediaAsset').length).toBe(1)
    expect(screen.server.calls('createMediaAsset')[0]?.body).toEqual({
      mediaAsset: { uploadRequestId: idOf(41), name: 'Opening logo' },
    })
    await screen.letTimePassUntil(asset('Opening logo').getByText('Type: video'))
    await expect.poll(() => screen.db.outbox.count()).toBe(0)
  })

  test('AST-03 a file that the server refused is given no name', async () => {
    const row = fakeUploadRow({ purpose: 'media-asset', state: { kind: 'verifying' } })
    const screen = await openScreen({
      path: '/create-media-asset?upload=local-upload',
      rows: { uploads: [row] },
    })
    const name = page.getByRole('textbox', { name: 'Name' })
    await expect.element(name).toBeVisible()
    await screen.db.uploads.update(row.id, {
      state: { kind: 'failed', code: 'upload/invalid-file', message: null },
    })
    await expect.element(name).not.toBeInTheDocument()
    expect(page.getByText(/^You can confirm before/).elements()).toEqual([])
    const main = page.getByRole('main')
    await expect.element(main.getByRole('button', { name: /^Choose another file/ })).toBeVisible()
  })

  test('AST-03 of a discarded file one word is said: it is no upload in progress', async () => {
    const row = fakeUploadRow({
      purpose: 'media-asset',
      uploadRequestId: idOf(41),
      safeBytes: 420,
      createdAtEpochMs: NOW,
      state: { kind: 'discarding', undoUntilEpochMs: NOW + 10_000 },
    })
    const screen = await openAssets({ rows: { uploads: [row] } })
    const said = page.getByRole('main').getByText(/Discarded|Upload(ed| in progress)/)
    const card = page.getByRole('list', { name: 'On their way' })
    await expect.element(card.getByText('Asset: beach.mp4')).toBeVisible()
    expect(said.elements().map(({ textContent }) => textContent)).toEqual(['Discarded'])
    await screen.goTo('/create-media-asset?upload=local-upload')
    await expect.element(page.getByRole('heading', { name: 'beach.mp4' })).toBeVisible()
    expect(said.elements().map(({ textContent }) => textContent)).toEqual(['Discarded'])
  })

  test('AST-03 says when no upload waits for a name', async () => {
    await openScreen({ path: '/create-media-asset?upload=gone' })
    await expect
      .element(page.getByRole('heading', { name: 'No upload waits for a name' }))
      .toBeVisible()
  })

  test('UPL-06 the card of a running asset and the list of unfinished uploads lead to its name', async () => {
    const row = fakeUploadRow({ purpose: 'media-asset', uploadRequestId: idOf(41) })
    const screen = await openScreen({ path: '/edits', rows: { uploads: [row] } })
    const panel = page.getByRole('complementary', { name: 'Upload' })
    await expect.element(panel.getByText('Asset: beach.mp4')).toBeVisible()
    await panel.getByRole('link', { name: /^Name this asset/ }).click()
    await expect.poll(screen.path).toBe('/create-media-asset?upload=local-upload')
    await expect.element(panel).not.toBeInTheDocument()
    await screen.goTo('/uploads/new')
    const unfinished = page.getByRole('region', { name: 'Unfinished uploads on this device' })
    await expect.element(unfinished.getByText('Asset: beach.mp4')).toBeVisible()
    await expect.element(unfinished.getByRole('link', { name: /^Name this asset/ })).toBeVisible()
  })

  test('OPT-03 an asset that a form waits for leads back to the form', async () => {
    const path = `/uploads/${idOf(2)}/media-jobs/new`
    const row = fakeUploadRow({ id: 'intro', purpose: 'media-asset', uploadRequestId: idOf(41) })
    const screen = await openScreen({
      path: `/create-media-asset?upload=intro&for=${encodeURIComponent(path)}`,
      rows: {
        uploads: [row, fakeUploadRow({ uploadRequestId: idOf(2) })],
        drafts: [
          {
            key: optionsDraftKey(path),
            value: {
              slug: 'tube-cut',
              fields: { fields: { minutes: 3 }, ends: { intro: [], outro: [] } },
              end: 'intro',
              uploadId: null,
              mediaAssetId: null,
            },
            updatedAtEpochMs: NOW,
          },
        ],
      },
      answers: { listMediaAssets: listOf(fakeMediaAsset({ _id: idOf(49), name: 'Other' })) },
    })
    await page.getByPlaceholder('Your asset name').fill('Opening logo')
    await button('Confirm').click()
    await expect.poll(screen.path).toBe(path)
    const dialog = page.getByRole('dialog')
    await expect
      .element(dialog.getByRole('textbox', { name: 'Target duration in minutes' }))
      .toHaveValue('3')
    await expect.element(dialog.getByText('“Opening logo” is not ready yet')).toBeVisible()
    screen.server.answer({
      createMediaAsset: { mediaAsset: fakeMediaAsset() },
      listMediaAssets: listOf(fakeMediaAsset()),
    })
    await screen.db.uploads.update('intro', { state: { kind: 'done', doneAtEpochMs: NOW } })
    await expect
      .element(dialog.getByRole('checkbox', { name: /Opening logo/ }).first())
      .toBeChecked()
    await dialog.getByRole('button', { name: 'Apply' }).click()
    await expect.element(dialog).not.toBeInTheDocument()
    await expect
      .poll(async () => (await screen.db.selections.get(idOf(2)))?.requests[0])
      .toMatchObject({ payload: { targetDuration: 180_000, introMediaAssetIds: [idOf(40)] } })
    expect(await screen.db.drafts.count()).toBe(0)
  })
})

/** One pixel. */
const PICTURE = new Blob([Uint8Array.from(atob(PIXEL), (one) => one.charCodeAt(0))], {
  type: 'image/gif',
})

const REPORT = {
  engine: 'mediabunny',
  container: 'MP4',
  mimeType: 'video/mp4',
  sizeBytes: 10,
  durationMs: 12_000,
  video: null,
  audio: null,
  videoTrackCount: 1,
  audioTrackCount: 0,
  findings: [],
  tookMs: 1,
} as const
