import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { BrowserContext, Page } from '@playwright/test'
import { driveFile } from '#tests/fakes/google/files.ts'
import {
  CLIENT_ID,
  CLIENT_SECRET,
  startFakeGoogle,
  type FakeGoogle,
} from '#tests/fakes/google/server.ts'
import {
  LINK_HOST_CERTIFICATE,
  linkHostTls,
  linkedFile,
  startLinkHost,
  type LinkHost,
} from '#tests/fakes/link-host.ts'
import { startE2eServer, type E2eServer } from '#tests/setup/e2e-server.ts'
import type { TestClient } from '#tests/setup/client.ts'
import { fetchJob, payFor, requestEdits } from '#tests/setup/order.ts'
import { expect, test } from '#tests/e2e/quiet.ts'
import { beSignedIn } from '#tests/e2e/signed-in.ts'
import { patience } from '#tests/setup/patience.ts'

const APP_KEY = 'abc123def456'
let folder: string
let host: LinkHost
let google: FakeGoogle
let server: E2eServer

test.beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'onecut-imports-'))
  const clip = join(folder, 'clip.mp4')
  const input = ['-f', 'lavfi', '-i', 'testsrc2=size=320x180:rate=25:duration=2']
  await promisify(execFile)('ffmpeg', ['-v', 'error', ...input, '-pix_fmt', 'yuv420p', clip])
  host = await startLinkHost()
  const scene = await readFile(clip)
  host.files.set('/scene.mp4', linkedFile(scene))
  google = await startFakeGoogle({ ...linkHostTls(), host: 'drive.share.example' })
  google.files.set('scene-1', driveFile(scene))
  server = await startE2eServer(
    {
      ONECUT_IMPORT_HOSTS: `share.example:${host.port},dropboxusercontent.com`,
      DROPBOX_APP_KEY: APP_KEY,
      GOOGLE_CLIENT_ID: CLIENT_ID,
      GOOGLE_CLIENT_SECRET: CLIENT_SECRET,
      TEST_GOOGLE_PLACES: JSON.stringify(google.places),
      NODE_EXTRA_CA_CERTS: LINK_HOST_CERTIFICATE,
    },
    'tests/setup/import-server.ts',
  )
})
test.afterAll(async () => {
  await server.dispose()
  await host.stop()
  await google.stop()
  await rm(folder, { recursive: true, force: true })
})

/** The first bytes of the next file come, and the rest when the returned function is called. */
function holdNext(): () => void {
  const { promise, resolve } = Promise.withResolvers<void>()
  host.troubles.push({ kind: 'none' }, { kind: 'hold', afterBytes: 5_000, until: promise })
  return resolve
}

test('UPL-01 a pasted link is imported while its page is reloaded, used for formats, and closed', async ({
  context,
  page,
}) => {
  await beSignedIn(page, server)
  const letGo = holdNext()
  await page.getByRole('button', { name: 'Paste a link' }).click()
  await page.getByLabel('Link to your video').fill(`${host.origin}/scene.mp4`)
  await page.getByRole('button', { name: 'Import', exact: true }).click()
  const importing = page.getByText('Importing from files.share.example')
  await expect(importing).toBeVisible()
  await page.reload()
  await expect(importing).toBeVisible()
  await expect(page.getByRole('progressbar', { name: 'Import of scene.mp4' })).toBeVisible()
  const format = page.getByRole('button', { name: 'Still Pack', exact: true })
  await format.click()
  await expect(format).toHaveAttribute('aria-pressed', 'true')
  const address = page.url()
  await page.close()
  letGo()
  const later = await context.newPage()
  await later.goto(address)
  await expect(later.getByText('Upload completed')).toBeVisible()
})

/** What Dropbox's script and window do, at their own addresses. */
async function standInForDropbox(context: BrowserContext, link: string): Promise<void> {
  const file = { id: 'id:abc', name: 'scene.mp4', link, bytes: 5 }
  await context.route('https://www.dropbox.com/static/api/2/dropins.js', async (route) => {
    const body = `
      const key = document.getElementById('dropboxjs').dataset.appKey
      window.Dropbox = {
        choose({ linkType, multiselect, extensions, success }) {
          if (linkType !== 'direct' || multiselect || extensions.join() !== 'video') return
          const query = new URLSearchParams({ app_key: key, origin: location.origin })
          window.open('https://www.dropbox.com/chooser?' + query)
          addEventListener('message', ({ origin, data }) => {
            if (origin === 'https://www.dropbox.com') success([data])
          })
        },
      }`
    await route.fulfill({ contentType: 'text/javascript', body })
  })
  await context.route('https://www.dropbox.com/chooser?*', async (route) => {
    const query = new URL(route.request().url()).searchParams
    const post = `opener.postMessage(${JSON.stringify(file)}, '${query.get('origin') ?? ''}'); close()`
    const body = `<!doctype html><title>${query.get('app_key') ?? ''}</title>
      <button>Choose</button>
      <script>document.querySelector('button').onclick = () => { ${post} }</script>`
    await route.fulfill({ contentType: 'text/html', body })
  })
}

