import { existsSync, mkdirSync, readFileSync, rmdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'

/**
 * Counts the processor time of a command with all that it starts, orphans included: a control group
 * of Linux. A sum over a tree of processes loses the children of a browser, whose parent ends
 * without waiting for them.
 */
export interface Meter {
  /** The command that runs `command` under this meter. */
  wrap(command: readonly string[]): readonly string[]
  /** For `readMeter` in the command's own processes. */
  readonly file: string
  /** Processor seconds so far. */
  seconds(): number
  /** Kills what the command left running and lets the group go; returns the number killed. */
  close(): Promise<number>
}

/** Two ways to keep groups, the older one first: where both are there, the newer one is bare. */
const PLACES = [
  { root: '/sys/fs/cgroup/cpuacct', usage: 'cpuacct.usage' },
  { root: '/sys/fs/cgroup', usage: 'cpu.stat' },
] as const

/** Opens a meter; null where the system keeps no groups or lets this user make none. */
export function openMeter(name: string): Meter | null {
  for (const { root, usage } of PLACES) {
    const group = join(root, `onecut-${process.pid}-${name}`)
    const file = join(group, usage)
    try {
      if (!existsSync(join(root, usage))) continue
      mkdirSync(group)
    } catch {
      continue
    }
    return {
      file,
      wrap: (command) => [
        'sh',
        '-c',
        'echo $$ > "$0" && exec "$@"',
        join(group, 'cgroup.procs'),
        ...command,
      ],
      seconds: () => readMeter(file),
      close: () => closeGroup(group),
    }
  }
  return null
}

/** Processor seconds in a meter's file: nanoseconds in one line, or `usage_usec N` in the first. */
export function readMeter(file: string): number {
  const text = readFileSync(file, 'utf8')
  const microseconds = /^usage_usec (\d+)/m.exec(text)?.[1]
  return microseconds === undefined ? Number(text) / 1e9 : Number(microseconds) / 1e6
}

async function closeGroup(group: string): Promise<number> {
  let killed = 0
  // The kernel lets a group go a moment after its last process; what is left after that stays.
  for (let attempt = 0; attempt < 50; attempt += 1) {
    const pids = readFileSync(join(group, 'cgroup.procs'), 'utf8').split('\n').filter(Boolean)
    for (const pid of pids) {
      if (attempt === 0) killed += 1
      kill(Number(pid))
    }
    try {
      rmdirSync(group)
      return killed
    } catch {
      await delay(20)
    }
  }
  return killed
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // It has ended.
  }
}
