import { randomUUID } from 'node:crypto'
import { readFile, readlink } from 'node:fs/promises'

/**
 * A name for this process that no other one has, on any machine and at any time. Of Linux it says
 * where the process is found again, so that its end is known at once and not only by its silence:
 * `boot/pid namespace/pid/start time/random`.
 */
export async function nameThisProcess(): Promise<string> {
  const place = await readPlace()
  const startedAt = await readStart(process.pid)
  const found = place === null || startedAt === null ? 'elsewhere' : `${place}/${startedAt}`
  return `${found}/${randomUUID()}`
}

/**
 * Whether a process of that name has certainly ended: it ran on this machine since its last start,
 * among the processes that this one sees. False of all that cannot be known from here.
 */
export async function hasEnded(name: string): Promise<boolean> {
  const [boot, namespace, pid, startTicks] = name.split('/')
  const place = await readPlace()
  if (place === null || place !== `${boot}/${namespace}`) return false
  return (await readStart(Number(pid))) !== `${pid}/${startTicks}`
}

async function readPlace(): Promise<string | null> {
  try {
    const boot = await readFile('/proc/sys/kernel/random/boot_id', 'latin1')
    const namespace = /\d+/.exec(await readlink('/proc/self/ns/pid'))?.[0]
    return namespace === undefined ? null : `${boot.trim()}/${namespace}`
  } catch {
    return null
  }
}

/** Its pid and when it was started; null of one that has ended, as a zombie has. */
async function readStart(pid: number): Promise<string | null> {
  const stat = await readFile(`/proc/${pid}/stat`, 'latin1').catch(() => null)
  // The name of the program may have spaces and brackets; what follows it has neither.
  const fields = stat?.slice(stat.lastIndexOf(')') + 2).split(' ') ?? []
  const [state, startTicks] = [fields[0], fields[19]]
  if (startTicks === undefined || state === 'Z' || state === 'X') return null
  return `${pid}/${startTicks}`
}
