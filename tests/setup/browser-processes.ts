import { readFile, writeFile } from 'node:fs/promises'
import type { Browser } from '@playwright/test'

/** Process ids of a Chromium: of its pages (`renderer`), or of everything (null). */
export async function processesOf(
  browser: Browser,
  type: 'renderer' | null,
): Promise<readonly number[]> {
  const devtools = await browser.newBrowserCDPSession()
  const { processInfo } = await devtools.send('SystemInfo.getProcessInfo')
  await devtools.detach()
  return processInfo.filter((each) => type === null || each.type === type).map(({ id }) => id)
}

/**
 * Memory of a process in bytes: now, or its peak. 0 when it has ended. Linux only, like the rest of
 * this file.
 */
export async function memoryOf(pid: number, which: 'now' | 'most'): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '')
  return (
    Number(
      new RegExp(`^${which === 'now' ? 'VmRSS' : 'VmHWM'}:\\s+(\\d+) kB`, 'm').exec(status)?.[1] ??
        0,
    ) * 1_024
  )
}

/** Resets the peak (proc(5), clear_refs). */
export async function forgetPeak(pid: number): Promise<void> {
  await writeFile(`/proc/${pid}/clear_refs`, '5')
}

/** Bytes that a browser has read from files, its own files included. */
export async function bytesReadBy(browser: Browser): Promise<number> {
  const pids = await processesOf(browser, null)
  const each = await Promise.all(
    pids.map(async (pid) =>
      Number(
        /^rchar: (\d+)/m.exec(await readFile(`/proc/${pid}/io`, 'utf8').catch(() => ''))?.[1] ?? 0,
      ),
    ),
  )
  return each.reduce((sum, bytes) => sum + bytes, 0)
}

/**
 * Memory of the largest page of a browser in bytes. Browsers also keep empty processes for future
 * pages.
 */
export async function pageMemoryOf(browser: Browser): Promise<number> {
  return Math.max(
    ...(await Promise.all(
      (await processesOf(browser, 'renderer')).map((pid) => memoryOf(pid, 'now')),
    )),
  )
}

const TICK_MS = 10

/**
 * Processor time that all processes of a browser have used, in milliseconds. Other processes on the
 * machine do not lengthen it.
 */
export async function processorMsOf(browser: Browser): Promise<number> {
  const each = await Promise.all(
    (await processesOf(browser, null)).map(async (pid) => {
      // utime and stime of proc(5), behind the name in brackets.
      const [user, system] =
        (await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => ''))
          .split(') ')
          .at(-1)
          ?.split(' ')
          .slice(11, 13)
          .map(Number) ?? []
      return ((user ?? 0) + (system ?? 0)) * TICK_MS
    }),
  )
  return each.reduce((sum, ms) => sum + ms, 0)
}
