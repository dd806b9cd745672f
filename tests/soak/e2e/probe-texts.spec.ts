import { copyFile, mkdtemp, open, rm, unlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { expect, test, FAILED_REQUESTS } from '#tests/e2e/quiet.ts'
import { makeCorpus } from '#tests/fixtures/media-corpus.ts'
import { startE2eServer, type E2eServer } from '#tests/setup/e2e-server.ts'
import { photograph } from '#tests/e2e/flow-helpers.ts'
import { beSignedIn } from '#tests/e2e/signed-in.ts'
import { patience } from '#tests/setup/patience.ts'

// The reader for rare containers cannot be loaded here.
test.use({ expectedNoise: FAILED_REQUESTS })

/**
 * What a chosen file makes the app say: the rule, the file of the corpus, the title of the notice,
 * and what stands below it.
 */
type Row = readonly [rule: string, file: string, title: string, body: string | null]

const REFUSED: readonly Row[] = [
  ['A4', 'song.mp4', 'This file has sound but no video.', null],
  [
    'A5',
    'no-index.mp4',
    'This recording is incomplete, so it cannot be played.',
    'Use the original file from the camera, or repair this one first.',
  ],
  ['A7', 'locked.mp4', 'This video is copy-protected and cannot be edited.', null],
]

const WARNED: readonly Row[] = [
  [
    'A12',
    'small.mp4',
    'This video is only 320×180.',
    'Messaging apps shrink videos. Choose the original for a better result.',
  ],
  [
    'A14',
    'strange-codec.avi',
    'We may not be able to read huffyuv.',
    'You can still upload it. The server checks it when it arrives.',
  ],
]

/**
 * Said while the upload goes on by itself: before the first byte (A…), or by the deep check beside
 * it (B…), of which one is by ffmpeg.wasm.
 */
const NOTED: readonly Row[] = [
  ['A8', 'renamed.mp4', 'This file is actually in MKV format.', 'That is fine.'],
  ['B3', 'silent.avi', 'This video is silent.', null],
  [
    'B9',
    'located.mov',
    'This file contains the location where it was filmed.',
    'Your edits will not contain this information.',
  ],
]

/**
 * One of each way in which a check speaks to a person. Which files make which rule speak, and in
 * which words, is tested on the whole corpus in tests/integration/device/media-corpus.test.ts.
 */
test.describe('what the pre-checks say', () => {
  // The first run on a machine makes the corpus.
  test.describe.configure({ timeout: patience(600) })
  let server: E2eServer
  let folder: string
  let corpus: ReadonlyMap<string, string>
  const pathOf = (name: string): string => corpus.get(name) ?? join(folder, name)

  test.beforeAll(async () => {
    test.setTimeout(600_000)
    corpus = await makeCorpus()
    folder = await mkdtemp(join(tmpdir(), 'onecut-texts-'))
    await copyFile(pathOf('song.m4a'), join(folder, 'song.mp4'))
    server = await startE2eServer()
  })
  test.afterAll(async () => {
    await server.dispose()
    await rm(folder, { recursive: true, force: true })
  })

  test('UPL-03 what forbids an upload is said with what to do, and not a byte is sent', async ({
    page,
  }) => {
    const sent = watchSending(page)
    await beSignedIn(page, server)
    for (const [rule, file, title, body] of REFUSED) {
      await choose(page, pathOf(file))
      const notice = page.getByRole('alert').filter({ hasText: title })
      await expect(notice, `${rule} ${file}`).toBeVisible({ timeout: patience(60) })
      if (body !== null) await expect(notice).toContainText(body)
      await expect(page.getByRole('button', { name: 'Upload anyway' })).toHaveCount(0)
      if (rule === 'A7') await photograph(page, 'probe-refused')
      await notice.getByRole('button', { name: 'Choose another file' }).click()
    }
    // 51 GB that take no room on the disk.
    await using large = await open(join(folder, 'large.mp4'), 'w')
    await large.truncate(51 * 1024 ** 3)
    await choose(page, join(folder, 'large.mp4'))
    await expect(page.getByRole('alert').filter({ hasText: 'This file is' }), 'A2').toContainText(
      'The largest file you can upload is',
    )
    await page.getByRole('button', { name: 'Choose another file' }).click()
    await chooseAndLose(page)
    await expect(
      page.getByRole('alert').filter({ hasText: 'The file was moved or changed.' }),
      'A9',
    ).toContainText('Choose it again.')
    expect(sent).toEqual([])
  })

  test('UPL-03 what is worth a warning waits for an answer: another file, or upload anyway', async ({
    page,
  }) => {
    const sent = watchSending(page)
    await beSignedIn(page, server)
    for (const [rule, file, title, body] of WARNED) {
      await choose(page, pathOf(file))
      const card = page.getByRole('region', { name: file })
      await expect(card.getByText(title, { exact: true }), `${rule} ${file}`).toBeVisible({
        timeout: patience(60),
      })
      if (body !== null) await expect(card.getByText(body, { exact: true })).toBeVisible()
      await expect(card.getByRole('button', { name: 'Upload anyway' })).toBeVisible()
      if (rule === 'A12') await photograph(page, 'probe-warned')
      if (file !== WARNED.at(-1)?.[1])
        await card.getByRole('button', { name: 'Choose another file' }).click()
    }
    expect(sent).toEqual([])
    // The server can read what this device was not sure of, so its word ends the warning.
    await page.getByRole('button', { name: 'Upload anyway' }).click()
    await expect(page).toHaveURL(/\/media-jobs\/new$/)
    await expect(page.getByText('Upload complete.')).toBeVisible({ timeout: patience(60) })
    await expect(page.getByText('We may not be able to read huffyuv.')).toHaveCount(0)
  })

  test('UPL-12 FMT-04 what is worth knowing is said beside the running upload, and of a format once it is chosen', async ({
    page,
  }) => {
    await beSignedIn(page, server)
    for (const [rule, file, title, body] of NOTED) {
      await choose(page, pathOf(file))
      await expect(
        page
          .getByText(
            'Did you mean to upload a longer video? Onecut works best with full scene videos.',
          )
          .first(),
        'A11',
      ).toBeVisible()
      await expect(page, file).toHaveURL(/\/media-jobs\/new$/)
      const card = page.getByRole('region', { name: file })
      await expect(card.getByText(title, { exact: true }), `${rule} ${file}`).toBeVisible({
        timeout: patience(60),
      })
      if (body !== null) await expect(card.getByText(body, { exact: true })).toBeVisible()
      if (file === 'located.mov') {
        await expect(card.getByText('Upload complete.')).toBeVisible({ timeout: patience(60) })
        await photograph(page, 'probe-location')
        await elsewhere(page, (other) =>
          expect(
            other.getByText(title, { exact: true }),
            'what the server found, on another device',
          ).toBeVisible({ timeout: patience(60) }),
        )
      }
    }
    // A16 is said by the facts: turned as it will be shown.
    await choose(page, pathOf('turned.mov'))
    await expect(page.getByRole('region', { name: 'turned.mov' })).toContainText(
      'Shown rotated by 90°',
    )
    await expect(page).toHaveURL(/\/media-jobs\/new$/)
    await chooseTooLongFormat(page)
    // The same bytes under another name.
    await copyFile(pathOf('turned.mov'), join(folder, 'again.mov'))
    await choose(page, join(folder, 'again.mov'))
    await expect(
      page.getByText(/^You uploaded this video on \w{3} \d{1,2}, \d{4}\.$/),
      'B8',
    ).toBeVisible()
    await expect(
      page.getByText(/^You can (continue|use) that upload instead of sending the video again\.$/),
    ).toBeVisible()
    await expect(page.getByRole('button', { name: 'Upload anyway' })).toBeVisible()
    await page.getByRole('button', { name: /^(Continue|Use) that upload$/ }).click()
    await expect(page.getByRole('region', { name: 'turned.mov' })).toBeVisible()
  })

  test('UPL-12 a file that cannot be checked here is checked on its arrival', async ({
    browser,
  }) => {
    const context = await browser.newContext({ serviceWorkers: 'block' })
    const page = await context.newPage()
    // The reader for rare containers cannot be loaded.
    await context.route(/ffmpeg-core.*\.wasm/, (route) => route.abort())
    await beSignedIn(page, server)
    await choose(page, pathOf('interlaced.mpg'))
    const card = page.getByRole('region', { name: 'interlaced.mpg' })
    await expect(
      card.getByText('We could not check this file on this device.', { exact: true }),
      'B10',
    ).toBeVisible({ timeout: patience(60) })
    await expect(
      card.getByText('You can still upload it. The server checks it when it arrives.', {
        exact: true,
      }),
    ).toBeVisible()
    await card.getByRole('button', { name: 'Upload anyway' }).click()
    await expect(page).toHaveURL(/\/media-jobs\/new$/)
    await expect(page.getByText('This video is interlaced.', { exact: true })).toBeVisible({
      timeout: patience(60),
    })
    await expect(page.getByText('We could not check this file on this device.')).toHaveCount(0)
    await context.close()
  })

  /** A format that needs a longer video than the one of 5 s at hand says so while it is chosen. */
  async function chooseTooLongFormat(page: Page): Promise<void> {
    const words = page.getByText(
      'This video is 5 s long; "Social Media GIF Pack" needs at least 14 s.',
    )
    await expect(words).toHaveCount(0)
    const pack = page.getByRole('button', { name: 'Social Media GIF Pack', exact: true })
    await pack.click()
    await expect(words, 'A10').toBeVisible()
    await expect(
      page.getByText('You can still order it. The edit will be made from the whole video.'),
    ).toBeVisible()
    await expect(page.getByRole('button', { name: 'Submit for Editing' })).toBeEnabled()
    await photograph(page, 'probe-too-short')
    await pack.click()
    await expect(words).toHaveCount(0)
  }

  /** From any screen to a chosen file. */
  async function choose(page: Page, path: string): Promise<void> {
    if (
      !page.url().endsWith('/uploads/new') ||
      (await page.getByLabel('Choose a video').count()) === 0
    )
      await page.goto(`${server.origin}/uploads/new`)
    await page.getByLabel('Choose a video').setInputFiles(path)
  }

  /** Chooses a file that is gone when it is read, as after a memory card was pulled out. */
  async function chooseAndLose(page: Page): Promise<void> {
    const path = join(folder, 'gone.mp4')
    await copyFile(pathOf('plain.mp4'), path)
    await page.evaluate(() => {
      const input = document.createElement('input')
      input.type = 'file'
      input.id = 'lost'
      document.body.append(input)
    })
    await page.setInputFiles('#lost', path)
    // The browser learns the size when it is first asked.
    await page.waitForFunction(
      () => (document.querySelector<HTMLInputElement>('#lost')?.files?.[0]?.size ?? 0) > 0,
    )
    await unlink(path)
    await page.evaluate(() => {
      const input = document.querySelector<HTMLInputElement>('#lost')
      const data = new DataTransfer()
      for (const file of input?.files ?? []) data.items.add(file)
      document
        .querySelector('#main')
        ?.dispatchEvent(
          new DragEvent('drop', { bubbles: true, cancelable: true, dataTransfer: data }),
        )
      input?.remove()
    })
  }

  /** The same account and address in a browser that knows nothing of the upload. */
  async function elsewhere(page: Page, look: (other: Page) => Promise<void>): Promise<void> {
    const browser = page.context().browser()
    if (browser === null) throw new Error('no browser to open another device in')
    const other = await browser.newContext({ storageState: await page.context().storageState() })
    const screen = await other.newPage()
    await screen.goto(page.url())
    await look(screen)
    await other.close()
  }

  function watchSending(page: Page): readonly string[] {
    const sent: string[] = []
    page.on('request', (request) => {
      if (request.method() === 'PUT' || request.url().endsWith('/v2/upload-requests'))
        sent.push(request.url())
    })
    return sent
  }
})
