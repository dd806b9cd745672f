import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { chromium, type Browser, type BrowserContext, type Page } from '@playwright/test'

/**
 * A separate Chromium with a profile on disk, which can be killed as a crash of the computer kills
 * it.
 */
export interface KillableChromium {
  readonly context: BrowserContext
  /** Its first process, of which all others descend. */
  readonly pid: number
  /** SIGKILL to all its processes; the profile stays as it is at that moment. */
  kill(): Promise<void>
}

const START_MS = 30_000

/**
 * Starts Chromium on `profileDir`; also after a kill. Playwright's own browsers cannot be killed as
 * a group.
 */
export async function startChromium(profileDir: string): Promise<KillableChromium> {
  const path = process.env['CHROMIUM_PATH'] ?? '/usr/bin/chromium'
  const child = spawn(
    path,
    [
      '--headless=new',
      '--remote-debugging-port=0',
      `--user-data-dir=${profileDir}`,
      '--no-sandbox',
      '--no-first-run',
      '--disable-gpu',
      'about:blank',
    ],
    { detached: true, stdio: ['ignore', 'ignore', 'pipe'] },
  )
  const kill = async (): Promise<void> => {
    if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return
    const ended = once(child, 'exit')
    // The minus sign means the whole group: renderers, network process, everything.
    process.kill(-child.pid, 'SIGKILL')
    await ended
  }
  try {
    const browser: Browser = await chromium.connectOverCDP(await debuggerAddress(child))
    const [context] = browser.contexts()
    if (context === undefined || child.pid === undefined) throw new Error('Chromium has no profile')
    return { context, pid: child.pid, kill }
  } catch (error) {
    await kill()
    throw error
  }
}

/** A folder for a browser's profile, which goes with the work. */
export async function inProfile(work: (profileDir: string) => Promise<void>): Promise<void> {
  const profileDir = await mkdtemp(join(tmpdir(), 'onecut-profile-'))
  try {
    await work(profileDir)
  } finally {
    // A browser that was killed writes for a moment more.
    await rm(profileDir, { recursive: true, force: true, maxRetries: 5 })
  }
}

/**
 * Chooses a file by its path, in the page's first file input that `selector` finds. Over a
 * debugging port Playwright would copy the bytes into the page (50 MB at most), so that the file
 * would be in memory and not on disk.
 */
export function chooseByPath(
  path: string,
  selector = 'input[type=file]',
): (page: Page) => Promise<void> {
  return async (page) => {
    await page.locator(selector).first().waitFor({ state: 'attached' })
    const devtools = await page.context().newCDPSession(page)
    const { root } = await devtools.send('DOM.getDocument')
    const { nodeId } = await devtools.send('DOM.querySelector', {
      nodeId: root.nodeId,
      selector,
    })
    await devtools.send('DOM.setFileInputFiles', { nodeId, files: [path] })
    await devtools.detach()
  }
}

async function debuggerAddress(child: ChildProcess): Promise<string> {
  if (child.stderr === null) throw new Error('Chromium has no output')
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  const limit = setTimeout(() => reject(new Error('Chromium did not start in time')), START_MS)
  createInterface(child.stderr).on('line', (line) => {
    const address = /DevTools listening on ws:\/\/([^/]+)\//.exec(line)?.[1]
    if (address !== undefined) resolve(`http://${address}`)
  })
  child.once('exit', (code) => reject(new Error(`Chromium ended (${String(code)})`)))
  return promise.finally(() => clearTimeout(limit))
}
