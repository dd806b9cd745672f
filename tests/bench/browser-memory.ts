import { readFile } from 'node:fs/promises'
import type { Browser } from '@playwright/test'
import { forgetPeak, memoryOf, processesOf } from '#tests/setup/browser-processes.ts'

/** How much a browser grew while it worked, in bytes. */
export interface Growth {
  /** All of its processes together; what they share is counted once (PSS, every 0.2 s). */
  readonly all: number
  /** The page's process, at its very peak (VmHWM). */
  readonly page: number
}

const EVERY_MS = 200

/**
 * Watches the memory of a browser from now on. Linux only.
 * @returns ends it and says the growth
 */
export async function watchGrowth(browser: Browser): Promise<() => Promise<Growth>> {
  const pages = await processesOf(browser, 'renderer')
  await Promise.all(pages.map(forgetPeak))
  const before = await Promise.all(pages.map((pid) => memoryOf(pid, 'now')))
  const first = await sharedOut(browser)
  let most = first
  let asked: Promise<void> | null = null
  const timer = setInterval(() => {
    asked ??= sharedOut(browser).then((bytes) => {
      most = Math.max(most, bytes)
      asked = null
    })
  }, EVERY_MS)
  return async () => {
    clearInterval(timer)
    await asked
    const peaks = await Promise.all(pages.map((pid) => memoryOf(pid, 'most')))
    return {
      all: most - first,
      page: Math.max(...peaks.map((peak, at) => peak - (before[at] ?? 0))),
    }
  }
}

/** Each process with its share of what several of them hold. */
async function sharedOut(browser: Browser): Promise<number> {
  const each = await Promise.all(
    (await processesOf(browser, null)).map(async (pid) => {
      const text = await readFile(`/proc/${pid}/smaps_rollup`, 'utf8').catch(() => '')
      return Number(/^Pss:\s+(\d+) kB/m.exec(text)?.[1] ?? 0) * 1024
    }),
  )
  return each.reduce((sum, bytes) => sum + bytes, 0)
}
