import { readFile } from 'node:fs/promises'

/** Linux counts processor time for programs in hundredths of a second, on all its machines. */
const TICKS_PER_S = 100
/** A tool and its helpers are three or four processes; what starts more is not followed further. */
const MAX_PROCESSES = 64

/**
 * Seconds of processor time that a process and all that it has started took until now, also where
 * they run in a namespace of their own; null where the process is gone or the system has no `/proc`
 * that says it.
 */
export async function usedCpuSeconds(pid: number): Promise<number | null> {
  const open = [pid]
  let ticks: number | null = null
  for (let seen = 0; seen < MAX_PROCESSES; seen += 1) {
    const each = open.pop()
    if (each === undefined) break
    const own = await ticksOf(each)
    if (own === null) continue
    ticks = (ticks ?? 0) + own
    open.push(...(await childrenOf(each)))
  }
  return ticks === null ? null : ticks / TICKS_PER_S
}

/** Its own time and that of children that have ended, of user and system (proc(5), `stat`). */
async function ticksOf(pid: number): Promise<number | null> {
  const text = await readFile(`/proc/${pid}/stat`, 'latin1').catch(() => null)
  if (text === null) return null
  // The name of the program stands in brackets and may hold anything; the state follows it.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
  return fields.slice(11, 15).reduce((sum, each) => sum + Number(each), 0)
}

async function childrenOf(pid: number): Promise<readonly number[]> {
  const text = await readFile(`/proc/${pid}/task/${pid}/children`, 'latin1').catch(() => '')
  return text.split(' ').filter(Boolean).map(Number)
}
