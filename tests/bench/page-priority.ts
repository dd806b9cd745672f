/**
 * Lets the main thread of each page go before all other threads of this machine. A phone has eight
 * cores; where two are shared with the server, the measuring program and the browser's own threads,
 * a page waits for them, and what blocks it is counted by the clock.
 */
import { readdir, readFile } from 'node:fs/promises'
import { setPriority } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'

const EVERY_MS = 50
/** The highest is -20; the system's own threads stay before. */
const FIRST = -18

export interface PagePriority {
  /** False where the system refuses it, as it does without the rights of an administrator. */
  readonly isGiven: () => boolean
  readonly stop: () => void
}

/** Of the browser whose profile is in `folder`, and on Linux only: elsewhere nothing is found. */
export function givePagesPriority(folder: string): PagePriority {
  const stopping = new AbortController()
  /** Each process is looked at once: reading them all each time takes half a core. */
  const known = new Map<string, Process>()
  let isGiven = false

  void (async () => {
    while (!stopping.signal.aborted) {
      const pids = (await readdir('/proc').catch(() => [])).filter((name) => /^\d+$/.test(name))
      const started = pids.filter((pid) => !known.has(pid))
      for (const pid of started) known.set(pid, await processOf(pid))
      // Again and again: the browser sets its own when a page comes to the front.
      for (const pid of pids) if (isPage(pid) && goFirst(pid)) isGiven = true
      await sleep(EVERY_MS)
    }
  })()

  function isPage(pid: string): boolean {
    return known.get(pid)?.command.includes('--type=renderer') === true && isOfBrowser(pid)
  }
  function isOfBrowser(pid: string): boolean {
    const process = known.get(pid)
    if (process === undefined) return false
    return process.command.includes(folder) || isOfBrowser(process.parentPid)
  }
  return { isGiven: () => isGiven, stop: () => stopping.abort() }
}

function goFirst(pid: string): boolean {
  try {
    // Linux takes the number of a process for its first thread, which is the page's.
    setPriority(Number(pid), FIRST)
    return true
  } catch {
    // Refused, or the page is gone.
    return false
  }
}

interface Process {
  readonly command: string
  readonly parentPid: string
}

async function processOf(pid: string): Promise<Process> {
  const [command, stat] = await Promise.all([
    readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => ''),
    readFile(`/proc/${pid}/stat`, 'utf8').catch(() => ''),
  ])
  // After the name, which may hold spaces and brackets: the state, and then the parent.
  const parentPid = stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1] ?? ''
  return { command, parentPid }
}
