import { chromium, type BrowserContext } from '@playwright/test'
import { expect, test, FAILED_REQUESTS } from '#tests/e2e/quiet.ts'
import { MIB, startFaultWorld, type FaultWorld } from '#tests/faults/fault-world.ts'
import { inProfile } from '#tests/faults/killable-chromium.ts'
import { installApp, signInContext } from '#tests/faults/upload-page.ts'

test.use({ expectedNoise: FAILED_REQUESTS })

let world: FaultWorld
test.beforeAll(async () => {
  world = await startFaultWorld()
})
test.afterAll(async () => {
  await world.dispose()
})

/** A Chromium that has the app installed: a private window can not, nor one over a port. */
const withInstalledApp = (work: (context: BrowserContext, pwa: Pwa) => Promise<void>) =>
  inProfile(async (profile) => {
    const context = await chromium.launchPersistentContext(profile, {
      executablePath: process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium',
      args: ['--headless=new'],
    })
    try {
      await signInContext(context, world.client, 'installed')
      await installApp(context, world.proxy.origin)
      const devtools = await context.browser()?.newBrowserCDPSession()
      // Playwright does not know these commands.
      const send = devtools?.send.bind(devtools) as unknown as Pwa['send']
      const pwa: Pwa = { send, manifestId: `${world.proxy.origin}/` }
      await send('PWA.install', {
        manifestId: pwa.manifestId,
        installUrlOrBundleUrl: `${world.proxy.origin}/edits`,
      })
      await work(context, pwa)
    } finally {
      await context.close()
    }
  })

interface Pwa {
  readonly send: (command: string, given: object) => Promise<Record<string, unknown>>
  readonly manifestId: string
}

test('PHO-03 a file that the system opens with the installed app is offered, and not sent before a press', async () => {
  const file = await world.makeFile('opened.mp4', 2 * MIB)
  await withInstalledApp(async (context, { send, manifestId }) => {
    const { fileHandlers } = await send('PWA.getOsAppState', { manifestId })
    expect(JSON.stringify(fileHandlers)).toContain('.mp4')
    const launched = context.waitForEvent('page')
    await send('PWA.launchFilesInApp', { manifestId, files: [file.path] })
    const page = await launched
    await page.waitForURL(`${world.proxy.origin}/uploads/new`)
    const offered = page.getByRole('region', { name: /from another app$/ })
    await expect(offered.getByText('opened.mp4')).toBeVisible()
    const { body } = await world.client.get<{ uploadRequests: object[] }>('/v1/upload-requests')
    expect(body.uploadRequests).toEqual([])
    await offered.getByRole('button', { name: 'Upload opened.mp4' }).click()
    await page.getByRole('button', { name: 'Upload anyway' }).click()
    await page.waitForURL(/\/uploads\/[0-9a-f-]+\/media-jobs\/new$/)
  })
})

test('PHO-02 the icon of the installed app has the number of a message', async () => {
  await withInstalledApp(async (context, { send, manifestId }) => {
    const page = await context.newPage()
    await page.goto(`${world.proxy.origin}/help`)
    const badge = async () => (await send('PWA.getOsAppState', { manifestId }))['badgeCount']
    const devtools = await context.newCDPSession(page)
    const versions = new Promise<string>((resolve) => {
      devtools.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
        const [registration] = registrations
        if (registration !== undefined) resolve(registration.registrationId)
      })
    })
    await devtools.send('ServiceWorker.enable')
    await context.grantPermissions(['notifications'], { origin: world.proxy.origin })
    const { body } = await world.client.get<{ user: { _id: string } }>('/v1/users/me')
    const notification = {
      title: 'Your edit is ready',
      navigate: `${world.proxy.origin}/edits`,
      tag: 'one',
      data: { userId: body.user._id, shownOn: ['/edits'] },
    }
    await devtools.send('ServiceWorker.deliverPushMessage', {
      origin: world.proxy.origin,
      registrationId: await versions,
      data: JSON.stringify({ web_push: 8030, notification, app_badge: 3 }),
    })
    await expect.poll(badge).toBe(3)
    await page.goto(`${world.proxy.origin}/edits`)
    await expect.poll(badge).toBe(0)
  })
})
