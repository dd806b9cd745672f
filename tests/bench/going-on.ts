import { setTimeout as delay } from 'node:timers/promises'
import { chromium, type Browser } from '@playwright/test'
import { spread } from './statistics.ts'
import { FAST_NETWORK } from '#tests/faults/faults.ts'
import { MIB, startFaultWorld, type FaultWorld } from '#tests/faults/fault-world.ts'
import type { TestFile } from '#tests/faults/test-files.ts'
import { beginUpload, chooseByInput, signInContext } from '#tests/faults/upload-page.ts'

const NETWORK = { ...FAST_NETWORK, latencyMs: 60, totalBytesPerSecond: 2_500_000 }
const OUTAGE_MS = 10_000
const LONGEST_MS = 90_000

/**
 * How soon bytes flow again: after a reload of the page in mid-upload, and once an outage is over
 * in which nothing is answered. Prints seconds.
 */
export async function measureGoingOn(repetitions: number): Promise<void> {
  const world = await startFaultWorld()
  const browser = await chromium.launch({
    executablePath: process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium',
  })
  try {
    const file = await world.makeFile('bench.mp4', 60 * MIB)
    const [reload, outage]: [number[], number[]] = [[], []]
    for (let repetition = 0; repetition < repetitions; repetition += 1) {
      reload.push(
        await once(world, browser, `reload-${repetition}`, file, async (page) => {
          const fromMs = performance.now()
          await page.reload({ waitUntil: 'commit' })
          // The page that went away may have started another part until now.
          return { fromMs, afterMs: performance.now() }
        }),
      )
      outage.push(
        await once(world, browser, `outage-${repetition}`, file, async (_page, device) => {
          world.proxy.add({
            match: (request) => request.device === device,
            fault: { kind: 'black-hole', when: 'before-body' },
            times: Number.POSITIVE_INFINITY,
          })
          await delay(OUTAGE_MS)
          world.proxy.clear()
          const clearMs = performance.now()
          return { fromMs: clearMs, afterMs: clearMs }
        }),
      )
    }
    console.log('\n## Going on, 20 Mbit/s in all, 60 ms: seconds until the first byte of a part')
    console.log(
      `| after a reload in mid-upload | ${spread(reload)} |\n| after ${OUTAGE_MS / 1_000} s in which no new request is answered | ${spread(outage)} |`,
    )
  } finally {
    await browser.close()
    await world.dispose()
  }
}

/** Measured from `fromMs`; only parts that begin after `afterMs` are the new start. */
interface Disturbance {
  readonly fromMs: number
  readonly afterMs: number
}
type Page = Awaited<ReturnType<Browser['newPage']>>

/**
 * Begins an upload, waits for its second part, lets `disturb` happen, and measures from the moment
 * that it names.
 */
async function once(
  world: FaultWorld,
  browser: Browser,
  device: string,
  file: TestFile,
  disturb: (page: Page, device: string) => Promise<Disturbance>,
): Promise<number> {
  const context = await browser.newContext()
  try {
    await signInContext(context, world.client, device)
    world.proxy.setNetwork(device, NETWORK)
    const page = await context.newPage()
    const id = await beginUpload(page, world.proxy.origin, chooseByInput(file.path))
    const { ledger } = world.proxy
    await until(() => ledger.of(device, 'part').some(({ status }) => status === 200))
    const { fromMs, afterMs } = await disturb(page, device)
    const isMoving = (): boolean =>
      ledger
        .of(device, 'part')
        .some((entry) => entry.startedAtMs > afterMs && entry.receivedBytes > 0)
    await until(isMoving)
    const seconds = (performance.now() - fromMs) / 1_000
    await world.client.delete(`/v1/upload-requests/${id}`)
    return seconds
  } finally {
    await context.close()
  }
}

async function until(isSo: () => boolean): Promise<void> {
  for (const lastMs = performance.now() + LONGEST_MS; !isSo();) {
    if (performance.now() > lastMs) throw new Error('the upload did not go on in time')
    await delay(10)
  }
}
