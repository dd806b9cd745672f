import { describe, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import type { components } from '#openapi/schema.gen.ts'
import { fakeUploadRequest, idOf } from '#tests/fakes/fake-rows.ts'
import { CAPABILITIES } from './harness/creator.ts'
import { done, pending, refused, type Answers } from './harness/fake-server.ts'
import { NOW, openScreen } from './harness/open-screen.tsx'

type Import = components['schemas']['UploadImport']

const FORMATS = `/uploads/${idOf(2)}/media-jobs/new`
const LINK = 'https://www.dropbox.com/scl/fi/abc/scene.mp4?dl=0'
const GB = 1_000_000_000
const field = page.getByLabelText('Link to your video')
const dialog = page.getByRole('dialog', { name: 'Paste a link' })

const imported = (
  receivedBytes: number,
  fetching: Partial<Import> | null = {},
): components['schemas']['UploadRequest'] => {
  const base = fakeUploadRequest({ receivedBytes })
  return {
    ...base,
    createdAt: new Date(NOW - 60_000).toISOString(),
    upload: {
      ...base.upload,
      provider: 'link',
      metadata: { clientFilename: 'scene.mp4', clientFileSize: 2 * GB },
      partSize: 0,
      partCount: 0,
      resumable: false,
    },
    import:
      fetching === null
        ? null
        : { host: 'dropbox.com', waitsFor: null, nextAttemptInSeconds: null, ...fetching },
  }
}
const answersFor = (uploadRequest: components['schemas']['UploadRequest']): Answers => ({
  listUploadRequests: { uploadRequests: [uploadRequest], pagination: { nextCursor: null } },
  getUploadRequest: { uploadRequest },
})
const nothing: Answers = {
  listUploadRequests: { uploadRequests: [], pagination: { nextCursor: null } },
}
const openDialog = async (answers: Answers = {}) => {
  const screen = await openScreen({ path: '/uploads/new', answers: { ...nothing, ...answers } })
  await page.getByRole('button', { name: 'Paste a link' }).click()
  await expect.element(field).toHaveFocus()
  return screen
}
const send = async (link: string): Promise<void> => {
  await field.fill(link)
  await page.getByRole('button', { name: 'Import' }).click()
}

/** What the dialog says of a text, one after the other. */
const WRONG = [
  ['', 'Paste the link to your video.'],
  ['my video', 'Paste a whole link that begins with https://, without a password in it.'],
  [
    `${LINK} https://www.dropbox.com/b.mp4`,
    'There are several links in this text. Paste only that of your video.',
  ],
  [
    'https://me:secret@dropbox.com/a.mp4',
    'Paste a whole link that begins with https://, without a password in it.',
  ],
  [
    'https://example.com/a.mp4',
    'This server takes links of dropbox.com or dropboxusercontent.com only. Download the video and upload it from this device.',
  ],
] as const
/** What the server says of a link. */
const REFUSED = [
  ['uploads/link-refused', 422, 'This link leads to a page or a document, not to a video.'],
  ['uploads/link-expired', 422, 'This link has expired. Please choose the file again.'],
  ['uploads/too-large', 422, 'This file is too large. You can import files of up to 25 GB.'],
  ['uploads/link-away', 503, 'The host of this link does not answer.'],
  ['uploads/account-full', 422, 'Your files take all of your space.'],
] as const

describe('pasting a link', () => {
  test('UPL-01 has the server fetch the video, and leads to the choice of edits', async () => {
    const begun = imported(0, { waitsFor: 'turn' })
    const screen = await openDialog({
      ...answersFor(begun),
      createUploadRequest: done(201, { uploadRequest: begun }),
    })
    await send(` ${LINK} `)
    await expect.poll(() => screen.path()).toBe(FORMATS)
    expect(screen.server.calls('createUploadRequest').map(({ body }) => body)).toEqual([
      {
        uploadRequest: {
          idempotencyKey: expect.stringMatching(/.{8}/) as string,
          upload: { provider: 'link', link: LINK },
        },
      },
    ])
    await expect.element(page.getByText('Waiting to import from dropbox.com')).toBeVisible()
    await expect.element(page.getByRole('button', { name: 'Submit for Editing' })).toBeVisible()
  })

  test('TYP-03 takes the one link of a pasted text, and says which', async () => {
    const screen = await openDialog({ createUploadRequest: pending })
    await send(`My video: <${LINK.replace('https://', '')}>, have fun!`)
    await expect.element(dialog.getByText(`Read as ${LINK}`)).toBeVisible()
    await expect
      .poll(() => screen.server.calls('createUploadRequest').map(({ body }) => body))
      .toMatchObject([{ uploadRequest: { upload: { provider: 'link', link: LINK } } }])
  })

  test('UPL-11 says what is wrong with a link without asking the server', async () => {
    const screen = await openDialog()
    for (const [link, words] of WRONG) {
      await send(link)
      await expect.element(dialog.getByText(words)).toBeVisible()
    }
    expect(screen.server.calls('createUploadRequest')).toEqual([])
  })

  test('UPL-11 shows in the dialog why the server takes no link, and takes the next one', async () => {
    const screen = await openDialog()
    for (const [code, status, words] of REFUSED) {
      screen.server.answer({ createUploadRequest: refused(status, code, words) })
      await send(LINK)
      await expect.element(dialog.getByRole('alert').getByText(words)).toBeVisible()
      await field.fill(`${LINK}&again`)
      await expect.element(dialog.getByRole('alert')).not.toBeInTheDocument()
    }
    expect(screen.path()).toBe('/uploads/new')
  })

  test('UPL-01 is not offered where the server takes no links', async () => {
    await openScreen({
      path: '/uploads/new',
      answers: {
        ...nothing,
        getCapabilities: {
          capabilities: {
            ...CAPABILITIES,
            uploads: { ...CAPABILITIES.uploads, importHosts: [] },
          },
        },
      },
    })
    await expect.element(page.getByText('Nothing here yet.', { exact: false })).toBeVisible()
    await expect.element(page.getByRole('button', { name: 'Paste a link' })).not.toBeInTheDocument()
  })
})

describe('an import under way', () => {
  const region = page.getByRole('region', { name: 'Imports' })

  test('SAF-04 shows bytes and speed on every device, and 100 % only at its end', async () => {
    const screen = await openScreen({ path: '/uploads/new', answers: answersFor(imported(GB / 2)) })
    await expect.element(region.getByText('Importing from dropbox.com')).toBeVisible()
    await expect.element(region.getByText('500 MB of 2 GB')).toBeVisible()
    await expect.element(region.getByRole('progressbar')).toHaveAttribute('aria-valuenow', '25')
    await expect
      .element(region.getByRole('link', { name: 'Choose edits for scene.mp4' }))
      .toHaveAttribute('href', FORMATS)
    // No device can send it: nothing asks for its file.
    await expect
      .element(page.getByRole('button', { name: 'Choose scene.mp4 again' }))
      .not.toBeInTheDocument()
    screen.server.answer(answersFor(imported(2 * GB)))
    await screen.clock.advance(3000)
    await expect.element(region.getByRole('progressbar')).toHaveAttribute('aria-valuenow', '99')
    await expect.element(region.getByText(/^2 of 2 GB - \d+ Mbit\/s$/)).toBeVisible()
  })

  test.each([
    ['turn', null, 'Waiting to import from dropbox.com', 'It begins by itself'],
    ['host', 90, 'dropbox.com does not give the file right now', 'The next try is in '],
    ['space', 40, 'The server has no space for this video right now', 'What has arrived is kept.'],
  ] as const)(
    'SAF-04 says what it waits for: %s',
    async (waitsFor, nextAttemptInSeconds, title, advice) => {
      await openScreen({
        path: FORMATS,
        answers: answersFor(imported(GB, { waitsFor, nextAttemptInSeconds })),
      })
      await expect.element(page.getByText(title)).toBeVisible()
      await expect.element(page.getByText(advice, { exact: false })).toBeVisible()
    },
  )

  test('UPL-11 says that its link has expired, and goes on with another one', async () => {
    const expired = imported(GB, { waitsFor: 'link' })
    const screen = await openScreen({ path: '/uploads/new', answers: answersFor(expired) })
    await expect
      .element(region.getByText('This link has expired. Please choose the file again.'))
      .toBeVisible()
    await expect.element(region.getByText(/switch this device off/)).not.toBeInTheDocument()
    await region.getByRole('button', { name: 'Paste the link again' }).click()
    const again = page.getByRole('dialog', { name: 'Paste the link again' })
    screen.server.answer({
      renewImport: refused(422, 'uploads/link-refused', 'This is another file than scene.mp4.'),
    })
    await field.fill(LINK)
    await again.getByRole('button', { name: 'Go on' }).click()
    await expect.element(again.getByText('This is another file than scene.mp4.')).toBeVisible()
    const goesOn = imported(GB, { waitsFor: 'turn' })
    screen.server.answer({
      renewImport: () => {
        // Not before: the list may be asked for at any time, and its dialog goes with the problem.
        screen.server.answer(answersFor(goesOn))
        return done(200, { uploadRequest: goesOn })
      },
    })
    await again.getByRole('button', { name: 'Go on' }).click()
    await expect.element(again).not.toBeInTheDocument()
    await expect.element(region.getByText('Waiting to import from dropbox.com')).toBeVisible()
    expect(
      screen.server.calls('renewImport').map(({ params, body }) => [params['id'], body]),
    ).toEqual([
      [idOf(2), { upload: { provider: 'link', link: LINK } }],
      [idOf(2), { upload: { provider: 'link', link: LINK } }],
    ])
  })

  test('SAF-04 can be discarded on a device that did not begin it', async () => {
    const screen = await openScreen({ path: '/uploads/new', answers: answersFor(imported(1000)) })
    await region.getByRole('button', { name: 'Discard: scene.mp4' }).click()
    await expect.element(region).not.toBeInTheDocument()
    screen.server.answer({ ...nothing, abortUploadRequest: done(204) })
    await expect
      .poll(async () => {
        await screen.clock.advance(1000)
        return screen.server.calls('abortUploadRequest').map(({ params }) => params['id'])
      })
      .toEqual([idOf(2)])
  })

  test('UPL-11 that failed says why', async () => {
    const failureReason = 'The file changed while it was copied. Please paste the link again.'
    await openScreen({
      path: FORMATS,
      answers: answersFor({
        ...imported(0, null),
        state: 'failed',
        isFailed: true,
        failureCode: 'import-failed',
        failureReason,
      }),
    })
    await expect.element(page.getByText(failureReason)).toBeVisible()
  })
})
