import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import { fileSource } from '#src/local/uploads/file/file-source.ts'
import { fingerprintOf } from '#src/local/uploads/file/fingerprint.ts'
import { webCryptoDigest } from '#src/local/uploads/file/hash.ts'
import type { UploadRow, UploadState } from '#src/local/db/rows.ts'
import { FACTS } from '#src/local/db/facts.ts'
import { mediaJobToRow } from '#src/local/db/to-rows.ts'
import { err, ok } from '#src/lib/result.ts'
import type { ProbeReport } from '#src/local/probe/report.ts'
import { fakeMediaJob, fakeUploadRequest, fakeUploadRow, idOf } from '#tests/fakes/fake-rows.ts'
import { PRESETS } from './harness/creator.ts'
import { pending, refused } from './harness/fake-server.ts'
import { NOW, openScreen, type ScreenOptions } from './harness/open-screen.tsx'
import { watchForWords } from './harness/seen-words.ts'
import { watchCopying } from './harness/watch-copying.ts'

const MB = 1_000_000
const ADDRESS = `/uploads/${idOf(2)}/media-jobs/new`
const row = (state: UploadState, changes: Partial<UploadRow> = {}): UploadRow =>
  fakeUploadRow({
    uploadRequestId: idOf(2),
    file: { name: 'scene.mp4', sizeBytes: 40 * MB, lastModifiedEpochMs: 1, type: 'video/mp4' },
    plan: { partSizeBytes: 10 * MB, partCount: 4, sizeBytes: 40 * MB },
    safeBytes: 10 * MB,
    probe: report(),
    createdAtEpochMs: NOW - 60_000,
    updatedAtEpochMs: NOW,
    state,
    ...changes,
  })
const report = (changes: Partial<ProbeReport> = {}): ProbeReport => ({
  engine: 'mediabunny',
  container: 'MP4',
  mimeType: 'video/mp4',
  sizeBytes: 40 * MB,
  durationMs: 600_000,
  video: {
    codec: 'avc',
    codecString: null,
    codedWidth: 1920,
    codedHeight: 1080,
    displayWidth: 1920,
    displayHeight: 1080,
    rotation: 0,
    frameRate: 30,
    bitRate: null,
    isHdr: false,
  },
  audio: { codec: 'aac', channels: 2, sampleRate: 48_000 },
  videoTrackCount: 1,
  audioTrackCount: 1,
  findings: [],
  tookMs: 5,
  ...changes,
})
const button = (name: string) =>
  page.getByRole('main').getByRole('button', { name: `${name}: scene.mp4` })
/** The upload of this device, on the screen where its edits are chosen. */
const openUpload = (
  state: UploadState,
  changes: Partial<UploadRow> = {},
  options: Partial<ScreenOptions> = {},
) => openScreen({ path: ADDRESS, rows: { uploads: [row(state, changes)] }, ...options })

