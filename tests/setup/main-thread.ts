import type { Browser, Page } from '@playwright/test'

/** One task of a page's main thread: how long it computed, and what it did most. */
export interface Task {
  readonly cpuMs: number
  readonly wallMs: number
  readonly did: string
}
interface TraceEvent {
  readonly name: string
  readonly ph: string
  readonly pid: number
  readonly tid: number
  readonly ts: number
  readonly dur?: number
  readonly tdur?: number
  readonly args?: {
    readonly name?: string
    readonly data?: {
      readonly functionName?: string
      readonly url?: string
      readonly type?: string
    }
  }
}

/**
 * Runs `work` and returns the tasks of main threads meanwhile, the longest first. Lengths are
 * processor time, which other tests on the machine do not lengthen, unlike the browser's own
 * long-task entries. Chromium only.
 */
export async function mainThreadTasks(
  browser: Browser,
  page: Page,
  work: () => Promise<void>,
): Promise<readonly Task[]> {
  await browser.startTracing(page, { categories: ['toplevel', 'devtools.timeline'] })
  await work()
  const { traceEvents } = JSON.parse((await browser.stopTracing()).toString()) as {
    readonly traceEvents: readonly TraceEvent[]
  }
  const mains = new Set(
    traceEvents
      .filter(({ name, args }) => name === 'thread_name' && args?.name === 'CrRendererMain')
      .map(({ pid, tid }) => `${pid}:${tid}`),
  )
  const onMain = traceEvents.filter(({ ph, pid, tid }) => ph === 'X' && mains.has(`${pid}:${tid}`))
  return onMain
    .filter(({ name }) => name.endsWith('RunTask'))
    .map((task) => {
      const inside = onMain.filter(
        (event) =>
          event !== task &&
          event.pid === task.pid &&
          event.tid === task.tid &&
          event.ts >= task.ts &&
          event.ts < task.ts + (task.dur ?? 0) &&
          !event.name.endsWith('RunTask'),
      )
      const longest = inside.toSorted((a, b) => (b.tdur ?? 0) - (a.tdur ?? 0)).slice(0, 6)
      return {
        cpuMs: (task.tdur ?? 0) / 1_000,
        wallMs: (task.dur ?? 0) / 1_000,
        did: longest.map(describe).join(', '),
      }
    })
    .toSorted((a, b) => b.cpuMs - a.cpuMs)
    .slice(0, 10)
}

function describe({ name, tdur = 0, args }: TraceEvent): string {
  const detail = [args?.data?.functionName, args?.data?.type]
    .filter((part) => part !== undefined && part !== '')
    .join(' ')
  return `${name}${detail === '' ? '' : ` (${detail})`} ${Math.round(tdur / 1_000)} ms`
}
