import { spawn, type ChildProcess } from 'node:child_process'
import { createWriteStream } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { availableParallelism, cpus } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { machineLag } from '#tests/setup/patience.ts'
import { projectRoot } from '#scripts/project-root.ts'
import { openMeter, type Meter } from './meter.ts'
import { BUILD, chooseNext, type Job } from './plan.ts'

/** How a job ended. */
export interface JobEnd {
  readonly job: Job
  readonly isWell: boolean
  /** What it printed, kept in a file. */
  readonly log: string
  /** Its runner's report of single tests. */
  readonly report: string
  /** Null where this machine counts no processor time. */
  readonly cpuS: number | null
  readonly wallS: number
  /** Why the pool ended it, or null. */
  readonly endedFor: string | null
  /** Processes that it left running; they were killed. */
  readonly leftRunning: number
}

export interface PoolOptions {
  /** Where logs, reports and artefacts of the jobs go. */
  readonly folder: string
  readonly costs: string
  readonly env: Readonly<Record<string, string>>
  readonly stopped: AbortSignal
  /** Called at each end; the jobs that it returns are run as well. */
  readonly onEnd: (end: JobEnd) => Promise<readonly Job[]>
}

/**
 * Runs jobs side by side, as many as keep the processors busy, and returns when all have ended.
 * A job whose processes together use under 0.1 processor seconds in a minute hangs, unless the
 * machine is busy, and is ended. When the build fails, the jobs that need it end with it.
 */
export async function runPool(jobs: readonly Job[], options: PoolOptions): Promise<void> {
  await mkdir(options.folder, { recursive: true })
  const waiting = [...jobs]
  const running = new Map<Job, Promise<JobEnd>>()
  const cores = availableParallelism()
  const processors = watchProcessors()
  let isBuilt = !jobs.some(({ name }) => name === BUILD)
  while (waiting.length + running.size > 0) {
    for (;;) {
      const isIdle = processors.areIdle()
      const next = options.stopped.aborted
        ? null
        : chooseNext(waiting, [...running.keys()], { cores, isIdle, isBuilt })
      if (next === null) break
      waiting.splice(waiting.indexOf(next), 1)
      running.set(next, runJob(next, options))
      processors.lookAnew()
    }
    if (running.size === 0) return
    const end = await Promise.race([...running.values(), delay(LOOK_MS, null, { ref: false })])
    if (end === null) continue
    running.delete(end.job)
    if (end.job.name === BUILD) {
      isBuilt = true
      if (!end.isWell)
        waiting.splice(0, waiting.length, ...waiting.filter((job) => !job.needsBuild))
    }
    waiting.push(...(await options.onEnd(end)))
  }
}

/** How often the pool looks for idle processors. */
const LOOK_MS = 4_000
/** A job is busy after its start, so processors are idle only when they were for this long. */
const IDLE_FOR_MS = 8_000
const IDLE_SHARE = 0.12

/** Says whether a good share of all processors has idled for some seconds, whatever runs. */
function watchProcessors(): { areIdle(): boolean; lookAnew(): void } {
  let begunAt = performance.now()
  let before = processorTimes()
  const lookAnew = (): void => {
    begunAt = performance.now()
    before = processorTimes()
  }
  return {
    lookAnew,
    areIdle: () => {
      if (performance.now() - begunAt < IDLE_FOR_MS) return false
      const now = processorTimes()
      const share = (now.idle - before.idle) / Math.max(1, now.all - before.all)
      lookAnew()
      return share > IDLE_SHARE
    },
  }
}

/** Milliseconds of all processors since the machine began. */
function processorTimes(): { readonly idle: number; readonly all: number } {
  const times = cpus().map(({ times }) => times)
  const sum = (of: (each: (typeof times)[number]) => number): number =>
    times.reduce((total, each) => total + of(each), 0)
  return {
    idle: sum(({ idle }) => idle),
    all: sum(({ user, nice, sys, idle, irq }) => user + nice + sys + idle + irq),
  }
}

