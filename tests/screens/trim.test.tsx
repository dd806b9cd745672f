import { beforeAll, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import type { UploadRow } from '#src/local/db/rows.ts'
import { mediaJobToRow } from '#src/local/db/to-rows.ts'
import { err, ok } from '#src/lib/result.ts'
import type { ProbeReport } from '#src/local/probe/report.ts'
import { fakeMediaJob, fakeUploadRequest, fakeUploadRow, idOf } from '#tests/fakes/fake-rows.ts'
import { NOW, openScreen, type ScreenOptions } from './harness/open-screen.tsx'
import { makeSmallMovie } from './harness/small-movie.ts'

const LENGTH_MS = 60_000
const ADDRESS = `/uploads/${idOf(2)}/media-jobs/new`
const ODD = { ruleId: 'A12', verdict: 'warn', facts: { width: 320, height: 180 } } as const

let file: File
beforeAll(async () => {
  file = await makeSmallMovie('beach.mp4', LENGTH_MS)
})

/** What a check says of a file: its length is as its size of that of the whole. */
const reportOf = (of: File, changes: Partial<ProbeReport> = {}): ProbeReport =>
  ({
    engine: 'mediabunny',
    container: 'MP4',
    mimeType: 'video/mp4',
    sizeBytes: of.size,
    durationMs: Math.round((LENGTH_MS * of.size) / file.size / 1000) * 1000,
    video: { codec: 'avc', displayWidth: 1920, displayHeight: 1080, rotation: 0, frameRate: 2 },
    audio: null,
    videoTrackCount: 1,
    audioTrackCount: 0,
    findings: [],
    tookMs: 5,
    ...changes,
  }) as ProbeReport
const upload = (changes: Partial<UploadRow> = {}): UploadRow =>
  fakeUploadRow({
    uploadRequestId: idOf(2),
    file: { name: file.name, sizeBytes: file.size, lastModifiedEpochMs: 1, type: file.type },
    probe: reportOf(file),
    state: { kind: 'paused' },
    safeBytes: 0,
    ...changes,
  })
/** An upload that is on its way, whose file this page holds. */
const openUpload = (row: UploadRow, options: Partial<ScreenOptions> = {}) =>
  openScreen({
    path: ADDRESS,
    rows: { uploads: [row] },
    uploads: {
      bridge: { heldFile: () => file },
      media: { probe: async (chosen) => ok(reportOf(chosen)) },
    },
    ...options,
  })
const sendPart = page.getByRole('button', { name: 'Send only a part: beach.mp4' })
const change = page.getByRole('button', { name: 'Change: beach.mp4' })
const begins = page.getByRole('slider', { name: 'Where it begins' })
const ends = page.getByRole('slider', { name: 'Where it ends' })
const use = page.getByRole('button', { name: 'Use this part' })
const press = async (keys: string) => userEvent.keyboard(keys)

test('NOW-02 the handles go by keys from one place to the next where the video can be cut', async () => {
  await openUpload(upload())
  await sendPart.click()
  await expect.element(begins).toHaveFocus()
  await expect.element(begins).toHaveAttribute('aria-valuetext', '0:00')
  await expect.element(ends).toHaveAttribute('aria-valuetext', '1:00')
  await expect.element(use).toBeDisabled()
  await press('{ArrowRight}')
  await expect.element(begins).toHaveAttribute('aria-valuetext', '0:05')
  await press('{PageUp}')
  await expect.element(begins).toHaveAttribute('aria-valuetext', '0:15')
  await press('{End}')
  await expect.element(begins).toHaveAttribute('aria-valuetext', '0:55')
  await press('{Home}{ArrowUp}{Tab}{ArrowLeft}{ArrowDown}')
  await expect.element(ends).toHaveFocus()
  await expect.element(ends).toHaveAttribute('aria-valuetext', '0:50')
  await expect
    .element(page.getByText(/^Only 0:05 to 0:50 \(0:45\), \d+(\.\d)? of 12\d KB$/))
    .toBeVisible()
  await expect.element(use).toBeEnabled()
})

test('NOW-02 a typed time is taken where the video can be cut, and says so', async () => {
  await openUpload(upload({ safeBytes: 20_000 }))
  await sendPart.click()
  await expect.element(page.getByText(/The 20 KB that have arrived are given up\.$/)).toBeVisible()
  const [from, to] = [page.getByLabelText('From'), page.getByLabelText('To')]
  await from.fill('12')
  await press('{Enter}')
  await expect.element(from).toHaveValue('0:10')
  await expect
    .element(page.getByText('0:10 is the nearest place to 0:12 where your video can be cut.'))
    .toBeVisible()
  await to.fill('0:09')
  to.element().blur()
  await expect
    .element(page.getByRole('alert'))
    .toHaveTextContent('Please let it end after 0:10, where it begins.')
  await expect.element(to).toHaveValue('0:09')
  await to.fill('٣٠')
  await press('{Tab}')
  await expect.element(to).toHaveValue('0:30')
  await expect.element(page.getByText(/^Only 0:10 to 0:30 \(0:20\)/)).toBeVisible()
})

test('NOW-02 a part takes the place of the upload that is on its way, with the edits that are chosen', async () => {
  const screen = await openUpload(upload())
  await page.getByRole('button', { name: '15s Teaser', exact: true }).click()
  await sendPart.click()
  await press('{ArrowRight}{ArrowRight}')
  await use.click()
  const part = async () =>
    (await screen.db.uploads.toArray()).find(({ trim }) => trim !== undefined)
  await expect
    .poll(async () => (await part())?.trim)
    .toMatchObject({
      fromMs: 10_000,
      toMs: 60_000,
      wholeSizeBytes: file.size,
    })
  const id = (await part())?.id ?? ''
  await expect.poll(() => screen.uploads.commands).toEqual([`start ${id}`])
  await screen.db.uploads.update(id, { uploadRequestId: idOf(7), state: { kind: 'uploading' } })
  await expect.poll(() => screen.path()).toBe(`/uploads/${idOf(7)}/media-jobs/new`)
  await expect.poll(() => screen.uploads.commands).toEqual([`start ${id}`, 'discard local-upload'])
  await expect.element(page.getByText('only 0:10 to 1:00', { exact: true })).toBeVisible()
  await expect.element(page.getByText('0:50', { exact: true })).toBeVisible()
  await expect
    .element(page.getByRole('progressbar', { name: 'Upload of beach.mp4 (only 0:10 to 1:00)' }))
    .toBeInTheDocument()
  expect((await screen.db.selections.get(idOf(7)))?.requests).toMatchObject([
    { mediaJobTaskPresetSlug: 'teaser-15s' },
  ])
})

test('NOW-02 a video that waits for an answer is trimmed before anything is sent, and whole again', async () => {
  const screen = await openScreen({
    path: '/uploads/new',
    uploads: { media: { probe: async (chosen) => ok(reportOf(chosen, { findings: [ODD] })) } },
  })
  await page.getByLabelText('Choose a video').upload(file)
  const card = page.getByRole('region', { name: 'beach.mp4' })
  await sendPart.click()
  await press('{Tab}{PageDown}')
  await use.click()
  await expect.element(card.getByText('only 0:00 to 0:50', { exact: true })).toBeVisible()
  await expect.element(change).toHaveFocus()
  await expect.element(card.getByText('0:50', { exact: true })).toBeVisible()
  await change.click()
  await expect.element(ends).toHaveAttribute('aria-valuetext', '0:50')
  await page.getByRole('button', { name: 'Send the whole video' }).click()
  await expect.element(sendPart).toHaveFocus()
  await expect.element(card.getByText('1:00', { exact: true })).toBeVisible()
  const [row] = await screen.db.uploads.toArray()
  expect(row).toMatchObject({ state: { kind: 'draft' }, file: { sizeBytes: file.size } })
  expect(row?.trim).toBeUndefined()
})

test('NOW-02 why a part is not taken stands beside it, and what is sent stays', async () => {
  const screen = await openUpload(upload(), {
    uploads: {
      bridge: { heldFile: () => file },
      media: {
        probe: async (chosen) =>
          chosen.size < file.size ? err({ code: 'probe/no-video' }) : ok(reportOf(chosen)),
      },
    },
  })
  await sendPart.click()
  await press('{ArrowRight}')
  await use.click()
  await expect.element(page.getByRole('alert')).toBeVisible()
  expect(screen.uploads.commands).toEqual([])
  expect(await screen.db.uploads.count()).toBe(1)
})

test('NOW-02 no part is offered of what cannot be cut, once all is sent, and once edits are ordered', async () => {
  const screen = await openUpload(upload())
  const change = async (changes: Partial<UploadRow>) =>
    void (await screen.db.uploads.put(upload(changes)))
  const expectOffer = async (isThere: boolean, message: string) =>
    expect.poll(() => sendPart.elements().length, { message }).toBe(isThere ? 1 : 0)
  await expectOffer(true, 'MP4')
  await change({ probe: reportOf(file, { container: 'Matroska' }) })
  await expectOffer(false, 'Matroska')
  await change({ probe: null })
  await expectOffer(false, 'not checked')
  for (const kind of ['uploading', 'preparing'] as const) {
    await change({ state: { kind } })
    await expectOffer(true, kind)
  }
  for (const kind of ['finalising', 'verifying', 'handed-over'] as const) {
    await change({ state: { kind } })
    await expectOffer(false, kind)
    await change({})
    await expectOffer(true, 'paused')
  }
  await screen.db.mediaJobs.put(mediaJobToRow(fakeMediaJob(), NOW))
  await expectOffer(false, 'ordered')
})

test('NOW-02 the proof names what was sent of the file', async () => {
  const trim = {
    fromMs: 40_000,
    toMs: 1_870_000,
    wholeDurationMs: 7_200_000,
    wholeSizeBytes: 25_000_000_000,
    wholeFingerprint: { head: 'a', tail: 'b' },
  }
  const plan = { partSizeBytes: 10_000_000, partCount: 620, sizeBytes: 6_200_000_000 }
  await openUpload(
    upload({ trim, plan, treeSha256: 'abc=-620', state: { kind: 'done', doneAtEpochMs: NOW } }),
    { answers: { getUploadRequest: { uploadRequest: fakeUploadRequest() } } },
  )
  await page.getByRole('button', { name: 'Proof that 0:40 to 31:10 arrived' }).click()
  await expect
    .element(page.getByText(/^You sent only 0:40 to 31:10 of your file of 25 GB\./))
    .toBeVisible()
  await expect.element(page.getByText(/cut what was sent into 620 parts/)).toBeVisible()
})

test('NOW-02 another device names what was sent of the file', async () => {
  const uploadRequest = fakeUploadRequest()
  await openScreen({
    path: ADDRESS,
    answers: {
      getUploadRequest: {
        uploadRequest: {
          ...uploadRequest,
          upload: {
            ...uploadRequest.upload,
            trim: { fromMs: 40_000, toMs: 1_870_000, wholeFileSize: 25_000_000_000 },
          },
        },
      },
    },
  })
  await expect.element(page.getByRole('heading', { name: /only 0:40 to 31:10 · / })).toBeVisible()
})

test('NOW-02 the library says which part of the file a video is', async () => {
  const videoTrim = { fromMs: 40_000, toMs: 1_870_000, wholeFileSize: 25_000_000_000 }
  const job = fakeMediaJob({ videoDuration: 1_830_000, videoTrim })
  await openScreen({
    path: '/edits',
    rows: { mediaJobs: [mediaJobToRow(job, NOW)] },
    network: 'offline',
  })
  await expect.element(page.getByText(/ · 30:30, only 0:40 to 31:10 of the file · /)).toBeVisible()
})