describe('one upload in each of its states', () => {
  type Case = readonly [
    state: UploadState,
    title: string | RegExp,
    body: string | RegExp | null,
    actions: readonly string[],
  ]
  const cases: readonly Case[] = [
    [{ kind: 'preparing' }, 'Getting ready', null, ['Pause', 'Discard']],
    [{ kind: 'queued' }, 'Next in line', /10 of 40 MB safe/, ['Pause', 'Discard']],
    [{ kind: 'uploading' }, 'Uploading', /10 of 40 MB safe/, ['Pause', 'Discard']],
    [
      {
        kind: 'waiting',
        wait: { reason: 'network', retryAtEpochMs: NOW + 20_000, attempt: 3 },
      },
      'Connection lost. 10 MB is safe.',
      'Trying again in 20 s',
      ['Retry now', 'Pause', 'Discard'],
    ],
    [
      { kind: 'waiting', wait: { reason: 'server', retryAtEpochMs: NOW + 5_000, attempt: 1 } },
      'The server is busy. 10 MB is safe.',
      'Trying again in 5 s',
      ['Retry now', 'Pause', 'Discard'],
    ],
    [{ kind: 'needs-auth' }, /^Log in again/, /Nothing is lost/, ['Log in', 'Discard']],
    [
      { kind: 'needs-permission' },
      /permission to read the file/,
      '10 MB is safe.',
      ['Continue upload', 'Choose the file again', 'Discard'],
    ],
    [
      { kind: 'needs-file', why: 'no-handle' },
      /^Choose scene\.mp4 again to continue from 25 ?%$/,
      /10 MB is safe\./,
      ['Choose the file again', 'Discard'],
    ],
    [
      { kind: 'conflict' },
      /^This is (?:not the|another) file/,
      /Choose the original/,
      ['Choose the original', 'Start over', 'Discard'],
    ],
    [{ kind: 'paused' }, /^Paused at 25 ?%$/, /10 of 40 MB safe/, ['Resume', 'Discard']],
    [
      { kind: 'handing-over' },
      'Handing over to your browser',
      /^Keep this page open until your browser has its own copy of the remaining 30 MB\./,
      ['Pause', 'Discard'],
    ],
    [{ kind: 'handed-over' }, 'Your browser is sending the rest', '10 of 40 MB safe', ['Discard']],
    [{ kind: 'finalising' }, /^(?:Finishing the upload|Putting it together)$/, null, []],
    [
      { kind: 'verifying' },
      'Upload is not yet validated. Please wait for processing to complete.',
      null,
      [],
    ],
    [
      { kind: 'expired' },
      'The server no longer has this upload',
      /removed after 7 days/,
      ['Start over', 'Discard'],
    ],
    [
      { kind: 'failed', code: 'upload/no-space', message: null },
      'The server has no space left for this file.',
      'Code: upload/no-space',
      ['Start over', 'Copy details', 'Discard'],
    ],
    [
      { kind: 'failed', code: 'upload/invalid-file', message: 'The file stops early.' },
      'The file stops early.',
      'Code: upload/invalid-file',
      ['Choose another file', 'Copy details', 'Discard'],
    ],
  ]

  test('UPL-07 each state has its words, and what can be done', async () => {
    const screen = await openUpload({ kind: 'preparing' })
    const upload = page.getByRole('region', { name: 'scene.mp4' })
    for (const [state, title, body, actions] of cases) {
      await screen.db.uploads.put(row(state))
      for (const words of body === null ? [title] : [title, body])
        await expect.element(upload.getByText(words, { exact: true }).first()).toBeVisible()
      const names = () => upload.getByRole('button').elements()
      await expect
        .poll(() => names().map((each) => each.textContent), { message: state.kind })
        .toEqual(actions)
    }
  })

  const DONE: UploadState = { kind: 'done', doneAtEpochMs: NOW }
  const ANSWERED = { answers: { getUploadRequest: { uploadRequest: fakeUploadRequest() } } }

  test('UPL-07 done: the video is ready for editing', async () => {
    await openUpload(DONE, { safeBytes: 40 * MB }, ANSWERED)
    await expect
      .element(page.getByText(/Your video has been uploaded and is ready for editing/))
      .toBeVisible()
  })

  test.each([
    ['of this device', [row(DONE, { safeBytes: 40 * MB, arrivalFindings: [] })]],
    ['of another device', []],
  ])('UPL-12 a video %s that was deleted is not offered for edits', async (_whose, uploads) => {
    const uploadRequest = fakeUploadRequest({
      state: 'validated',
      isValidated: true,
      uploadEndedAt: '2026-11-21T09:31:00.000Z',
      sourceRemovedAt: '2026-11-21T09:40:00.000Z',
    })
    await openScreen({
      path: ADDRESS,
      rows: { uploads },
      answers: { getUploadRequest: { uploadRequest } },
    })
    await expect
      .element(page.getByText('This video was deleted from the server', { exact: true }))
      .toBeVisible()
    await expect
      .element(page.getByRole('link', { name: 'Upload it again' }))
      .toHaveAttribute('href', '/uploads/new')
    expect(page.getByText(/ready for editing|Upload completed/).elements()).toEqual([])
    expect(page.getByRole('button', { name: 'Submit for Editing' }).elements()).toEqual([])
  })

  test('UPL-12 a deleted video is not offered for edits while the device still reads that it is', async () => {
    const isOffered = watchForWords('ready for editing')
    const uploads = [row(DONE, { safeBytes: 40 * MB, arrivalFindings: [] })]
    const deleted = {
      uploadRequestId: idOf(2),
      name: 'scene.mp4',
      sizeBytes: 40 * MB,
      hasEnded: true,
      isValidated: true,
      isFailed: false,
      isDeleted: true,
      createdAt: '2026-11-21T09:30:00.000Z',
    }
    await openScreen({
      path: ADDRESS,
      rows: { uploads, facts: [{ key: FACTS.uploads, value: [deleted], pulledAtEpochMs: NOW }] },
      answers: { getUploadRequest: pending },
    })
    await expect
      .element(page.getByText('This video was deleted from the server', { exact: true }))
      .toBeVisible()
    expect(isOffered()).toBe(false)
  })

  test('SAF-02 done: the checksum that device and server agree on is shown in plain words, to copy', async () => {
    const treeSha256 = 'LuSjrmiiTfFXKd6YYVWg6s3EGtJxZ1xJ2T0jrX9Tn+0=-4'
    await openUpload(DONE, { safeBytes: 40 * MB, treeSha256 }, ANSWERED)
    await page.getByRole('button', { name: 'Proof that the whole file arrived' }).click()
    await expect.element(page.getByText(/^This device and the server each computed/)).toBeVisible()
    await expect.element(page.getByText(treeSha256, { exact: true })).toBeVisible()
    await expect.element(page.getByText(/4 parts of 10000000 bytes/)).toBeVisible()
    const copied = watchCopying()
    await page.getByRole('button', { name: 'Copy the checksum' }).click()
    await expect.element(page.getByRole('button', { name: 'Copied' })).toBeVisible()
    expect(copied()).toBe(treeSha256)
    const { clipboard } = navigator
    clipboard.writeText = async () => Promise.reject(new Error('not allowed'))
    onTestFinished(() => void Reflect.deleteProperty(clipboard, 'writeText'))
    await page.getByRole('button', { name: 'Copied' }).click()
    await expect
      .element(page.getByRole('button', { name: 'The browser did not allow copying' }))
      .toBeVisible()
  })

  test('SAF-02 done: nothing is said of a checksum that this device could not compare', async () => {
    await openUpload(DONE, { safeBytes: 40 * MB }, ANSWERED)
    await expect.element(page.getByText(/ready for editing$/)).toBeVisible()
    expect(page.getByText(/Proof/).elements()).toEqual([])
  })

  test('SAF-06 the browser is offered the rest where it can send on its own, once parts are planned', async () => {
    const abilities = () => ({
      isInstalled: false,
      hasBackgroundSync: true,
      hasBackgroundFetch: true,
    })
    const screen = await openUpload(
      { kind: 'uploading' },
      {},
      { uploads: { bridge: { abilities } } },
    )
    await expect
      .element(page.getByText(/To finish without this page, choose 'Finish in the background'\.$/))
      .toBeVisible()
    await button('Finish in the background').click()
    expect(screen.uploads.commands).toEqual(['handOver local-upload'])
    await screen.db.uploads.update('local-upload', { state: { kind: 'handed-over' } })
    await expect.element(page.getByText(/^You can close this page\./)).toBeVisible()
    await screen.db.uploads.update('local-upload', { state: { kind: 'queued' }, plan: null })
    await expect.element(page.getByText('Next in line')).toBeVisible()
    expect(button('Finish in the background').elements()).toEqual([])
    expect(page.getByText(/Finish in the background/).elements()).toEqual([])
  })

  test('UPL-07 a command goes to the upload worker under the id of the upload', async () => {
    const screen = await openUpload({ kind: 'uploading' })
    await button('Pause').click()
    await screen.db.uploads.update('local-upload', { state: { kind: 'paused' } })
    await button('Resume').click()
    expect(screen.uploads.commands).toEqual(['pause local-upload', 'resume local-upload'])
  })

  test('UPL-07 a command that could not be carried out says why', async () => {
    await openUpload(
      { kind: 'paused' },
      {},
      {
        uploads: { bridge: { resume: async () => err({ code: 'upload/worker-unavailable' }) } },
      },
    )
    await button('Resume').click()
    await expect
      .element(page.getByText(/could not start in this browser\. Please try again\.$/))
      .toBeVisible()
  })

  test('UPL-07 discarding can be taken back for ten seconds', async () => {
    const screen = await openUpload({ kind: 'discarding', undoUntilEpochMs: NOW + 10_000 })
    await button('Undo').click()
    expect(screen.uploads.commands).toEqual(['undoDiscard local-upload'])
    await screen.clock.advance(11_000)
    await expect.element(button('Undo')).not.toBeInTheDocument()
    await expect.element(page.getByText('Discarded', { exact: true })).toBeVisible()
  })

  test('UPL-07 a discard of minutes of sending asks first, and says what is lost', async () => {
    const large = { name: 'scene.mp4', sizeBytes: 12_800 * MB, lastModifiedEpochMs: 1, type: '' }
    const screen = await openUpload({ kind: 'paused' }, { file: large, safeBytes: 7_200 * MB })
    await button('Discard').click()
    const question = page.getByRole('alertdialog', { name: 'Discard this upload?' })
    await expect
      .element(question.getByText(/^7\.2 GB of the 12\.8 GB of scene\.mp4 have arrived\./))
      .toBeVisible()
    await question.getByRole('button', { name: 'Keep upload' }).click()
    await expect.element(question).not.toBeInTheDocument()
    expect(screen.uploads.commands).toEqual([])
    await button('Discard').click()
    await question.getByRole('button', { name: 'Discard upload' }).click()
    expect(screen.uploads.commands).toEqual(['discard local-upload'])
  })

  test('UPL-07 the driver reports safe bytes, speed and time left; what is safe never goes back', async () => {
    const screen = await openUpload({ kind: 'uploading' })
    const bar = page.getByRole('progressbar', { name: 'Upload of scene.mp4' })
    await expect.element(bar).toHaveAttribute('aria-valuetext', '25% Uploaded')
    screen.uploads.report({
      uploadId: 'local-upload',
      safeBytes: 20 * MB,
      inFlightBytes: 5 * MB,
      bytesPerSecond: MB,
      secondsLeft: 20,
      quietForMs: 0,
      pause: null,
      isUnsaved: false,
    })
    await expect.element(bar).toHaveAttribute('aria-valuetext', '50% Uploaded')
    await expect.element(page.getByText(/20 of 40 MB safe.*8(?:\.0)? Mbit\/s/)).toBeVisible()
  })

  test('UPL-07 the upload is called done when its whole file has arrived, and not before', async () => {
    const screen = await openUpload({ kind: 'uploading' })
    const step = page.getByRole('list', { name: 'Steps' }).getByRole('listitem').first()
    const bar = page.getByRole('progressbar', { name: 'Upload of scene.mp4' })
    await expect.element(bar).toHaveAttribute('aria-valuetext', '25% Uploaded')
    await expect.element(step).toHaveTextContent('Upload')
    await screen.db.uploads.update('local-upload', {
      state: { kind: 'verifying' },
      safeBytes: 40 * MB,
    })
    await expect
      .element(
        page.getByText('Upload is not yet validated. Please wait for processing to complete.'),
      )
      .toBeVisible()
    for (const other of ['Checking the video', 'the whole file has arrived'])
      expect(page.getByText(other).elements()).toEqual([])
    await expect.element(bar).toHaveAttribute('aria-valuetext', '100% Uploaded')
    await expect.element(step).toHaveTextContent('Upload (done)')
  })

  test('UPL-07 on a device without the upload, a job of the video tells that it is done', async () => {
    const step = page.getByRole('list', { name: 'Steps' }).getByRole('listitem').first()
    const completed = fakeMediaJob({ uploadRequestId: idOf(2), isUploadRequestCompleted: true })
    await openScreen({
      path: ADDRESS,
      rows: { mediaJobs: [mediaJobToRow(completed, NOW)] },
      answers: { getUploadRequest: { uploadRequest: fakeUploadRequest() } },
    })
    await expect.element(step).toHaveTextContent('Upload (done)')
  })

  test('UPL-11 the details of a failure can be copied, without the name of the file', async () => {
    await openUpload({ kind: 'failed', code: 'upload/no-space', message: null })
    const copied = watchCopying()
    await button('Copy details').click()
    await expect.element(page.getByText('Details copied')).toBeVisible()
    const details = copied()
    expect(details).toContain(`Upload: ${idOf(2)}\nCode: upload/no-space`)
    expect(details).not.toContain('scene')
  })

  test('UPL-12 an upload of another device is shown read-only, and whether it has arrived', async () => {
    const screen = await openScreen({
      path: ADDRESS,
      answers: { getUploadRequest: { uploadRequest: fakeUploadRequest() } },
    })
    await expect.element(page.getByText('Upload not completed')).toBeVisible()
    await expect
      .element(page.getByRole('button', { name: /^(?:Pause|Discard)/ }))
      .not.toBeInTheDocument()
    const arrived = fakeUploadRequest({
      state: 'completed',
      uploadEndedAt: '2026-11-21T09:59:00.000Z',
    })
    screen.server.answer({ getUploadRequest: { uploadRequest: arrived } })
    await screen.goTo('/edits')
    await expect.element(page.getByText('Your edits will be here')).toBeVisible()
    await screen.goTo(ADDRESS)
    await expect
      .element(
        page.getByText('Upload is not yet validated. Please wait for processing to complete.'),
      )
      .toBeVisible()
    expect(page.getByText('Upload completed').elements()).toEqual([])
  })

  test.each([
    [
      'discarded',
      { getUploadRequest: { uploadRequest: fakeUploadRequest({ state: 'aborted' }) } },
      'This upload no longer exists',
    ],
    [
      'unknown',
      { getUploadRequest: refused(404, 'uploads/not-found') },
      'Failed to fetch upload request',
    ],
    [
      'not to be fetched',
      { getUploadRequest: refused(422, 'request/invalid') },
      'Unable to fetch upload request',
    ],
  ] as const)('UPL-12 an upload that is %s says so', async (_what, answers, words) => {
    await openScreen({ path: ADDRESS, answers })
    await expect.element(page.getByText(words)).toBeVisible()
  })
})

