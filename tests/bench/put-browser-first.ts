import { readdir, readFile, writeFile } from 'node:fs/promises'

/** The share of a session, from -20 to 19; only root may lower it. */
const FIRST = '-15'

/**
 * Has everything else on this machine give way to the browser with this profile folder. Linux
 * shares the processor among sessions first: each process of the database has one of its own, and
 * the priority of a process counts only within its session. Does nothing where the system has no
 * such shares, or does not let them be changed; says so.
 */
export async function putBrowserFirst(profileFolder: string): Promise<void> {
  try {
    for (const pid of (await readdir('/proc')).filter((name) => /^\d+$/.test(name)))
      if (await isBrowser(pid, profileFolder)) await writeFile(`/proc/${pid}/autogroup`, FIRST)
  } catch {
    console.log('The browser shares the processor with the server: what blocks counts both.')
  }
}

/** Not the processes that it has started: they are of its session. */
async function isBrowser(pid: string, profileFolder: string): Promise<boolean> {
  const command = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')
  return command.includes(profileFolder) && !command.includes('--type=')
}