test('CLD-01 a video is chosen in the window of Dropbox and imported, and nothing of Dropbox is asked for before', async ({
  context,
  page,
}) => {
  const asked: string[] = []
  context.on('request', (request) => asked.push(request.url()))
  const fromDropbox = () => asked.filter((url) => new URL(url).hostname === 'www.dropbox.com')
  await standInForDropbox(context, `${host.origin}/scene.mp4`)
  await beSignedIn(page, server)
  const letGo = holdNext()
  await expect(page.getByRole('button', { name: 'Dropbox' })).toBeVisible()
  expect(fromDropbox()).toEqual([])
  await page.getByRole('button', { name: 'Dropbox' }).click()
  const opened = context.waitForEvent('page')
  await page
    .frameLocator('iframe[title="Dropbox"]')
    .getByRole('button', { name: 'Open Dropbox' })
    .click()
  const window = await opened
  await expect(window).toHaveTitle(APP_KEY)
  await window.getByRole('button', { name: 'Choose' }).click()
  await expect(page.getByText('Importing from Dropbox')).toBeVisible()
  letGo()
  await expect(page.getByText('Upload completed')).toBeVisible()
  expect(fromDropbox()).toHaveLength(2)
})

test('CLD-02 LIF-09 a video is chosen at Google and imported, and its edit saved to Google and Dropbox; nothing of Google is asked for before', async ({
  context,
  page,
}) => {
  const client = await beSignedIn(page, server)
  await page.getByRole('button', { name: 'Google Drive' }).click()
  const dialog = page.getByRole('dialog', { name: 'Google Drive' })
  await expect(
    dialog.getByText('Please connect your Google account first to access Google Drive.'),
  ).toBeVisible()
  expect(google.asked).toEqual([])
  const { promise, resolve: letGo } = Promise.withResolvers<void>()
  google.troubles.push({ kind: 'hold', afterBytes: 5_000, until: promise })
  await dialog.getByRole('link', { name: 'Connect Google Drive' }).click()
  await page.getByRole('link', { name: 'beach day.mp4' }).click()
  await expect(page.getByText('Importing from Google Drive')).toBeVisible()
  expect(page.url()).not.toContain('scene-1')
  letGo()
  await expect(page.getByText('Upload completed')).toBeVisible()
  const uploadRequestId = /\/uploads\/([^/]+)/.exec(page.url())?.[1] ?? ''
  await makeEdit(client, uploadRequestId)
  await saveToClouds(context, page)
  await page.goto(`${server.origin}/uploads/new`)
  await page.getByRole('link', { name: 'Google Drive' }).click()
  await page.getByRole('link', { name: 'Cancel' }).click()
  await expect(
    page.getByText('Google Drive is not connected, because access was not allowed.'),
  ).toBeVisible()
})

/** Orders an edit without the screens of an order, which are not what is looked at here. */
async function makeEdit(client: TestClient, uploadRequestId: string): Promise<void> {
  const presets = [{ mediaJobTaskPresetSlug: 'still-pack' as const }]
  const job = await requestEdits(client, uploadRequestId, presets)
  await payFor(client, job._id)
  const status = async () => (await fetchJob(client, job._id)).tasks[0]?.status
  await expect.poll(status, { timeout: patience(60) }).toBe('succeeded')
}

async function saveToClouds(context: BrowserContext, page: Page): Promise<void> {
  await page.goto(`${server.origin}/edits`)
  await page.getByRole('button', { name: /^Show Edits/ }).click()
  await page.getByRole('button', { name: 'Save to Google Drive' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
  await expect(page.getByText('Saved to Google Drive:')).toBeVisible()
  await context.route('https://www.dropbox.com/static/api/2/dropins.js', async (route) => {
    const body = 'window.Dropbox = { save(options) { window.asked = options } }'
    await route.fulfill({ contentType: 'text/javascript', body })
  })
  await page.getByRole('button', { name: 'Save to Dropbox' }).click()
  const dialog = page.getByRole('dialog', { name: 'Save to Dropbox' })
  await dialog.getByRole('button', { name: 'Continue' }).click()
  const open = dialog
    .frameLocator('iframe[title="Dropbox"]')
    .getByRole('button', { name: 'Open Dropbox' })
  await open.click()
  const url = await open.evaluate(() => asked.files[0]?.url ?? '')
  await open.evaluate(() => asked.progress(0.5))
  await expect(dialog.getByText('Dropbox is copying the files')).toBeVisible()
  // As Dropbox does it: without a cookie.
  const bytes = Buffer.from(await (await fetch(url)).arrayBuffer())
  expect(bytes.length).toBeGreaterThan(0)
  const saved = [...google.writing.entries.values()].map((entry) => entry.bytes)
  expect(saved.some((each) => each.equals(bytes))).toBe(true)
  await open.evaluate(() => asked.success())
  await expect(dialog.getByText('Dropbox says that it has saved the files')).toBeVisible()
  await dialog.getByRole('button', { name: 'Close' }).click()
}

/** What the saver's document hands to the script of Dropbox. */
declare const asked: {
  readonly files: readonly { readonly url: string }[]
  progress(share: number): void
  success(): void
}
