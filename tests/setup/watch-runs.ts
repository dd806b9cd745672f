import { readdirSync, readFileSync, readlinkSync } from 'node:fs'

export interface Taken {
  readonly cpuSeconds: number
  /** Of the largest single run. */
  readonly peakBytes: number
}

/**
 * Asks again and again what each run of ffmpeg or of a program of ours takes that works on files in
 * a folder, up to its end: bubblewrap's children are not counted as this program's (proc(5)).
 */
export function watchRuns(folder: string): { readonly end: () => Taken } {
  const seen = new Map<string, Taken>()
  const timer = setInterval(() => {
    for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
      const taken = takenBy(pid, folder)
      if (taken === null) continue
      // A process that ends gives its memory back before its folder.
      const before = seen.get(pid)?.peakBytes ?? 0
      seen.set(pid, { ...taken, peakBytes: Math.max(before, taken.peakBytes) })
    }
  }, 20)
  return {
    end: () => {
      clearInterval(timer)
      const all = [...seen.values()]
      return {
        cpuSeconds: all.reduce((sum, each) => sum + each.cpuSeconds, 0),
        peakBytes: Math.max(0, ...all.map((each) => each.peakBytes)),
      }
    },
  }
}

/** Null for what does not work in the folder. */
function takenBy(pid: string, folder: string): Taken | null {
  const own = `/proc/${pid}`
  try {
    const stat = readFileSync(`${own}/stat`, 'utf8')
    const isThere =
      readlinkSync(`${own}/cwd`).includes(folder) ||
      readFileSync(`${own}/cmdline`, 'utf8').includes(folder)
    if (!isThere || stat.includes('(bwrap)')) return null
    const status = readFileSync(`${own}/status`, 'utf8')
    // Fields 14 and 15 of proc(5): user and system time, in hundredths.
    const fields = stat.replace(/^.*\) /s, '').split(' ')
    return {
      cpuSeconds: (Number(fields[11]) + Number(fields[12])) / 100,
      peakBytes: Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0) * 1024,
    }
  } catch {
    // It ended meanwhile.
    return null
  }
}
