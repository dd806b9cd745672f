import { expect, onTestFinished, test } from 'vitest'
import { page } from 'vitest/browser'
import { ATTESTATION } from '#spec/attestation.ts'
import { err, ok, type Result } from '#src/lib/result.ts'
import { presets } from '#src/local/nouns/presets.ts'
import { wallets } from '#src/local/nouns/wallets.ts'
import { walletSubscriptions } from '#src/local/nouns/wallet-subscriptions.ts'
import { accountFolder } from '#src/local/db/account-files.ts'
import { mediaJobToRow } from '#src/local/db/to-rows.ts'
import type { UploadRow } from '#src/local/db/rows.ts'
import type {
  MadeFile,
  MakeFailure,
  MakeOptions,
  MakePieces,
  MakeProgress,
  MakeRequest,
  MakeRung,
} from '#src/local/made/make.ts'
import type { ProbeReport } from '#src/local/probe/report.ts'
import { fileSource } from '#src/local/uploads/file/file-source.ts'
import { fingerprintOf } from '#src/local/uploads/file/fingerprint.ts'
import { webCryptoDigest } from '#src/local/uploads/file/hash.ts'
import {
  fakeMadeFileRow,
  fakeMediaJob,
  fakeSubscription,
  fakeUploadRequest,
  fakeUploadRow,
  fakeWallet,
  idOf,
} from '#tests/fakes/fake-rows.ts'
import { CREATOR, meOf, PRESETS } from './harness/creator.ts'
import type { UploadsOptions } from './harness/fake-uploads.ts'
import { refused, type Answers } from './harness/fake-server.ts'
import { fakeTask } from './harness/things.ts'
import { NOW, openScreen, type Rows, type ScreenOptions } from './harness/open-screen.tsx'

const DAY = 86_400_000
const path = `/uploads/${idOf(2)}/media-jobs/new`
const PROBE = {
  engine: 'mediabunny',
  sizeBytes: 1000,
  durationMs: 120_000,
  container: 'mp4',
  video: { codec: 'h264', displayWidth: 1920, displayHeight: 1080, frameRate: 30, isHdr: false },
  audio: null,
  findings: [],
} as unknown as ProbeReport
const film: MadeFile = {
  fileName: 'beach-teaser-15s.mp4',
  contentType: 'video/mp4',
  blob: new Blob(['film']),
}
const card = page.getByRole('list', { name: 'Promotional Edits' }).getByRole('listitem')
const teaser = card.filter({ has: page.getByRole('heading', { name: '15s Teaser' }) })
const press = page.getByRole('button', { name: 'Make it now: 15s Teaser' })
const asking = page.getByRole('dialog', { name: 'Make 15s Teaser' })
const dialog = page.getByRole('dialog', { name: '15s Teaser' })

const MADE_HERE = new Set(['teaser-15s', 'dynamic-watermark'])

interface World extends Pick<ScreenOptions, 'network'> {
  readonly storage?: UploadsOptions['storage']
  readonly rung?: MakeRung
  readonly upload?: Partial<UploadRow>
  /** The file of the video is not on this device any more. */
  readonly isAway?: boolean
  readonly bridge?: UploadsOptions['bridge']
  readonly rows?: Rows
  readonly answers?: Answers
  readonly at?: string
}

/** A video of two minutes whose file this page holds, and a worker whose work the test does. */
async function open({
  rung = { kind: 'now' },
  upload,
  isAway = false,
  rows,
  answers,
  storage,
  bridge,
  at = path,
  ...of
}: World = {}) {
  const wallet = fakeWallet()
  const file = new File(['a'], 'beach.mp4', { type: 'video/mp4', lastModified: 1 })
  const begun: {
    readonly request: MakeRequest
    readonly options: MakeOptions
    readonly onProgress: (p: MakeProgress) => void
    readonly pieces: MakePieces
  }[] = []
  const ends: ((made: Result<readonly MadeFile[], MakeFailure>) => void)[] = []
  const screen = await openScreen({
    path: at,
    rows: {
      uploads: [
        fakeUploadRow({
          uploadRequestId: idOf(2),
          state: { kind: 'paused' },
          probe: PROBE,
          file: { name: 'beach.mp4', sizeBytes: 1, lastModifiedEpochMs: 1, type: 'video/mp4' },
          ...upload,
        }),
      ],
      wallets: [wallets.toRow(wallet, NOW)],
      ...rows,
    },
    answers: {
      listWallets: { wallets: [wallet] },
      getMomentPictures: refused(404, 'media-jobs/thumbnail-not-found'),
      ...answers,
    },
    uploads: {
      media: {
        canMake: async (_, { slug }) =>
          MADE_HERE.has(slug) ? rung : { kind: 'server', why: 'never-here' },
        make: (_, request, options, onProgress, pieces) => {
          begun.push({ request, options, onProgress, pieces })
          return new Promise((end) => ends.push(end))
        },
        cancel: () => ends.at(-1)?.(err({ code: 'probe/cancelled' })),
      },
      bridge: { heldFile: () => (isAway ? null : file), ...bridge },
      ...(storage === undefined ? {} : { storage }),
    },
    ...of,
  })
  const finish = async (made: Result<readonly MadeFile[], MakeFailure> = ok([film])) =>
    ends.at(-1)?.(made)
  return { screen, begun, finish }
}

