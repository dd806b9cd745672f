import { open } from 'node:fs/promises'
import { setTimeout } from 'node:timers/promises'

/** As `nice` in confinement/methods.ts. */
const NICENESS = '10'
/** Of who may not administer it, Linux takes one such word in a tenth of a second. */
const [TRIES, AGAIN_MS] = [10, 110] as const

/**
 * Has calls of the server go before a tool. Linux shares a processor among sessions first, where it
 * groups them, and niceness counts only within one: a tool, which leads a session of its own, took
 * half of the processor from the server at any niceness. So its session gets the niceness too.
 * Does nothing where the system does not group sessions, as in a group of systemd or a container,
 * in which niceness counts among all.
 */
export async function lowerSession(pid: number | undefined): Promise<void> {
  if (pid === undefined || process.platform !== 'linux') return
  for (let left = TRIES; left > 0; left -= 1) {
    try {
      await using session = await open(`/proc/${pid}/autogroup`, 'r+')
      return void (await session.write(NICENESS))
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EAGAIN')) return
      await setTimeout(AGAIN_MS, undefined, { ref: false })
    }
  }
}