async function runJob(job: Job, { folder, costs, env, stopped }: PoolOptions): Promise<JobEnd> {
  const name = job.name.replaceAll(/[^\w-]+/g, '-')
  const meter = openMeter(name)
  const log = join(folder, `${name}.log`)
  const report = join(folder, `${name}.json`)
  const plain = commandOf(job, report, join(folder, name))
  const [command = '', ...args] = meter?.wrap(plain) ?? plain
  const begunAt = performance.now()
  const child = spawn(command, args, {
    cwd: projectRoot,
    stdio: ['ignore', 'pipe', 'pipe'],
    // A group of its own, so that its end takes its children with it.
    detached: true,
    env: {
      ...process.env,
      ...env,
      PLAYWRIGHT_JSON_OUTPUT_NAME: report,
      ...(meter === null ? {} : { ONECUT_METER: meter.file, ONECUT_COSTS: costs }),
      ...job.env,
    },
  })
  const file = createWriteStream(log)
  child.stdout.pipe(file, { end: false })
  child.stderr.pipe(file, { end: false })
  // All that it printed has come only then; it ends before, unless something keeps its output open.
  const closed = new Promise((resolve) => child.once('close', resolve))
  const watch = meter === null ? null : watchForHang(child, meter)
  const end = (): void => killGroup(child, 'SIGTERM')
  stopped.addEventListener('abort', end, { once: true })
  const isWell = await new Promise<boolean>((resolve) => {
    child.once('error', () => resolve(false))
    child.once('exit', (code) => resolve(code === 0))
  })
  stopped.removeEventListener('abort', end)
  const endedFor = watch?.stop() ?? null
  const wallS = (performance.now() - begunAt) / 1000
  const cpuS = meter?.seconds() ?? null
  const leftRunning = (await meter?.close()) ?? 0
  if (meter === null) killGroup(child, 'SIGKILL')
  await closed
  await new Promise((resolve) => file.end(resolve))
  return { job, isWell, log, report, cpuS, wallS, endedFor, leftRunning }
}

function commandOf(job: Job, report: string, artefacts: string): readonly string[] {
  const { work, files } = job
  switch (work.kind) {
    case 'npm':
      return ['npm', ...work.args]
    case 'node':
      return [process.execPath, work.script]
    case 'vitest':
      return [
        'vitest',
        'run',
        `--config=${work.config}`,
        `--project=${work.project}`,
        '--maxWorkers=1',
        '--reporter=default',
        '--reporter=json',
        `--outputFile.json=${report}`,
        '--reporter=./scripts/pool/cost-reporter.ts',
        ...files,
      ]
    case 'playwright':
      return [
        'playwright',
        'test',
        `--config=${work.config}`,
        `--project=${work.project}`,
        '--workers=1',
        '--reporter=list,json,./scripts/pool/cost-reporter.ts',
        `--output=${artefacts}`,
        ...files,
      ]
  }
}

const HANGS_BELOW_S = 0.1
const HANGS_AFTER_MS = 60_000
const BUSY_LAG = 1.5

function watchForHang(child: ChildProcess, meter: Meter): { stop(): string | null } {
  let usedS = 0
  let endedFor: string | null = null
  const timer = setInterval(() => {
    const nowS = meter.seconds()
    if (nowS - usedS < HANGS_BELOW_S && machineLag() < BUSY_LAG) {
      endedFor = `hung: under ${HANGS_BELOW_S} processor seconds in a minute`
      // What hangs may not hear a request to end.
      killGroup(child, 'SIGKILL')
    }
    usedS = nowS
  }, HANGS_AFTER_MS)
  return {
    stop: () => {
      clearInterval(timer)
      return endedFor
    },
  }
}

function killGroup(child: ChildProcess, signal: 'SIGTERM' | 'SIGKILL'): void {
  if (child.pid === undefined) return
  try {
    process.kill(-child.pid, signal)
  } catch {
    // All of it has ended.
  }
}