/** The files of the device edit 'made-1'; the folder that all device edits lie in. */
async function writeMade(blobs: readonly Blob[]): Promise<FileSystemDirectoryHandle> {
  const all = await accountFolder(() => navigator.storage.getDirectory(), CREATOR.userId, 'made')
  const own = await all.getDirectoryHandle('made-1', { create: true })
  for (const [index, blob] of blobs.entries()) {
    const file = await own.getFileHandle(String(index), { create: true })
    const writable = await file.createWritable()
    await writable.write(blob)
    await writable.close()
  }
  return all
}

async function makeTeaser() {
  await press.click()
  await asking.getByText(ATTESTATION.text).click()
  await asking.getByRole('button', { name: 'Make it now' }).click()
}

test('NOW-06 an edit is made on the device, looked at, saved, found in the library and removed', async () => {
  const { screen, begun, finish } = await open()
  await expect.element(teaser.getByText('On this device. Nothing is sent.')).toBeVisible()
  await makeTeaser()
  await expect.element(dialog.getByText('Making it on this device')).toBeVisible()
  begun[0]?.onProgress({ share: 0.4, passage: 3, passages: 6 })
  await expect.element(dialog.getByText('Passage 3 of 6')).toBeVisible()
  await expect.element(dialog.getByText(/^Keep this page open/)).toBeVisible()
  expect(begun[0]?.request).toMatchObject({ slug: 'teaser-15s', moments: [] })
  await finish()
  await expect.element(dialog.getByLabelText('beach-teaser-15s.mp4')).toBeVisible()
  const save = dialog.getByRole('link', { name: 'Save beach-teaser-15s.mp4' })
  expect(save.element().getAttribute('download')).toBe('beach-teaser-15s.mp4')
  await dialog.getByRole('button', { name: 'Close' }).last().click()
  await expect.element(teaser.getByText('Made on this device.')).toBeVisible()
  // Asked once for each video, and kept for its first order.
  expect(await screen.db.drafts.get('attestation:local-upload')).toMatchObject({
    value: ATTESTATION.version,
  })
})

