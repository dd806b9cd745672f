import { Worker } from 'node:worker_threads'

/**
 * [Note: tools outlive no lease] A process that may no longer work must end its tools, also while
 * its event loop is held by something or has just woken up from a freeze. So a thread beside the
 * loop watches a deadline that the leases push ahead, and kills all media tools of the process when
 * it passes.
 */
export interface ToolGuard {
  /** Tools may run for this long from now on; null: without an end, which is how it begins. */
  allowFor(ms: number | null): void
  /**
   * Has the tool, which leads a process group of its own, ended with the others. Returns what takes
   * it out again, and then says whether the guard has ended it.
   */
  add(pid: number | undefined): () => boolean
}

/** A media tool was ended because its process had lost the right to what it made. */
export class ToolsEnded extends Error {
  constructor() {
    super('The tools of this process were ended: its leases were not renewed in time')
  }
}

/** Far more than there are slots; what finds no room is ended by the event loop alone. */
const MOST_TOOLS = 512
const LOOK_MS = 500
const LITTLE = { maxOldGenerationSizeMb: 8, maxYoungGenerationSizeMb: 1 } as const

/**
 * What the two threads share: the deadline in nanoseconds of the monotonic clock, 0 for none, and
 * the pids; one that was killed is there as its negative.
 */
interface Shared {
  readonly deadline: BigInt64Array
  readonly pids: Int32Array
}

export function createToolGuard(lookMs = LOOK_MS): ToolGuard {
  const shared: Shared = {
    deadline: new BigInt64Array(new SharedArrayBuffer(8)),
    pids: new Int32Array(new SharedArrayBuffer(4 * MOST_TOOLS)),
  }
  let thread: Worker | null = null
  return {
    allowFor(ms) {
      const at = ms === null ? 0n : process.hrtime.bigint() + BigInt(Math.round(ms * 1e6))
      Atomics.store(shared.deadline, 0, at)
      if (ms === null || thread !== null) return
      thread = new Worker(WATCH, {
        eval: true,
        workerData: { ...shared, lookMs },
        resourceLimits: LITTLE,
      })
      thread.unref()
    },
    add(pid) {
      const place = pid === undefined ? -1 : shared.pids.indexOf(0)
      if (pid === undefined || place === -1) return () => false
      Atomics.store(shared.pids, place, pid)
      return () => Atomics.exchange(shared.pids, place, 0) === -pid
    },
  }
}

/** The guard of this process. */
export const toolGuard = createToolGuard()

/** As text, so that it runs from sources and from a bundle alike. */
const WATCH = `
const { workerData: { deadline, pids, lookMs } } = require('node:worker_threads')
const pause = new Int32Array(new SharedArrayBuffer(4))
for (;;) {
  Atomics.wait(pause, 0, 0, lookMs)
  const at = Atomics.load(deadline, 0)
  if (at === 0n || process.hrtime.bigint() < at) continue
  for (let place = 0; place < pids.length; place += 1) {
    const pid = Atomics.load(pids, place)
    if (pid <= 0 || Atomics.compareExchange(pids, place, pid, -pid) !== pid) continue
    try {
      process.kill(process.platform === 'win32' ? pid : -pid, 'SIGKILL')
    } catch {
      // It has just ended by itself.
    }
  }
}`
