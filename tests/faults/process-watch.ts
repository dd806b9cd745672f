import { readdir, readFile } from 'node:fs/promises'

/** What a browser's processes use of this machine, read from Linux's /proc. */
export interface ProcessWatch {
  /**
   * The most memory of its own, in bytes, that one process of a kind had since the watch started;
   * the kind as Chromium names it.
   */
  peakBytes(kind: 'renderer' | 'browser'): number
  /** Bytes that all its processes have read since the watch started, from files and pipes. */
  readBytes(): Promise<number>
  stop(): void
}

const SAMPLE_EVERY_MS = 100

/** Watches `rootPid` and all its descendants. */
export async function watchProcesses(rootPid: number): Promise<ProcessWatch> {
  const peaks = new Map<string, number>()
  const sample = async (): Promise<void> => {
    for (const pid of await descendants(rootPid)) {
      const [kind, bytes] = await Promise.all([kindOf(pid), memoryOf(pid)])
      peaks.set(kind, Math.max(peaks.get(kind) ?? 0, bytes))
    }
  }
  await sample()
  let isSampling = false
  const timer = setInterval(() => {
    if (isSampling) return
    isSampling = true
    void sample().finally(() => {
      isSampling = false
    })
  }, SAMPLE_EVERY_MS)
  const readAtStart = await readBy(rootPid)
  return {
    peakBytes: (kind) => peaks.get(kind) ?? 0,
    readBytes: async () => (await readBy(rootPid)) - readAtStart,
    stop: () => clearInterval(timer),
  }
}

async function descendants(rootPid: number): Promise<readonly number[]> {
  const parents = new Map<number, number>()
  for (const name of await readdir('/proc')) {
    if (!/^\d+$/.test(name)) continue
    // The program's name, in brackets, may contain anything.
    const parent = /^.*\) \S (\d+)/s.exec(
      await readFile(`/proc/${name}/stat`, 'utf8').catch(() => ''),
    )?.[1]
    if (parent !== undefined) parents.set(Number(name), Number(parent))
  }
  const descends = (pid: number): boolean =>
    pid === rootPid || (pid > 1 && descends(parents.get(pid) ?? 0))
  return Array.from(parents.keys()).filter(descends)
}

async function kindOf(pid: number): Promise<string> {
  const commandLine = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')
  return /--type=([\w-]+)/.exec(commandLine)?.[1] ?? 'browser'
}

/** Anonymous and shared memory; pages of programs and files do not count. */
async function memoryOf(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '')
  const kilobytes = (name: string): number =>
    Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(status)?.[1] ?? 0)
  return (kilobytes('RssAnon') + kilobytes('RssShmem')) * 1_024
}

async function readBy(rootPid: number): Promise<number> {
  let bytes = 0
  for (const pid of await descendants(rootPid)) {
    const counters = await readFile(`/proc/${pid}/io`, 'utf8').catch(() => '')
    bytes += Number(/^rchar: (\d+)/m.exec(counters)?.[1] ?? 0)
  }
  return bytes
}
