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
 * The peak resident set (MB) of any of the processes; null on systems other than Linux, which do
 * not report it.
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
