import type { Allowance } from './allowance.ts'
import { inputsOf } from './confinement/sight.ts'
import { lendFolder } from './confinement/loan.ts'
import {
  confinedCommand,
  type Confinement,
  type RunLimits,
  type Sight,
} from './confinement/methods.ts'
import type { Launcher } from './tool-launcher.ts'
import { runTool, type ToolEnd, type ToolRun } from './process.ts'

/**
 * WebAssembly keeps ten gigabytes of address space free for each of its memories. Without them it
 * checks the bounds of each access: a minute of noise takes 12.5 s of a processor instead of 8.8.
 */
const RESERVED_BYTES = { ffmpeg: 0, ffprobe: 0, node: 32 * 1024 ** 3 } as const

/** One run of ffmpeg or ffprobe on files of users, or of a program of ours by Node. */
export interface ConfinedRun extends Pick<
  ToolRun,
  'cwd' | 'input' | 'signal' | 'timeoutMs' | 'stallMs' | 'maxOutputChars' | 'onOutput' | 'isEnough'
> {
  readonly tool: keyof typeof RESERVED_BYTES
  /**
   * The arguments, when `seen` gives the paths of all files that are read and lie outside of
   * `cwd`: the tool can open no others. It may write in `cwd`, and no other run may at that time.
   */
  readonly args: (seen: (path: string) => string) => readonly string[]
  readonly limits: RunLimits
}

/**
 * Runs a media tool under the confinement that this machine offers, within what is left of the
 * allowance of the tools: where nothing is, it ends as one that passed its processor time. Rejects
 * with the signal's reason when aborted, after the tool has gone.
 */
export async function runConfined(tools: Tools, run: ConfinedRun): Promise<ToolEnd> {
  const here = async (asked: ConfinedRun): Promise<ToolEnd> => await runHere(tools, asked)
  return tools.runner === undefined ? await here(run) : await tools.runner(tools, run, here)
}

async function runHere(tools: Tools, run: ConfinedRun): Promise<ToolEnd> {
  const { allowance, onUsed } = tools
  if (allowance === undefined) return await runLimited(tools, { ...run, onUsed })
  const end = await runGranted(tools, run, allowance)
  if (end.kind === 'timeout' && end.limit === 'work') allowance.noteCut()
  return end
}

async function runGranted(tools: Tools, run: ConfinedRun, allowance: Allowance): Promise<ToolEnd> {
  const limits = allowance.grant(run.limits)
  if (limits === null)
    return { kind: 'timeout', limit: 'work', stderrTail: 'no processor time is left for this file' }
  const signal = AbortSignal.any([run.signal, allowance.signal])
  const maxCpuSeconds = limits.cpuSeconds
  return await runLimited(tools, { ...run, limits, signal, maxCpuSeconds, onUsed: allowance.spend })
}

async function runLimited(
  { ffmpegPath, ffprobePath, confinement, shared, launcher }: Tools,
  { tool, args, limits, ...run }: ConfinedRun & Pick<ToolRun, 'onUsed' | 'maxCpuSeconds'>,
): Promise<ToolEnd> {
  run.signal.throwIfAborted()
  const inputs = inputsOf(confinement, shared, run.cwd)
  const words = args(inputs.seen)
  const loan = await lendFolder(run.cwd, confinement.uid)
  try {
    const { sight, handles, close } = await inputs.open()
    try {
      const program = { ffmpeg: ffmpegPath, ffprobe: ffprobePath, node: process.execPath }[tool]
      return await runTool({
        ...run,
        ...confinedCommand(confinement, sight, [program, ...words], {
          ...limits,
          reservedBytes: RESERVED_BYTES[tool],
        }),
        start: launcher?.start,
        handles,
      })
    } finally {
      await close()
    }
  } finally {
    await loan.takeBack()
  }
}

/** What runs a tool in the place of `runConfined`; `here` is what that does. */
export type ToolRunner = (
  tools: Tools,
  run: ConfinedRun,
  here: (run: ConfinedRun) => Promise<ToolEnd>,
) => Promise<ToolEnd>

/** What a run takes; the trial of a confinement knows no more. */
export interface Tools {
  readonly ffmpegPath: string
  readonly ffprobePath: string
  /** What they may see and use when they read files of users. */
  readonly confinement: Confinement
  /** What they need to run, where they have a file system of their own. */
  readonly shared: Sight['shared']
  /** What all runs may use together; left out = each run has its own limits alone. */
  readonly allowance?: Allowance
  /** Told of the processor time of each run as it goes on, where there is no allowance to tell. */
  readonly onUsed?: (cpuSeconds: number) => void
  /** Left out = tools are children of this process ([Note: launcher] in tool-launcher.ts). */
  readonly launcher?: Launcher
  /** Left out = this machine runs them; tests keep what equal runs made. */
  readonly runner?: ToolRunner
}
