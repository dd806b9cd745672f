import { readFile } from 'node:fs/promises'
import type { Browser } from '@playwright/test'

/** Processes of pages and their workers. */
export async function rendererPids(browser: Browser): Promise<readonly number[]> {
  const devtools = await browser.newBrowserCDPSession()
  const { processInfo } = await devtools.send('SystemInfo.getProcessInfo')
  await devtools.detach()
  return processInfo.filter(({ type }) => type === 'renderer').map(({ id }) => id)
}

/**
 * The largest resident set (MB) that any of the processes ever had; null where the system does not
 * tell (only Linux does).
 */
export async function peakMb(pids: readonly number[]): Promise<number | null> {
  const peaks = await Promise.all(
    pids.map(async (pid) => {
      const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '')
      const kib = /^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1]
      return kib === undefined ? [] : [(Number(kib) * 1_024) / 1_000_000]
    }),
  )
  const known = peaks.flat()
  return known.length === 0 ? null : Math.max(...known)
}