test('NOW-06 what was made is in the library after a reload and offline, and can be removed', async () => {
  const { screen } = await open({ at: '/edits', network: 'offline', rows: { madeFiles: [] } })
  const files = await writeMade([film.blob])
  await screen.db.madeFiles.put(fakeMadeFileRow())
  const made = page.getByRole('region', { name: 'Made on this device' })
  await expect.element(made.getByText('On this device', { exact: true })).toBeVisible()
  await expect.element(made.getByLabelText('beach-teaser.mp4', { exact: true })).toBeVisible()
  await expect.element(made.getByRole('link', { name: 'Save beach-teaser.mp4' })).toBeVisible()
  await expect.element(page.getByText('Your edits will be here')).not.toBeInTheDocument()
  // That the server is away is no failure of what is shown.
  await expect.element(page.getByText(/^Showing what this device has/)).toBeVisible()
  await expect.element(page.getByText('Error loading edits')).not.toBeInTheDocument()
  await made.getByRole('button', { name: /^Remove from this device: 15s Teaser/ }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Remove' }).click()
  await expect.element(made).not.toBeInTheDocument()
  const names = async () => {
    const left: string[] = []
    for await (const name of files.keys()) left.push(name)
    return left
  }
  await expect.poll(names).toEqual([])
})

test('NOW-06 of an edit of many files four are shown, and all when a person asks', async () => {
  const files = Array.from({ length: 13 }, (_, at) => ({
    fileName: `beach-still-${at}.jpg`,
    contentType: 'image/jpeg',
    sizeBytes: 1,
  }))
  const row = fakeMadeFileRow({ editName: 'Still Pack', state: { kind: 'ready', files } })
  const { screen } = await open({ at: '/edits' })
  await writeMade(files.map(() => film.blob))
  await screen.db.madeFiles.put(row)
  const made = page.getByRole('region', { name: 'Made on this device' })
  const items = made.getByRole('list').last().getByRole('listitem')
  await expect.poll(() => items.elements().length).toBe(4)
  await made.getByRole('button', { name: 'Show all 13 files of Still Pack' }).click()
  await expect.poll(() => items.elements().length).toBe(13)
})

test('NOW-06 what a page left in the middle, and what the browser removed, is made again in the library', async () => {
  const state = { kind: 'making' } as const
  const { finish } = await open({
    at: '/edits',
    rows: { madeFiles: [fakeMadeFileRow({ state }), fakeMadeFileRow({ id: 'made-2' })] },
  })
  await expect.element(page.getByText(/^It was not finished, because its page/)).toBeVisible()
  await expect.element(page.getByText('This device removed the file. Make it again?')).toBeVisible()
  await page.getByRole('button', { name: 'Make it again: 15s Teaser' }).first().click()
  await expect.element(page.getByText(/^Keep this page open/)).toBeVisible()
  await finish()
  await expect.element(page.getByLabelText('beach-teaser-15s.mp4', { exact: true })).toBeVisible()
})

const KEPT = { rung: 'now', share: 0.5, passage: 3, passages: 6 } as const
const UNFINISHED = fakeMadeFileRow({
  uploadId: 'local-upload',
  state: { kind: 'failed', code: 'made/unfinished' },
  kept: KEPT,
})

test('NOW-06 an edit whose page closed in the middle says what is kept, and goes on from there', async () => {
  await page.viewport(360, 780)
  onTestFinished(() => page.viewport(1280, 800))
  const { begun, finish } = await open({ rows: { madeFiles: [UNFINISHED] } })
  await expect.element(teaser.getByText(/3 of 6 passages are finished and kept\.$/)).toBeVisible()
  // It goes on as it was begun: nothing is asked again.
  await expect.element(press).not.toBeInTheDocument()
  await page.getByRole('button', { name: 'Go on: 15s Teaser' }).click()
  await expect.poll(() => begun.length).toBe(1)
  expect(begun[0]?.options).toMatchObject({ id: 'made-1', from: 'now' })
  await expect.element(teaser.getByText('Passage 3 of 6')).toBeVisible()
  expect(teaser.element().contains(document.activeElement)).toBe(true)
  await finish()
  await expect.element(teaser.getByText('Made on this device.')).toBeVisible()
  expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(360)
})

test('NOW-06 a second tap on going on gives nothing up', async () => {
  await page.viewport(360, 780)
  onTestFinished(() => page.viewport(1280, 800))
  await open({ at: '/edits', rows: { madeFiles: [UNFINISHED] } })
  const made = page.getByRole('region', { name: 'Made on this device' })
  const goOn = made.getByRole('button', { name: 'Go on: 15s Teaser' })
  await expect.element(goOn).toBeVisible()
  const { left, right } = goOn.element().getBoundingClientRect()
  await goOn.click()
  const cancel = made.getByRole('button', { name: 'Cancel making 15s Teaser' })
  await expect.element(cancel).toBeVisible()
  const box = cancel.element().getBoundingClientRect()
  expect(box.left >= right || box.right <= left).toBe(true)
  expect(made.element().contains(document.activeElement)).toBe(true)
})

test('NOW-06 the same video that was chosen again goes on with its edit', async () => {
  await open({
    upload: { fingerprint: { head: 'h', tail: 't' } },
    rows: { madeFiles: [{ ...UNFINISHED, uploadId: 'before', bytesKey: '1,h,t' }] },
  })
  await expect.element(page.getByRole('button', { name: 'Go on: 15s Teaser' })).toBeVisible()
})

test('NOW-06 the library goes on with an edit whose video was chosen again as another upload', async () => {
  await open({
    at: '/edits',
    upload: { fingerprint: { head: 'h', tail: 't' } },
    rows: { madeFiles: [{ ...UNFINISHED, uploadId: 'before', bytesKey: '1,h,t' }] },
  })
  await expect.element(page.getByRole('button', { name: 'Go on: 15s Teaser' })).toBeVisible()
})

test('NOW-06 the library says where the video of an unfinished edit is to be chosen again', async () => {
  await open({ at: '/edits', rows: { uploads: [], madeFiles: [UNFINISHED] } })
  await expect.element(page.getByText(/3 of 6 passages are finished and kept/)).toBeVisible()
  await expect.element(page.getByText(/^Its video is not on this device any more/)).toBeVisible()
  const again = page.getByRole('link', { name: 'Choose it again' })
  expect(again.element().getAttribute('href')).toBe('/uploads/new')
})

test('NOW-06 the library offers no going on without the file of a video that has arrived', async () => {
  await open({
    at: '/edits',
    upload: { state: { kind: 'done', doneAtEpochMs: NOW } },
    isAway: true,
    rows: { madeFiles: [UNFINISHED] },
  })
  await expect.element(page.getByText(/^Its video is not on this device any more/)).toBeVisible()
  await expect.element(page.getByRole('link', { name: 'Choose it again' })).toBeVisible()
  expect(page.getByRole('button', { name: 'Go on: 15s Teaser' }).elements()).toEqual([])
})

test('NOW-06 the page of an upload says that the video of an unfinished edit is away, and goes on once it was chosen again', async () => {
  await page.viewport(360, 780)
  onTestFinished(() => page.viewport(1280, 800))
  const held = new Map<string, File>()
  const file = new File(['a'], 'beach.mp4', { type: 'video/mp4', lastModified: 1 })
  const { head, tail } = await fingerprintOf(webCryptoDigest, fileSource(file)).then((found) =>
    found.ok ? found.value : { head: '', tail: '' },
  )
  const { screen } = await open({
    upload: {
      state: { kind: 'done', doneAtEpochMs: NOW },
      fingerprint: { head, tail },
    },
    answers: { getUploadRequest: { uploadRequest: fakeUploadRequest() } },
    bridge: {
      heldFile: (uploadId) => held.get(uploadId) ?? null,
      provideFile: async (uploadId, given) => {
        held.set(uploadId, given)
        return err({ code: 'upload/not-possible' })
      },
    },
    rows: { madeFiles: [UNFINISHED] },
  })
  await expect.element(teaser.getByText(/3 of 6 passages are finished and kept\.$/)).toBeVisible()
  await expect.element(teaser.getByText(/^Its video is not on this device any more/)).toBeVisible()
  await expect.element(press).not.toBeInTheDocument()
  expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(360)
  await teaser.getByRole('link', { name: 'Choose it again' }).click()
  await expect.poll(screen.path).toBe('/uploads/new')
  await page.getByLabelText('Choose a video').upload(file)
  await page.getByRole('button', { name: 'Use that upload' }).click()
  await expect.poll(screen.path).toBe(path)
  await expect.element(teaser.getByRole('button', { name: 'Go on: 15s Teaser' })).toBeVisible()
  await expect.element(teaser.getByText(/^Its video is not/)).not.toBeInTheDocument()
})

test('NOW-06 an edit whose finished pieces fit no more says why its bar fell back', async () => {
  const { begun } = await open({ rows: { madeFiles: [UNFINISHED] } })
  await page.getByRole('button', { name: 'Go on: 15s Teaser' }).click()
  await expect.element(teaser.getByText('Passage 3 of 6')).toBeVisible()
  begun[0]?.onProgress({ share: 0, passage: 1, passages: 6 })
  await expect.element(teaser.getByText('Passage 1 of 6')).toBeVisible()
  await expect
    .element(teaser.getByText(/^Some of what was finished cannot be used any more/))
    .toBeVisible()
})

test('NOW-07 a device that is full in the middle says how much room is missing, and goes on', async () => {
  const { begun } = await open()
  await makeTeaser()
  await expect.element(dialog.getByText('Making it on this device')).toBeVisible()
  await begun[0]?.pieces.keep('k.passage-1', film.blob, {
    rung: 'now',
    progress: { share: 0.2, passage: 1, passages: 6 },
  })
  const write = FileSystemFileHandle.prototype.createWritable
  onTestFinished(() => {
    FileSystemFileHandle.prototype.createWritable = write
  })
  FileSystemFileHandle.prototype.createWritable = () =>
    Promise.reject(new DOMException('', 'QuotaExceededError'))
  await begun[0]?.pieces.keep('k.passage-2', film.blob, {
    rung: 'now',
    progress: { share: 0.4, passage: 2, passages: 6 },
  })
  await expect
    .element(
      dialog.getByText(
        /^This device had no room for its files\. .* more are needed: make room, then go on\. 1 of 6 passages is finished and kept\.$/,
      ),
    )
    .toBeVisible()
  FileSystemFileHandle.prototype.createWritable = write
  await dialog.getByRole('button', { name: 'Go on: 15s Teaser' }).click()
  await expect.element(dialog.getByText('Passage 1 of 6')).toBeVisible()
  expect(await (await begun[1]?.pieces.read('k.passage-2'))?.text()).toBe('film')
})

test('NOW-07 a worker that died as often as it was started says what a person can do', async () => {
  const { begun, finish } = await open()
  await makeTeaser()
  for (let tries = 1; tries <= 3; tries += 1) {
    await expect.poll(() => begun.length).toBe(tries)
    await finish(err({ code: 'probe/engine-crashed' }))
  }
  await expect
    .element(
      dialog.getByText(/^This browser ended the work three times, .* It begins from the start\.$/),
    )
    .toBeVisible()
})

test('NOW-06 where the server has made the same edit, the one on the device says that it can go', async () => {
  const job = fakeMediaJob({ tasks: [fakeTask({ status: 'succeeded' })] })
  await open({
    at: '/edits',
    rows: { madeFiles: [fakeMadeFileRow()], mediaJobs: [mediaJobToRow(job, NOW)] },
    answers: {
      listMediaJobsPage: { mediaJobs: [job], pagination: { nextCursor: null } },
    },
  })
  await expect.element(page.getByText(/^Our server has made this edit as well/)).toBeVisible()
})

test('NOW-06 giving it up leaves nothing, and a failure says why', async () => {
  const { screen, finish } = await open()
  await makeTeaser()
  await dialog.getByRole('button', { name: 'Cancel making 15s Teaser' }).click()
  await expect.element(dialog.getByText(/^Nothing was made/)).toBeVisible()
  expect(await screen.db.madeFiles.count()).toBe(0)
  await dialog.getByRole('button', { name: 'Close' }).last().click()
  await press.click()
  // The video is attested.
  await expect.element(asking.getByText(ATTESTATION.text)).not.toBeInTheDocument()
  await asking.getByRole('button', { name: 'Make it now' }).click()
  await expect.element(dialog.getByText('Making it on this device')).toBeVisible()
  await finish(err({ code: 'make/codec-failed' }))
  await expect.element(dialog.getByText(/^This browser could not decode or encode/)).toBeVisible()
})

test('NOW-07 what this device cannot make says why in a clause, and has no button', async () => {
  await page.viewport(360, 780)
  onTestFinished(() => page.viewport(1280, 800))
  await open({ rung: { kind: 'server', why: 'no-decoder' } })
  await expect
    .element(teaser.getByText('Our server makes it: this browser cannot decode your video.'))
    .toBeVisible()
  await expect.element(press).not.toBeInTheDocument()
  // What no device makes says nothing of devices.
  await expect.element(page.getByText('Only our server makes this edit.')).not.toBeInTheDocument()
  expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(360)
})

test('NOW-07 a video that is too long for the device is left to the server in those words', async () => {
  await open({ rung: { kind: 'server', why: 'too-long' } })
  const mark = card.filter({ has: page.getByRole('heading', { name: 'Dynamic Watermark' }) })
  await expect
    .element(mark.getByText('Our server makes it: it is too long for this device.'))
    .toBeVisible()
  await expect
    .element(page.getByRole('button', { name: 'Make it now: Dynamic Watermark' }))
    .not.toBeInTheDocument()
})

test('NOW-06 moments are chosen on the board of the device, and their file is made of them', async () => {
  await page.viewport(360, 780)
  onTestFinished(() => page.viewport(1280, 800))
  const { begun } = await open()
  await press.click()
  await expect
    .element(asking.getByText(/^Moments spread evenly over your video\. Your device could not/))
    .toBeVisible()
  await asking.getByRole('button', { name: 'Choose moments' }).click()
  const board = page.getByRole('dialog', { name: 'Moments of 15s Teaser' })
  await board.getByRole('button', { name: 'Apply' }).click()
  await expect.element(asking.getByText('Moments chosen by you.')).toBeVisible()
  await asking.getByRole('button', { name: 'Make it now' }).click()
  await expect.element(asking.getByText(/^Please tick this box to make edits/)).toBeVisible()
  await asking.getByText(ATTESTATION.text).click()
  await asking.getByRole('button', { name: 'Make it now' }).click()
  await expect.element(dialog.getByText('Making it on this device')).toBeVisible()
  expect(begun[0]?.request).toMatchObject({
    payload: { moments: { shown: expect.arrayContaining([expect.anything()]) } },
  })
  expect(document.documentElement.scrollWidth).toBeLessThanOrEqual(360)
})

test('NOW-06 an edit with options asks for them first, and chooses nothing for the server', async () => {
  const { screen, begun } = await open()
  await page.getByRole('button', { name: 'Make it now: Dynamic Watermark' }).click()
  const options = page.getByRole('dialog', { name: 'Dynamic Watermark', exact: true })
  await options.getByRole('textbox').first().fill('@beach')
  await options.getByRole('button', { name: 'Apply' }).click()
  const asked = page.getByRole('dialog', { name: 'Make Dynamic Watermark' })
  // It does not promise what only the server can do.
  await expect.element(asked.getByText(/only our server keeps the mark off them\.$/)).toBeVisible()
  await asked.getByText(ATTESTATION.text).click()
  await asked.getByRole('button', { name: 'Make it now' }).click()
  await expect.poll(() => begun.length).toBe(1)
  expect(begun[0]?.request).toMatchObject({ slug: 'dynamic-watermark', payload: expect.anything() })
  expect(await screen.db.selections.count()).toBe(0)
})

test('NOW-06 without a plan the trial has one edit of the device', async () => {
  const rows: Rows = {
    facts: [{ key: 'deviceEdits', value: ['made-1'], pulledAtEpochMs: NOW }],
  }
  await open({ rows })
  await expect
    .element(teaser.getByText(/^This device has made the edit of your trial/))
    .toBeVisible()
  await expect.element(press).not.toBeInTheDocument()
})

test('NOW-06 a plan that had to renew while the device was offline asks for the server once', async () => {
  const me = meOf(CREATOR)
  const flags = { ...me.flags, isInTrial: false, hasActiveSubscription: true }
  const paid = fakeSubscription({ usableUntil: '2026-11-10T10:00:00.000Z' })
  const { screen } = await open({
    network: 'server-away',
    rows: {
      facts: [{ key: 'me', value: { user: me.user, flags }, pulledAtEpochMs: NOW - 20 * DAY }],
      walletSubscriptions: [walletSubscriptions.toRow(paid, NOW - 20 * DAY)],
      presets: PRESETS.map((preset) => presets.toRow(preset, NOW)),
    },
    answers: {
      getCurrentUser: { ...me, flags },
      listWalletSubscriptions: { walletSubscriptions: [paid] },
    },
  })
  const once = teaser.getByRole('button', { name: 'Go online once' })
  await expect.element(once).toBeVisible()
  screen.setNetwork('online')
  await once.click()
  await screen.letTimePassUntil(press)
})

test('NOW-06 a device without room says how much is missing, before anything is made', async () => {
  const estimate = async () => ({ quota: 100_000_000, usage: 0 })
  const { begun } = await open({ storage: { estimate } })
  await makeTeaser()
  await expect
    .element(asking.getByText(/^This device has too little free space: .* more are needed\.$/))
    .toBeVisible()
  expect(begun).toEqual([])
})

test('NOW-06 a video that is held is not made here', async () => {
  const job = fakeMediaJob({ isHeld: true })
  await open({
    rows: { mediaJobs: [mediaJobToRow(job, NOW)] },
    answers: { getMediaJob: { mediaJob: job } },
  })
  await expect.element(teaser).toBeVisible()
  await expect.element(press).not.toBeInTheDocument()
})

test('NOW-06 a log-out says how many edits go that only this device has', async () => {
  await open({ at: '/media-assets', rows: { uploads: [], madeFiles: [fakeMadeFileRow()] } })
  await page.getByRole('button', { name: 'Account' }).click()
  await page.getByRole('menuitem', { name: /^Log ?out$/i }).click()
  const question = page.getByRole('alertdialog', {
    name: 'Log out and remove the edit of this device?',
  })
  await expect
    .element(question.getByText(/^One edit that this device made is on this/))
    .toBeVisible()
  await question.getByRole('button', { name: 'Stay logged in' }).click()
})
