import { chromium, type Browser } from '@playwright/test'
import { FAST_NETWORK } from '#tests/faults/faults.ts'
import { MIB, startFaultWorld } from '#tests/faults/fault-world.ts'
import { beginUpload, chooseByInput, expectDone, signInContext } from '#tests/faults/upload-page.ts'

const NETWORK = { ...FAST_NETWORK, latencyMs: 20, totalBytesPerSecond: 40_000_000 }
const LIMIT_MS = 50

/**
 * The longest tasks of the page's main thread, from the choice of a file to its verdict, by
 * processor time: unlike `longtask` entries they do not grow with what else the machine does.
 * Prints them against the limit. From Chromium's own trace, which costs a little itself.
 */
export async function measurePageTasks(): Promise<void> {
  const world = await startFaultWorld({ ONECUT_PART_SIZE_BYTES: String(16 * MIB) })
  const browser = await chromium.launch({
    executablePath: process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium',
  })
  try {
    const file = await world.makeFile('bench.mp4', 240 * MIB)
    world.proxy.setNetwork('tasks', NETWORK)
    const context = await browser.newContext()
    await signInContext(context, world.client, 'tasks')
    const page = await context.newPage()
    await beginUpload(page, world.proxy.origin, async (ready) => {
      await browser.startTracing(page, { categories: ['toplevel'] })
      await chooseByInput(file.path)(ready)
    })
    await expectDone(page)
    const tasks = mainThreadTasks(await endTracing(browser))
    console.log('\n## Tasks of the main thread while 240 MiB are chosen, checked and sent')
    console.log(
      `| longest, processor time | ${tasks
        .slice(0, 5)
        .map((ms) => ms.toFixed(1))
        .join(
          ', ',
        )} ms | ${((tasks[0] ?? 0) / LIMIT_MS).toFixed(2)} of the limit of ${LIMIT_MS} ms |`,
    )
  } finally {
    await browser.close()
    await world.dispose()
  }
}

interface TraceEvent {
  readonly name: string
  readonly ph: string
  readonly pid: number
  readonly tid: number
  /** Processor time of the thread in microseconds. */
  readonly tdur?: number
  readonly args?: { readonly name?: string }
}

export async function endTracing(browser: Browser): Promise<readonly TraceEvent[]> {
  const { traceEvents } = JSON.parse((await browser.stopTracing()).toString('utf8')) as {
    readonly traceEvents: readonly TraceEvent[]
  }
  return traceEvents
}

/** Processor time of each task of a page's main thread in milliseconds, longest first. */
export function mainThreadTasks(events: readonly TraceEvent[]): readonly number[] {
  const threads = new Set(
    events
      .filter(({ name, args }) => name === 'thread_name' && args?.name === 'CrRendererMain')
      .map(({ pid, tid }) => `${pid}/${tid}`),
  )
  return events
    .filter(
      ({ name, ph, pid, tid }) =>
        ph === 'X' && name.endsWith('RunTask') && threads.has(`${pid}/${tid}`),
    )
    .map(({ tdur }) => (tdur ?? 0) / 1_000)
    .sort((a, b) => b - a)
}
