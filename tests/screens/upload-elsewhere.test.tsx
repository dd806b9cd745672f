import { describe, expect, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import type { components } from '#openapi/schema.gen.ts'
import { FACTS, type UploadSummary } from '#src/local/db/facts.ts'
import { err, ok } from '#src/lib/result.ts'
import type { ProbeReport } from '#src/local/probe/report.ts'
import { sha256Base64, webCryptoDigest } from '#src/local/uploads/file/hash.ts'
import { fakeUploadMoments } from '#tests/fakes/fake-moments.ts'
import { fakeUploadRequest, fakeUploadRow, idOf } from '#tests/fakes/fake-rows.ts'
import { done, refused, tooMany } from './harness/fake-server.ts'
import { NOW, openScreen, type ScreenOptions } from './harness/open-screen.tsx'
import { watchForWords } from './harness/seen-words.ts'

type Sample = components['schemas']['Sample']

const ADDRESS = `/uploads/${idOf(2)}/media-jobs/new`
const BYTES = 'abcdefgh'
const FILE = new File([BYTES], 'scene.mp4', { type: 'video/mp4' })
const elsewhere = page.getByRole('region', { name: 'Unfinished uploads from elsewhere' })

/** An upload of another device: the first of its two parts of 4 bytes has arrived. */
async function uploadRequest() {
  const base = fakeUploadRequest({ receivedBytes: 4 })
  const part = { partSize: 4, heldBytes: 0 }
  const arrived = new TextEncoder().encode(BYTES.slice(0, 4)).buffer
  return {
    ...base,
    createdAt: new Date(NOW - 60_000).toISOString(),
    upload: {
      ...base.upload,
      metadata: { clientFilename: 'scene.mp4', clientFileSize: BYTES.length },
      partSize: 4,
      partCount: 2,
      parts: [
        {
          ...part,
          partNumber: 1,
          presignedUrl: null,
          eTag: 'e1',
          size: 4,
          checksumSha256: await sha256Base64(webCryptoDigest, arrived),
        },
        {
          ...part,
          partNumber: 2,
          presignedUrl: '/parts/2',
          eTag: null,
          size: null,
          checksumSha256: null,
        },
      ],
    },
  }
}

/** A page of a device that has nothing of the upload that the server has. */
async function open(path: string, options: Partial<ScreenOptions> = {}) {
  const request = await uploadRequest()
  return openScreen({
    path,
    answers: {
      listUploadRequests: {
        uploadRequests: [{ ...request, upload: { ...request.upload, parts: [] } }],
        pagination: { nextCursor: null },
      },
      getUploadRequest: { uploadRequest: request },
    },
    ...options,
  })
}

/** Answers the file input behind 'Choose scene.mp4 again'; a test cannot answer the picker. */
async function chooseAgain(file: File): Promise<void> {
  const button = page.getByRole('button', { name: 'Choose scene.mp4 again' })
  await expect.element(button).toBeVisible()
  const input = button.element().parentElement?.querySelector('input')
  if (input === null || input === undefined) throw new Error('there is no file input')
  await userEvent.upload(input, file)
}

describe('an unfinished upload that this device does not hold', () => {
  test('SAF-04 is listed where uploads begin, with what is safe, and goes on with its file', async () => {
    const screen = await open('/uploads/new')
    await expect.element(elsewhere.getByText('4 of 8 B is safe.')).toBeVisible()
    await expect
      .element(elsewhere.getByRole('link', { name: 'Open scene.mp4' }))
      .toHaveAttribute('href', ADDRESS)
    await chooseAgain(FILE)
    await expect
      .poll(() => screen.uploads.commands)
      .toEqual([expect.stringMatching(/^provideFile /)])
    expect(await screen.db.uploads.toArray()).toMatchObject([
      { uploadRequestId: idOf(2), plan: { partSizeBytes: 4, partCount: 2 }, safeBytes: 4 },
    ])
    // It is an upload of this device now.
    await expect.element(elsewhere).not.toBeInTheDocument()
    await expect
      .element(page.getByRole('region', { name: 'Unfinished uploads on this device' }))
      .toBeVisible()
  })

  test.each([
    [
      'larger',
      new File([`${BYTES}!`], 'scene.mp4'),
      'This is a different file: it has 9 B, not 8 B.',
    ],
    [
      'of other content',
      new File([BYTES.toUpperCase()], 'scene.mp4'),
      'This is a different file: its content is not what has arrived.',
    ],
  ])('SAF-04 refuses a file that is %s, says so, and stays as it is', async (_how, file, words) => {
    const screen = await open(ADDRESS)
    await chooseAgain(file)
    await expect.element(page.getByRole('alert').getByText(words)).toBeVisible()
    await expect.element(page.getByText(/What has arrived is safe\./)).toBeVisible()
    expect([await screen.db.uploads.count(), screen.uploads.commands]).toEqual([0, []])
    await expect.element(page.getByRole('button', { name: 'Choose scene.mp4 again' })).toBeEnabled()
  })

  test('is said not to be on this device where previews would be, and not where it came from', async () => {
    await open(ADDRESS)
    await expect
      .element(
        page.getByText('Previews need the file of the video, and this device does not have it.'),
      )
      .toBeVisible()
    expect(page.getByRole('button', { name: /^Preview of/ }).elements()).toEqual([])
    expect(page.getByText(/uploaded from another device/).elements()).toEqual([])
  })

  test('SAF-04 can be discarded from here, and kept after all', async () => {
    const screen = await open('/uploads/new')
    const discard = elsewhere.getByRole('button', { name: 'Discard: scene.mp4' })
    await discard.click()
    await expect.element(elsewhere).not.toBeInTheDocument()
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect.element(discard).toBeVisible()
    expect(await screen.db.outbox.count()).toBe(0)
    await discard.click()
    await expect.element(elsewhere).not.toBeInTheDocument()
    screen.server.answer({
      abortUploadRequest: done(204),
      listUploadRequests: { uploadRequests: [], pagination: { nextCursor: null } },
    })
    await expect
      .poll(async () => {
        await screen.clock.advance(1000)
        return screen.server.calls('abortUploadRequest').map(({ params }) => params['id'])
      })
      .toEqual([idOf(2)])
  })

  test('SAF-04 is offered instead of a new upload when its file is chosen', async () => {
    const screen = await open('/uploads/new', {
      uploads: { media: { probe: async () => err({ code: 'probe/timeout' }) } },
    })
    await expect.element(elsewhere).toBeVisible()
    await page.getByLabelText('Choose a video').upload(FILE)
    await expect
      .element(page.getByText(/^You began to upload this video on .* 4 B of it is safe\.$/))
      .toBeVisible()
    await page.getByRole('button', { name: 'Continue that upload' }).click()
    await expect.poll(() => screen.path()).toBe(ADDRESS)
    await expect
      .poll(() => screen.db.uploads.toArray(), { message: 'the draft is removed' })
      .toMatchObject([{ uploadRequestId: idOf(2) }])
  })
})

test('SAF-04 an upload of this device is not offered as one of another while the device still reads it', async () => {
  const isOffered = watchForWords('Unfinished uploads from elsewhere')
  const listed: UploadSummary = {
    uploadRequestId: idOf(2),
    name: 'scene.mp4',
    sizeBytes: BYTES.length,
    hasEnded: false,
    isValidated: false,
    isFailed: false,
    createdAt: new Date(NOW - 60_000).toISOString(),
    open: { safeBytes: 4, lastReceivedAtEpochMs: null },
  }
  const own = fakeUploadRow({ uploadRequestId: idOf(2), state: { kind: 'paused' } })
  const screen = await open('/wallets', {
    rows: {
      uploads: [own],
      facts: [{ key: FACTS.uploads, value: [listed], pulledAtEpochMs: NOW }],
    },
  })
  const read = Promise.withResolvers<void>()
  // Not by a transaction: others wait for it that write the list.
  const rows = { reverse: () => ({ toArray: () => read.promise.then(() => [own]) }) }
  vi.spyOn(screen.db.uploads, 'orderBy').mockReturnValue(rows as never)
  await screen.goTo('/uploads/new')
  await expect.element(page.getByRole('heading', { name: '15s Teaser' })).toBeVisible()
  await expect.element(page.getByRole('status', { name: 'Loading your uploads' })).toBeVisible()
  read.resolve()
  await expect
    .element(page.getByRole('region', { name: 'Unfinished uploads on this device' }))
    .toBeVisible()
  await expect.element(page.getByRole('heading', { name: 'Recent uploads' })).toBeVisible()
  expect(isOffered()).toBe(false)
})

test('DEL-05 an edit of a checked video from elsewhere is previewed from the server, and from the file when it is chosen', async () => {
  const video: ProbeReport['video'] = {
    codec: 'avc',
    codecString: null,
    codedWidth: 320,
    codedHeight: 180,
    displayWidth: 320,
    displayHeight: 180,
    rotation: 0,
    frameRate: 25,
    bitRate: null,
    isHdr: false,
  }
  const report: ProbeReport = {
    engine: 'mediabunny',
    container: 'MP4',
    mimeType: 'video/mp4',
    sizeBytes: BYTES.length,
    durationMs: 120_000,
    video,
    audio: null,
    videoTrackCount: 1,
    audioTrackCount: 0,
    findings: [],
    tookMs: 1,
  }
  const base = await uploadRequest()
  const motion = {
    url: '/landing/teaser-15s.mp4',
    stretches: [{ startMs: 6000, endMs: 12_000, atMs: 0 }],
  }
  const screen = await open(ADDRESS, {
    uploads: { media: { probe: async () => ok(report) } },
    answers: {
      getUploadRequest: {
        uploadRequest: {
          ...base,
          state: 'completed',
          isValidated: true,
          uploadEndedAt: new Date(NOW).toISOString(),
        },
      },
      getUploadMoments: { uploadMoments: fakeUploadMoments({ video: motion }) },
      getMomentPictures: refused(404, 'media-jobs/thumbnail-not-found'),
    },
  })
  await expect.element(page.getByText(/so previews come from the server\.$/)).toBeVisible()
  await page.getByRole('button', { name: 'Preview of 15s Teaser' }).click()
  const dialog = page.getByRole('dialog', { name: 'Preview of 15s Teaser' })
  await expect.element(dialog.getByText(/^From the server, because the file is not/)).toBeVisible()
  await expect.element(dialog.getByText('Preview - final quality is higher')).toBeVisible()
  const moments = dialog.getByRole('list', { name: 'Moments of the edit' })
  expect(moments.getByRole('listitem').elements()).toHaveLength(6)
  await dialog.getByRole('button', { name: 'Play Moment 1' }).click()
  const playing = () => dialog.element().querySelector('video')
  // The passage from 7.0 s on, where the small video begins with 6 s.
  const atS = () => playing()?.currentTime ?? 0
  await expect.poll(() => atS() >= 0.95 && atS() < 4.3).toBe(true)
  await dialog.getByText('Close', { exact: true }).click()

  await page.getByRole('tab', { name: /^Full Scene Edits/ }).click()
  await page.getByRole('button', { name: 'Preview of Voice Mask' }).click()
  const sound = page.getByRole('dialog')
  const sample = (more: Partial<Sample>): { sample: Sample } => ({
    sample: {
      _id: idOf(9),
      state: 'waiting',
      message: null,
      shows: 'picture',
      startMs: null,
      durationMs: null,
      urls: null,
      ...more,
    },
  })
  const place = sound.getByRole('group', { name: 'Before and after' })
  const limit = 'Too many previews were made today. Please try again in 10 hours.'
  screen.server.answer({ createSample: tooMany(limit, 36_000) })
  await sound.getByRole('button', { name: 'Make the preview' }).click()
  await expect.element(sound.getByText(limit)).toBeVisible()
  await expect.element(sound.getByText('You can try again from 8:00 PM on.')).toBeVisible()
  expect(sound.getByRole('button', { name: 'Try Again' }).elements()).toEqual([])
  screen.server.answer({ createSample: refused(503, 'system/unavailable') })
  await screen.clock.advance(36_000_000)
  await sound.getByRole('button', { name: 'Try Again' }).click()
  await expect.element(sound.getByText('The preview could not be made')).toBeVisible()
  await expect.element(place).toHaveFocus()
  screen.server.answer({
    createSample: sample({ state: 'failed', message: 'The server could not make it.' }),
  })
  await sound.getByRole('button', { name: 'Try Again' }).click()
  await expect.element(sound.getByText('The server could not make it.')).toBeVisible()
  screen.server.answer({ createSample: sample({}), getSample: sample({}) })
  await sound.getByRole('button', { name: 'Try again' }).click()
  await expect
    .element(sound.getByRole('progressbar', { name: 'The server makes the preview' }))
    .toBeVisible()
  await expect.element(place).toHaveFocus()
  // A server that starts again makes it none the less.
  screen.server.answer({ getSample: refused(503, 'system/unavailable') })
  await expect
    .poll(async () => {
      await screen.clock.advance(1000)
      return sound.getByText(/^The server does not answer now\./).elements().length
    })
    .toBe(1)
  expect(sound.getByText('The preview could not be made').elements()).toEqual([])
  const urls = { before: '/landing/teaser-15s.mp4', after: '/landing/teaser-15s.mp4' }
  screen.server.answer({
    getSample: sample({ state: 'ready', startMs: 133_000, durationMs: 8000, urls }),
  })
  await expect
    .poll(async () => {
      await screen.clock.advance(1000)
      return sound.element().querySelectorAll('video').length
    })
    .toBe(2)
  await expect.element(sound.getByText(/^8 s of your video, from 2:13 on\./)).toBeVisible()
  expect(screen.server.calls('createSample').map(({ body }) => body)).toEqual(
    Array.from({ length: 4 }, () => ({
      sample: { mediaJobTaskPresetSlug: 'voice-mask-full-scene' },
    })),
  )
  await expect.element(sound.getByText(/^Choose scene\.mp4 again to see and hear/)).toBeVisible()
  const choose = async (file: File) => {
    const input = sound.element().querySelector<HTMLInputElement>('input[type=file]')
    if (input === null) throw new Error('there is no file input')
    await userEvent.upload(input, file)
  }
  await choose(new File([`${BYTES}!`], 'scene.mp4'))
  await expect
    .element(sound.getByText('This is a different file. Choose scene.mp4, which has 8 B.'))
    .toBeVisible()
  await choose(FILE)
  await expect.element(sound.getByText('Choose the video again')).not.toBeInTheDocument()
  await expect
    .element(page.getByText(/so previews come from the server\.$/))
    .not.toBeInTheDocument()
})
