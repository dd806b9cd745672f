/**
 * `npm run bench -- library [edits] [repetitions]`: fills a browser with a library (10,000 edits)
 * and measures how soon it opens, how long a key press in its search takes until the narrowed list
 * is painted, and how many cards are in the page. The exit code is 1 where a limit is not kept.
 */
import { loadavg } from 'node:os'
import { chromium, type Page } from '@playwright/test'
import { median, spread } from './statistics.ts'
import { entryOf } from '#src/local/db/library-entry.ts'
import { mediaJobToRow } from '#src/local/db/to-rows.ts'
import { beSignedIn } from '#tests/e2e/signed-in.ts'
import { fakeMediaJob, idOf } from '#tests/fakes/fake-rows.ts'
import { fakeOutput, fakeTask } from '#tests/screens/harness/things.ts'
import { startE2eServer } from '#tests/setup/e2e-server.ts'

const OPENS_WITHIN_MS = 1_000
const KEY_WITHIN_MS = 100
const CARDS_AT_MOST = 60
const SEARCH = 'scene 77'
const ROWS_AT_ONCE = 1_000

declare global {
  interface Window {
    /** When the first card with its progress was painted; since the navigation began. */
    libraryOpenMs?: number
    /** From each key press to the paint of what it narrowed the list to. */
    libraryKeysMs: number[]
  }
}

const [edits = 10_000, repetitions = 7] = process.argv.slice(2).map(Number)
const server = await startE2eServer()
const browser = await chromium.launch({
  executablePath: process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium',
})
try {
  const page = await browser.newPage({
    viewport: { width: 1440, height: 900 },
    // Its requests would pass by the route below.
    serviceWorkers: 'block',
  })
  await beSignedIn(page, server)
  await fill(page)
  await page.addInitScript(watch)
  // The server knows none of them, and its answer would empty the library.
  await page.route(/\/v1\/media-jobs/, (route) => route.abort())
  const openMs: number[] = []
  const keyMs: number[] = []
  let cards = 0
  for (let time = 0; time < repetitions; time += 1) {
    await page.goto(`${server.origin}/edits`)
    await page.waitForFunction(() => window.libraryOpenMs !== undefined)
    openMs.push(await page.evaluate(() => window.libraryOpenMs ?? Number.NaN))
    cards = Math.max(cards, await cardsIn(page))
    await page.getByLabel('Search your edits').click()
    await page.keyboard.type(SEARCH, { delay: 250 })
    await page.getByText(/ of .* edits on this device/).waitFor()
    keyMs.push(...(await page.evaluate(() => window.libraryKeysMs)))
    cards = Math.max(cards, await cardsIn(page))
    await page.getByLabel('Search your edits').fill('')
    await page.evaluate(() => window.scrollTo(0, document.body.scrollHeight / 2))
    cards = Math.max(cards, await cardsIn(page))
  }
  console.log(`${edits} edits, ${repetitions} repetitions, load ${loadavg()[0]?.toFixed(1)}\n`)
  console.log('| | median (least to most) | limit |\n|---|---|---|')
  console.log(`| opens, ms | ${spread(openMs, 0)} | ${OPENS_WITHIN_MS} |`)
  console.log(`| key press, ms | ${spread(keyMs, 0)} | ${KEY_WITHIN_MS} |`)
  console.log(`| cards in the page | ${cards} | ${CARDS_AT_MOST} |`)
  const isKept =
    median(openMs) <= OPENS_WITHIN_MS && median(keyMs) <= KEY_WITHIN_MS && cards <= CARDS_AT_MOST
  process.exitCode = isKept ? 0 : 1
} finally {
  await browser.close()
  await server.dispose()
}

/** Puts the library into the account's database, as pulls would have. */
async function fill(page: Page): Promise<void> {
  for (let from = 0; from < edits; from += ROWS_AT_ONCE) {
    const rows = Array.from({ length: Math.min(ROWS_AT_ONCE, edits - from) }, (_, at) =>
      mediaJobToRow(jobOf(from + at + 1), Date.now()),
    )
    const tables = { mediaJobs: rows, libraryEntries: rows.map(entryOf) }
    await page.evaluate(async (tables) => {
      const [found] = (await indexedDB.databases()).filter(({ name }) =>
        name?.startsWith('onecut-account-'),
      )
      const db = await new Promise<IDBDatabase>((resolve, reject) => {
        const request = indexedDB.open(found?.name ?? '')
        request.addEventListener('success', () => resolve(request.result))
        request.addEventListener('error', () => reject(new Error('The database did not open')))
      })
      const transaction = db.transaction(Object.keys(tables), 'readwrite')
      for (const [name, rows] of Object.entries(tables))
        for (const row of rows) transaction.objectStore(name).put(row)
      await new Promise((resolve) => transaction.addEventListener('complete', resolve))
      db.close()
    }, tables)
  }
}

function jobOf(number: number) {
  return fakeMediaJob({
    _id: idOf(number),
    name: `scene ${number} ${['pool', 'beach', 'attic'][number % 3]}.mp4`,
    createdAt: new Date(Date.now() - number * 3_600_000).toISOString(),
    uploadRequestId: idOf(100_000 + (number >> 1)),
    progressRatio: 1,
    isMediaWorkflowStarted: true,
    tasks: [1, 2, 3].map((task) =>
      fakeTask({
        _id: idOf(1_000_000 + number * 4 + task),
        status: 'succeeded',
        outputs: [1, 2, 3, 4].map((output) => fakeOutput({ _id: idOf(2_000_000 + output) })),
      }),
    ),
  })
}

/** In the page, before its own scripts. */
function watch(): void {
  window.libraryKeysMs = []
  let pressedMs: number | null = null
  const afterPaint = (run: () => void): void => {
    requestAnimationFrame(() => setTimeout(run))
  }
  window.addEventListener(
    'keydown',
    (event) => {
      pressedMs = event.timeStamp
    },
    true,
  )
  new MutationObserver(() => {
    const main = document.querySelector('main')
    if (window.libraryOpenMs === undefined && main?.textContent.includes('100% Processed') === true)
      afterPaint(() => (window.libraryOpenMs ??= performance.now()))
    const count = main?.querySelector('[role=search] ~ [role=status]')?.textContent ?? null
    if (pressedMs === null || count === null || count === shown) return
    shown = count
    const from = pressedMs
    pressedMs = null
    afterPaint(() => window.libraryKeysMs.push(performance.now() - from))
  }).observe(document, { subtree: true, childList: true, characterData: true })
  let shown: string | null = null
}

async function cardsIn(page: Page): Promise<number> {
  return await page.evaluate(() => document.querySelectorAll('main li[aria-posinset]').length)
}
