/**
 * `npm run bench -- share [megabytes] [times]`: shares a video of 1 GB into the app, as the system
 * posts it, in a Chromium with a profile on disk, and prints how much more memory the browser takes
 * until the app offers the video. Then kills the browser and fails unless it is still offered.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from '@playwright/test'
import { watchGrowth, type Growth } from './browser-memory.ts'
import { median } from './statistics.ts'
import { startFaultWorld, type FaultWorld } from '#tests/faults/fault-world.ts'
import {
  chooseByPath,
  startChromium,
  type KillableChromium,
} from '#tests/faults/killable-chromium.ts'
import { installApp, signInContext } from '#tests/faults/upload-page.ts'
import type { TestFile } from '#tests/faults/test-files.ts'

const LONGEST_MS = 300_000
const DEVICE = 'shares'

const [megabytes = 1_000, times = 3] = process.argv.slice(2).map(Number)
await measure(megabytes * 1_000_000, times)

async function measure(fileBytes: number, count: number): Promise<void> {
  const world = await startFaultWorld()
  try {
    const file = await world.makeFile('shared.mp4', fileBytes)
    const each: (Growth & { readonly seconds: number })[] = []
    for (let time = 0; time < count; time += 1) {
      const one = await shareOnce(world, file)
      each.push(one)
      console.log(
        `${mb(one.all)} MB more in all, ${mb(one.page)} MB in the page, ${one.seconds.toFixed(1)} s`,
      )
    }
    const all = each.map((one) => one.all)
    console.log(
      `sharing ${mb(fileBytes)} MB: ${mb(median(all))} MB more memory (most ${mb(Math.max(...all))}); the limit is 150`,
    )
  } finally {
    await world.dispose()
  }
}

/** On a device of its own. */
async function shareOnce(
  world: FaultWorld,
  file: TestFile,
): Promise<Growth & { readonly seconds: number }> {
  const profile = await mkdtemp(join(tmpdir(), 'onecut-share-'))
  let browser = await startChromium(profile)
  try {
    const page = await openForm(world, browser, file)
    const began = performance.now()
    const grown = await watchGrowth(browserOf(browser))
    await page.evaluate(() => document.querySelector('form')?.submit())
    await offered(page)
    const growth = await grown()
    const seconds = (performance.now() - began) / 1000
    await browser.kill()
    browser = await startChromium(profile)
    await signInContext(browser.context, world.client, DEVICE)
    const next = await browser.context.newPage()
    await next.goto(`${world.proxy.origin}/uploads/new`)
    await offered(next)
    return { ...growth, seconds }
  } finally {
    await browser.kill()
    await rm(profile, { recursive: true, force: true, maxRetries: 5 })
  }
}

/** A page of the installed app with the form that the system would post. */
async function openForm(
  world: FaultWorld,
  { context }: KillableChromium,
  file: TestFile,
): Promise<Page> {
  await signInContext(context, world.client, DEVICE)
  await installApp(context, world.proxy.origin)
  const page = await context.newPage()
  await page.goto(`${world.proxy.origin}/help`)
  await page.evaluate(() => {
    const form = document.createElement('form')
    form.id = 'share'
    Object.assign(form, { method: 'POST', action: '/share-target', enctype: 'multipart/form-data' })
    form.append(Object.assign(document.createElement('input'), { type: 'file', name: 'video' }))
    document.body.append(form)
  })
  await chooseByPath(file.path, '#share input')(page)
  return page
}

async function offered(page: Page): Promise<void> {
  const region = page.getByRole('region', { name: /from another app$/ })
  await region.getByText('shared.mp4').waitFor({ timeout: LONGEST_MS })
}

function browserOf({ context }: KillableChromium) {
  const browser = context.browser()
  if (browser === null) throw new Error('the browser has gone')
  return browser
}

function mb(bytes: number): string {
  return (bytes / 1e6).toFixed(0)
}
