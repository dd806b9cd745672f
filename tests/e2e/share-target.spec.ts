import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { signInContext } from '#tests/faults/upload-page.ts'
import { signUpCreator } from '#tests/setup/e2e-sign-up.ts'
import { makeClip } from '#tests/setup/media.ts'
import { photograph } from './flow-helpers.ts'
import { expect, test } from './journey.ts'
import { beSignedIn } from './signed-in.ts'

/** As the system posts what another app shares: a form, at the app's own address. */
async function share(page: Page, bytes: Buffer, names: readonly string[]): Promise<void> {
  await page.evaluate(
    ({ base64, fileNames }) => {
      const video = Uint8Array.from(atob(base64), (letter) => letter.codePointAt(0) ?? 0)
      const files = new DataTransfer()
      for (const name of fileNames) files.items.add(new File([video], name, { type: 'video/mp4' }))
      const form = document.createElement('form')
      Object.assign(form, {
        method: 'POST',
        action: '/share-target',
        enctype: 'multipart/form-data',
      })
      const input = Object.assign(document.createElement('input'), {
        type: 'file',
        name: 'video',
        multiple: true,
      })
      input.files = files.files
      form.append(input)
      document.body.append(form)
      form.submit()
    },
    { base64: bytes.toString('base64'), fileNames: names },
  )
}

const offered = (page: Page) =>
  page.getByRole('region', { name: /from (?:another app|other apps)$/ })

test('PHO-03 PHO-08 shared videos wait for a press over a kill, are sent one by one, and are of no other account', async ({
  context,
  page,
  server,
}) => {
  const path = test.info().outputPath('clip.mp4')
  await makeClip(path, 5, { size: '160x90' })
  const video = await readFile(path)
  const client = await beSignedIn(page, server)
  const uploads = async () =>
    (await client.get<{ uploadRequests: object[] }>('/v1/upload-requests')).body.uploadRequests
  await page.evaluate(async () => await navigator.serviceWorker.ready)
  await page.reload()
  await share(page, video, ['beach day.mp4', 'night.mp4'])
  await page.waitForURL(/\/uploads\/new\?shared=\d+-[0-9a-f-]+$/)
  await expect(offered(page).getByRole('listitem')).toHaveCount(2)
  await photograph(page, 'shared-videos', false)
  // Its page dies, and the next one has them too.
  await page.goto('about:blank')
  const next = await context.newPage()
  await next.goto(`${server.origin}/uploads/new`)
  await expect(offered(next).getByText('beach day.mp4')).toBeVisible()
  expect(await uploads()).toEqual([])
  await offered(next).getByRole('button', { name: 'Upload beach day.mp4' }).click()
  const sent = next.getByRole('button', { name: 'Upload anyway' })
  await sent.or(next.getByText('Submit for Editing')).first().waitFor()
  if (await sent.isVisible()) await sent.click()
  await next.waitForURL(/\/uploads\/[0-9a-f-]+\/media-jobs\/new$/)
  await expect.poll(async () => (await uploads()).length).toBe(1)
  await next.goto(`${server.origin}/uploads/new`)
  await expect(offered(next).getByRole('listitem')).toHaveCount(1)
  await expect(offered(next).getByText('night.mp4')).toBeVisible()

  // Another person signs in, whom it was not shared with.
  const other = await signUpCreator(server)
  await signInContext(context, other, 'direct')
  await next.goto(`${server.origin}/uploads/new`)
  await expect(next.getByLabel('Choose a video')).toBeAttached()
  await expect(offered(next)).not.toBeAttached()

  // What comes while the session is gone waits for the next sign-in.
  await context.clearCookies()
  await next.goto(`${server.origin}/help`)
  await share(next, video, ['later.mp4'])
  await next.waitForURL(`${server.origin}/login?message=shared-waits`)
  await expect(next.getByText(/^What you shared waits on this device/)).toBeVisible()
  await signInContext(context, other, 'direct')
  await next.goto(`${server.origin}/uploads/new`)
  await expect(offered(next).getByText('later.mp4')).toBeVisible()
})