describe('choosing a video on /uploads/new', () => {
  const zone = page.getByRole('main').getByText('Drag and drop your video here or click to browse')
  const choose = (file: File) => page.getByLabelText('Choose a video').upload(file)
  /** Dispatches a drag event with these files; true if the page takes part in the drag. */
  const fire = (event: 'dragenter' | 'dragleave' | 'drop', files: readonly File[]): boolean => {
    const dataTransfer = new DataTransfer()
    for (const file of files) dataTransfer.items.add(file)
    const over = new DragEvent(event, { bubbles: true, cancelable: true, dataTransfer })
    document.querySelector('#main')?.dispatchEvent(over)
    return over.defaultPrevented
  }
  const video = (name = 'scene.mp4') => new File(['video'], name, { type: 'video/mp4' })
  /** The page listens a moment after the zone is drawn; a drag before that leaves no trace. */
  const zoneListens = async () => {
    await expect.element(zone).toBeVisible()
    await expect
      .poll(() => {
        const isTaken = fire('dragenter', [video()])
        fire('dragleave', [video()])
        return isTaken
      })
      .toBe(true)
  }
  const drop = async (...files: File[]) => {
    await zoneListens()
    fire('drop', files)
    await expect.poll(() => zone.elements()).toEqual([])
  }
  const drag = (event: 'dragenter' | 'dragleave', ...types: string[]) =>
    fire(
      event,
      types.map((type) => new File(['x'], 'dragged', { type })),
    )

  test('UPL-01 says what comes next, and shows the formats', async () => {
    await openScreen({ path: '/uploads/new' })
    await expect.element(page.getByText('Start your upload to continue to this step')).toBeVisible()
    await expect.element(page.getByText('15s Teaser', { exact: true })).toBeVisible()
  })

  test('UPL-02 at 360 px the zone asks for a tap', async () => {
    await page.viewport(360, 780)
    onTestFinished(() => page.viewport(1280, 800))
    await openScreen({ path: '/uploads/new' })
    await expect.element(page.getByText('Tap here to select your video')).toBeVisible()
    await expect.element(zone).not.toBeVisible()
  })

  test('UPL-02 while a file is dragged over the window, the drop zone says whether it would take it', async () => {
    await openScreen({ path: '/uploads/new' })
    await zoneListens()
    drag('dragenter', 'video/mp4')
    await expect.element(page.getByText('Drop to upload')).toBeVisible()
    drag('dragleave', 'video/mp4')
    await expect.element(zone).toBeVisible()
    drag('dragenter', 'text/plain')
    await expect.element(page.getByText('Only video files are accepted')).toBeVisible()
    drag('dragleave', 'text/plain')
    drag('dragenter', 'video/mp4', 'video/mp4')
    await expect.poll(() => document.querySelector('[data-state=reject]')).not.toBeNull()
  })

  test('TYP-03 UPL-02 a dropped folder says what to do, and changes nothing', async () => {
    // A drop that a script makes has no folders.
    const entry = vi
      .spyOn(DataTransferItem.prototype, 'webkitGetAsEntry')
      .mockReturnValue({ isDirectory: true } as FileSystemEntry)
    onTestFinished(() => entry.mockRestore())
    await openScreen({ path: '/uploads/new' })
    await zoneListens()
    fire('drop', [new File([], 'scenes')])
    await expect
      .element(
        page.getByText(
          /A folder cannot be added. Please open it and drop the file that is in it.$/,
        ),
      )
      .toBeVisible()
    await expect.element(zone).toBeVisible()
  })

  test('UPL-03 one video at a time', async () => {
    await openScreen({ path: '/uploads/new' })
    await drop(video('one.mp4'), video('two.mp4'))
    await expect
      .element(
        page
          .getByRole('main')
          .getByText(/Upload one video at a time/)
          .first(),
      )
      .toBeVisible()
    await page.getByRole('button', { name: 'Choose another file' }).click()
    await expect.element(zone).toBeVisible()
  })

  test('UPL-03 only videos are accepted', async () => {
    await openScreen({ path: '/uploads/new' })
    await drop(new File(['words'], 'notes.txt', { type: 'text/plain' }))
    await expect
      .element(
        page
          .getByRole('main')
          .getByText(/Only video files are accepted/)
          .first(),
      )
      .toBeVisible()
  })

  test('UPL-03 says that the video is being checked, which can be cancelled', async () => {
    const cancelled: string[] = []
    await openScreen({
      path: '/uploads/new',
      uploads: {
        media: {
          probe: () => new Promise(() => undefined),
          cancel: (id) => void cancelled.push(id),
        },
      },
    })
    await choose(video())
    await expect.element(page.getByText('Checking your video on this device')).toBeVisible()
    await page.getByRole('button', { name: 'Cancel' }).click()
    await expect.element(zone).toBeVisible()
    expect(cancelled.length).toBeGreaterThan(0)
  })

  test('UPL-03 an empty file is refused, and nothing is sent', async () => {
    const screen = await openScreen({
      path: '/uploads/new',
      uploads: { media: { probe: async () => err({ code: 'probe/empty' }) } },
    })
    await choose(new File([], 'empty.mp4', { type: 'video/mp4' }))
    await expect
      .element(
        page
          .getByRole('main')
          .getByText(/This file is empty/)
          .first(),
      )
      .toBeVisible()
    expect(screen.uploads.commands).toEqual([])
  })

  test('UPL-03 a warning waits for an answer: another file, or upload anyway', async () => {
    const screen = await openScreen({
      path: '/uploads/new',
      uploads: {
        media: {
          probe: async () =>
            ok(
              report({
                sizeBytes: 5,
                findings: [{ ruleId: 'A12', verdict: 'warn', facts: { width: 320, height: 180 } }],
              }),
            ),
        },
      },
    })
    await choose(video())
    const card = page.getByRole('region', { name: 'scene.mp4' })
    await expect.element(card.getByText(/320×180/)).toBeVisible()
    await expect.element(card.getByRole('button', { name: 'Choose another file' })).toBeVisible()
    expect(screen.uploads.commands).toEqual([])
    await card.getByRole('button', { name: 'Upload anyway' }).click()
    await expect.poll(() => screen.uploads.commands).toEqual([expect.stringMatching(/^start /)])
  })

  test('UPL-05 UPL-04 an upload without anything to ask starts by itself and leads on once it has its id', async () => {
    const screen = await openScreen({
      path: '/uploads/new',
      uploads: { media: { probe: async () => ok(report({ sizeBytes: 5 })) } },
    })
    await choose(video())
    const message = page.getByText(
      'Did you mean to upload a longer video? Onecut works best with full scene videos.',
    )
    await expect.element(message.first()).toBeVisible()
    expect(message.first().element().closest('[data-kind]')).toHaveAttribute('data-kind', 'info')
    await expect.poll(() => screen.uploads.commands).toHaveLength(1)
    const uploadId = screen.uploads.commands[0]?.split(' ')[1] ?? ''
    await screen.db.uploads.update(uploadId, {
      state: { kind: 'uploading' },
      uploadRequestId: idOf(2),
    })
    await expect.poll(screen.path).toBe(ADDRESS)
  })

  test('UPL-03 the file of an upload that has arrived leads to that upload, which is used and not continued', async () => {
    const chosen = video()
    const { head, tail } = await fingerprintOf(webCryptoDigest, fileSource(chosen)).then((found) =>
      found.ok ? found.value : { head: '', tail: '' },
    )
    const done: UploadState = { kind: 'done', doneAtEpochMs: NOW }
    const file = { name: 'scene.mp4', sizeBytes: chosen.size, lastModifiedEpochMs: 1, type: '' }
    const screen = await openScreen({
      path: '/uploads/new',
      rows: { uploads: [row(done, { file, fingerprint: { head, tail } })] },
      answers: { getUploadRequest: { uploadRequest: fakeUploadRequest() } },
      uploads: { media: { probe: async () => ok(report({ sizeBytes: chosen.size })) } },
    })
    await choose(chosen)
    await expect
      .element(page.getByText('You can use that upload instead of sending the video again.'))
      .toBeVisible()
    await page.getByRole('button', { name: 'Use that upload' }).click()
    await expect.poll(screen.path).toBe(ADDRESS)
    // The page has the file from now on, and nothing is sent.
    expect(screen.uploads.commands.filter((each) => !each.startsWith('discard'))).toEqual([
      'provideFile local-upload',
    ])
  })

  test('UPL-03 an upload that cannot start says so', async () => {
    await openScreen({
      path: '/uploads/new',
      uploads: {
        media: { probe: async () => ok(report({ sizeBytes: 5 })) },
        bridge: { start: async () => err({ code: 'upload/worker-unavailable' }) },
      },
    })
    await choose(video())
    await expect
      .element(
        page
          .getByRole('main')
          .getByText(/File upload failed/)
          .first(),
      )
      .toBeVisible()
  })

  test('FMT-01 says why the formats could not be loaded, and loads them at the next try', async () => {
    const screen = await openScreen({
      path: '/uploads/new',
      answers: { listPresets: refused(422, 'request/invalid', 'No formats today.') },
    })
    await expect.element(page.getByText('No formats today.')).toBeVisible()
    await expect
      .element(page.getByText('Unable to fetch media job task presets').first())
      .toBeVisible()
    screen.server.answer({ listPresets: { mediaJobTaskPresets: [...PRESETS] } })
    await page.getByRole('button', { name: 'Try Again' }).click()
    await expect.element(page.getByText('15s Teaser', { exact: true })).toBeVisible()
  })
})

