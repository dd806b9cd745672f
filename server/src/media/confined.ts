import { inputsOf } from './confinement/sight.ts'
import { lendFolder } from './confinement/loan.ts'
import { confinedCommand, type RunLimits } from './confinement/methods.ts'
import type { Ffmpeg } from './ffmpeg.ts'
import { runTool, type ToolEnd, type ToolRun } from './process.ts'

/**
 * WebAssembly keeps ten gigabytes of address space free for each of its memories. Without them it
 * checks the bounds of each access: a minute of noise takes 12.5 s of a processor instead of 8.8.
 */
const RESERVED_BYTES = { ffmpeg: 0, ffprobe: 0, node: 32 * 1024 ** 3 } as const

/** One run of ffmpeg or ffprobe on files of users, or of a program of ours by Node. */
export interface ConfinedRun extends Pick<
  ToolRun,
  'cwd' | 'input' | 'signal' | 'timeoutMs' | 'stallMs' | 'maxOutputChars' | 'onOutput'
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
 * Runs a media tool under the confinement that this machine offers. Rejects with the signal's
 * reason when aborted, after the tool has gone.
 */
export async function runConfined(
  { ffmpegPath, ffprobePath, confinement, shared }: Tools,
  { tool, args, limits, ...run }: ConfinedRun,
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
        handles,
      })
    } finally {
      await close()
    }
  } finally {
    await loan.takeBack()
  }
}

/** What a run takes of an `Ffmpeg`; the trial of a confinement knows no more. */
export type Tools = Pick<Ffmpeg, 'ffmpegPath' | 'ffprobePath' | 'confinement' | 'shared'>
