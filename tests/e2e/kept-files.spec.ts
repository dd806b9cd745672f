import type { Page } from '@playwright/test'
import { signInContext } from '#tests/faults/upload-page.ts'
import { fetchJob, payFor, requestEdits } from '#tests/setup/order.ts'
import { patience } from '#tests/setup/patience.ts'
import { photograph } from './flow-helpers.ts'
import { makeNoise } from './flow-media.ts'
import { expect, test } from './journey.ts'
import { anyOf, FAILED_REQUESTS } from './quiet.ts'
import { seedVideo } from './seed.ts'

// The line breaks, and the server is switched off.
test.use({ expectedNoise: anyOf(FAILED_REQUESTS, /net::ERR_/) })

const STEP_BYTES = 8 * 1024 * 1024
const SECONDS = 5

/** Names of everything in the browser's own file system. */
const filesHere = (page: Page) =>
  page.evaluate(async () => {
    const names: string[] = []
    const walk = async (from: FileSystemDirectoryHandle): Promise<void> => {
      for await (const entry of from.values()) {
        names.push(entry.name)
        if (entry.kind === 'directory') await walk(await from.getDirectoryHandle(entry.name))
      }
    }
    await walk(await navigator.storage.getDirectory())
    return names
  })

test('PHO-04 PHO-08 a finished edit is kept over a broken line and a reload, plays and seeks with the server off, and leaves with its account', async ({
  context,
  page,
  server,
}) => {
  const scene = test.info().outputPath('beach day.mp4')
  // A finished edit that leaves the pictures as they are is more than one step.
  await makeNoise(scene, SECONDS)
  const { client, uploadRequestId } = await seedVideo(server, scene)
  const { _id: mediaJobId } = await requestEdits(client, uploadRequestId, [
    { mediaJobTaskPresetSlug: 'voice-mask-full-scene' },
  ])
  await payFor(client, mediaJobId)
  await signInContext(context, client, 'direct')
  await expect
    .poll(async () => (await fetchJob(client, mediaJobId)).tasks[0]?.status, {
      timeout: patience(120),
    })
    .toBe('succeeded')
  const ranges: (string | undefined)[] = []
  let isBroken = true
  await context.route('**/outputs/*/download', async (route) => {
    const range = (await route.request().headerValue('range')) ?? undefined
    ranges.push(range)
    if (isBroken && range?.startsWith(`bytes=${STEP_BYTES}-`) === true) await route.abort()
    else await route.continue()
  })

  await page.goto(`${server.origin}/edits`)
  await page.getByRole('button', { name: /^Show Edits of / }).click()
  await page.getByRole('button', { name: /^Keep on this device: / }).click()
  await expect.poll(() => ranges.length).toBeGreaterThan(1)
  expect(ranges.slice(0, 2)).toEqual([
    `bytes=0-${STEP_BYTES - 1}`,
    expect.stringMatching(new RegExp(`^bytes=${STEP_BYTES}-`)),
  ])
  await photograph(page, 'kept-getting')
  await page.reload()
  isBroken = false
  ranges.length = 0
  await page.getByRole('button', { name: /^Show Edits of / }).click()
  const removes = page.getByRole('button', { name: /^Remove .* from this device$/ })
  await expect(removes).toBeVisible()
  // What was there before the break is not asked for again.
  expect(ranges.every((range) => range?.startsWith(`bytes=${STEP_BYTES}-`))).toBe(true)
  await photograph(page, 'kept-here')
  await page.goto(`${server.origin}/user-profile`)
  await expect(page.getByText(/^[\d.]+ MB of 2 GB$/)).toBeVisible()
  await photograph(page, 'user-profile-kept')

  await page.evaluate(async () => await navigator.serviceWorker.ready)
  await server.stop()
  await page.goto(`${server.origin}/edits`)
  await page.getByRole('button', { name: /^Show Edits of / }).click()
  await page.getByRole('button', { name: /^Play / }).click()
  const video = page.getByLabel(/^Preview of /)
  const at = () => video.evaluate((element: HTMLVideoElement) => element.currentTime)
  await expect.poll(at).toBeGreaterThan(0.1)
  expect(await video.getAttribute('src')).toMatch(/^blob:/)
  const sought = await video.evaluate(async (element: HTMLVideoElement, seconds) => {
    const isThere = new Promise((resolve) => element.addEventListener('seeked', resolve))
    element.pause()
    element.currentTime = seconds
    await isThere
    return [element.currentTime, element.error]
  }, SECONDS - 1)
  expect(sought).toEqual([SECONDS - 1, null])

  expect(await filesHere(page)).not.toEqual([])
  await page.getByRole('button', { name: 'Account', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Logout' }).click()
  await expect(page.getByRole('heading', { name: /^Log In/ })).toBeVisible()
  expect((await filesHere(page)).filter((name) => name !== 'accounts')).toEqual([])
  await server.start()
})