describe('the lists of uploads on /uploads/new', () => {
  const recent = page.getByRole('region', { name: 'Recent uploads' })
  const unfinished = page.getByRole('region', { name: 'Unfinished uploads on this device' })
  const request = (number: number, changes: Parameters<typeof fakeUploadRequest>[0] = {}) =>
    fakeUploadRequest({
      _id: idOf(number),
      upload: {
        ...fakeUploadRequest().upload,
        metadata: { clientFilename: `scene ${number}.mp4`, clientFileSize: 1000 },
      },
      createdAt: new Date(NOW - number * 60_000).toISOString(),
      ...changes,
    })
  const validated = {
    state: 'validated',
    uploadEndedAt: '2026-11-21T09:31:00.000Z',
    isValidated: true,
  } as const
  const listed = (
    uploadRequests: ReturnType<typeof request>[],
    nextCursor: string | null = null,
  ) => ({
    listUploadRequests: { uploadRequests, pagination: { nextCursor } },
  })

  test('UPL-13 says that the upload of another tab has arrived, instead of dropping it without a word', async () => {
    const [open, old] = [idOf(21), idOf(22)]
    const file = { name: 'beach.mp4', sizeBytes: 1000, lastModifiedEpochMs: 0, type: 'video/mp4' }
    const done = { kind: 'done', doneAtEpochMs: NOW } as const
    const screen = await openScreen({
      path: '/uploads/new',
      rows: {
        uploads: [
          fakeUploadRow({ id: open, uploadRequestId: open, file, state: { kind: 'uploading' } }),
          fakeUploadRow({ id: old, uploadRequestId: old, state: done }),
        ],
      },
      answers: listed([]),
    })
    await expect.element(unfinished.getByText('beach.mp4')).toBeVisible()
    await screen.db.uploads.update(open, { state: { kind: 'verifying' } })
    await screen.db.uploads.update(open, { state: done })
    const said = page.getByText('beach.mp4 has been uploaded and is ready for editing')
    await expect.element(said).toBeVisible()
    await expect.element(unfinished).not.toBeInTheDocument()
    await expect
      .element(page.getByRole('link', { name: 'Choose edits for beach.mp4' }).first())
      .toHaveAttribute('href', `/uploads/${open}/media-jobs/new`)
    await page.getByRole('button', { name: 'Dismiss beach.mp4' }).click()
    await expect.element(said).not.toBeInTheDocument()
  })

  test('UPL-13 loads, and says when there is nothing yet', async () => {
    const screen = await openScreen({
      path: '/uploads/new',
      answers: { listUploadRequests: pending },
    })
    await expect.element(page.getByRole('status', { name: 'Loading your uploads' })).toBeVisible()
    screen.server.answer(listed([]))
    await screen.goTo('/edits')
    await screen.goTo('/uploads/new')
    await expect.element(recent.getByText(/^Nothing (?:here )?yet\./)).toBeVisible()
  })

  test('UPL-13 says of each whether it is completed, in progress or aborted, or failed', async () => {
    await openScreen({
      path: '/uploads/new',
      answers: listed([
        request(1, validated),
        request(2),
        request(3, { state: 'failed', isFailed: true, uploadEndedAt: validated.uploadEndedAt }),
      ]),
    })
    const item = (name: string) => page.getByRole('listitem').filter({ hasText: name })
    await expect.element(item('scene 1').getByText('Upload completed.')).toBeVisible()
    await expect
      .element(item('scene 1').getByRole('link', { name: 'Choose edits for scene 1.mp4' }))
      .toHaveAttribute('href', `/uploads/${idOf(1)}/media-jobs/new`)
    await expect.element(item('scene 2').getByText('Upload in progress or aborted')).toBeVisible()
    await expect
      .element(item('scene 2').getByRole('link', { name: 'Open scene 2.mp4' }))
      .toBeVisible()
    await expect.element(item('scene 3').getByText('Upload failed.')).toBeVisible()
  })

  test('UPL-13 says of a video that it was deleted, and offers to upload it again', async () => {
    const screen = await openScreen({
      path: '/uploads/new',
      rows: { uploads: [row({ kind: 'done', doneAtEpochMs: NOW })] },
      answers: listed([request(2, { ...validated, sourceRemovedAt: '2026-11-21T09:40:00.000Z' })]),
    })
    const item = recent.getByRole('listitem').filter({ hasText: 'scene.mp4' })
    await expect.element(item.getByText('Deleted from the server.')).toBeVisible()
    expect(
      item
        .getByRole('link')
        .elements()
        .map(({ textContent }) => textContent),
    ).toEqual(['Upload it again: scene.mp4'])
    await item.getByRole('link').click()
    await expect.poll(screen.path).toBe('/uploads/new')
  })

  test('UPL-13 keeps what this device knows when loading fails, and says so', async () => {
    const screen = await openScreen({
      path: '/uploads/new',
      rows: {
        facts: [
          {
            key: FACTS.uploads,
            value: [
              {
                uploadRequestId: idOf(1),
                name: 'scene 1.mp4',
                sizeBytes: 1000,
                hasEnded: true,
                isValidated: true,
                isFailed: false,
                createdAt: '2026-11-21T09:30:00.000Z',
              },
            ],
            pulledAtEpochMs: NOW - 20 * 60_000,
          },
        ],
      },
      answers: { listUploadRequests: refused(422, 'request/invalid', 'No list today.') },
    })
    await expect.element(page.getByText('Your uploads could not be loaded')).toBeVisible()
    await expect.element(page.getByText(/^No list today\. .* 9:40 AM\.$/)).toBeVisible()
    await expect.element(recent.getByText('scene 1.mp4', { exact: true })).toBeVisible()
    screen.server.answer(listed([request(1, validated)]))
    await recent.getByRole('button', { name: 'Try Again' }).click()
    await expect.element(page.getByText('Your uploads could not be loaded')).not.toBeInTheDocument()
  })

  test('UPL-13 shows older uploads on demand', async () => {
    const all = Array.from({ length: 25 }, (_, at) => request(at + 1, validated))
    await openScreen({
      path: '/uploads/new',
      answers: {
        listUploadRequests: ({ query }) => {
          const from = Number(query.get('cursor') ?? 0)
          const to = from + Number(query.get('limit') ?? 20)
          return {
            uploadRequests: all.slice(from, to),
            pagination: { nextCursor: to < all.length ? String(to) : null },
          }
        },
      },
    })
    await expect.element(recent.getByText('scene 1.mp4', { exact: true })).toBeVisible()
    const before = recent.getByRole('listitem').elements().length
    await recent.getByRole('button', { name: 'Show older uploads' }).click()
    await expect.poll(() => recent.getByRole('listitem').elements().length).toBeGreaterThan(before)
  })

  test('UPL-13 the uploads of this device stand above, each with how far it is and what can be done', async () => {
    await openScreen({
      path: '/uploads/new',
      rows: {
        uploads: [
          row({ kind: 'paused' }),
          row(
            {
              kind: 'waiting',
              wait: { reason: 'network', retryAtEpochMs: NOW + 9_000, attempt: 1 },
            },
            {
              id: 'other',
              uploadRequestId: idOf(8),
              file: { ...row({ kind: 'draft' }).file, name: 'other.mp4' },
            },
          ),
        ],
      },
    })
    const item = (name: string) => unfinished.getByRole('listitem').filter({ hasText: name })
    await expect
      .element(item('scene.mp4').getByRole('progressbar'))
      .toHaveAttribute('aria-valuetext', 'Paused - resume')
    await expect
      .element(item('scene.mp4').getByRole('button', { name: 'Resume: scene.mp4' }))
      .toBeVisible()
    await expect
      .element(item('other.mp4').getByRole('progressbar'))
      .toHaveAttribute('aria-valuetext', 'Waiting for network')
    await expect
      .element(item('other.mp4').getByRole('link', { name: 'Choose edits for other.mp4' }))
      .toHaveAttribute('href', `/uploads/${idOf(8)}/media-jobs/new`)
  })
})

describe('the floating card', () => {
  const card = page.getByRole('complementary', { name: 'Upload' })

  test('UPL-06 follows to other screens, says when the video is ready, and can be dismissed then', async () => {
    const screen = await openScreen({
      path: '/edits',
      rows: { uploads: [row({ kind: 'uploading' })] },
    })
    await expect.element(card.getByText('scene.mp4', { exact: true })).toBeVisible()
    await expect
      .element(card.getByRole('progressbar'))
      .toHaveAttribute('aria-valuetext', '25% Uploaded')
    await expect.element(card.getByRole('button', { name: 'Dismiss' })).not.toBeInTheDocument()
    await screen.db.uploads.update('local-upload', {
      state: { kind: 'done', doneAtEpochMs: NOW },
      safeBytes: 40 * MB,
    })
    await expect
      .element(card.getByText('Your video has been uploaded and is ready for editing'))
      .toBeVisible()
    await card.getByRole('button', { name: 'Dismiss' }).click()
    await expect.element(card).not.toBeInTheDocument()
  })

  test('UPL-06 says nothing more of a video when its edits are ordered', async () => {
    const job = fakeMediaJob({ uploadRequestId: idOf(2), orderId: idOf(3) })
    const screen = await openScreen({
      path: '/wallets',
      rows: { uploads: [row({ kind: 'uploading' })], mediaJobs: [mediaJobToRow(job, NOW)] },
    })
    await expect.element(card.getByText('scene.mp4', { exact: true })).toBeVisible()
    await screen.db.uploads.update('local-upload', {
      state: { kind: 'done', doneAtEpochMs: NOW },
      safeBytes: 40 * MB,
    })
    await expect.element(card).not.toBeInTheDocument()
  })

  test('UPL-06 is not where the upload itself is shown', async () => {
    await openUpload({ kind: 'uploading' })
    await expect.element(page.getByRole('region', { name: 'scene.mp4' })).toBeVisible()
    await expect.element(card).not.toBeInTheDocument()
  })
})
