import { HOSTILE_INPUT_FLAGS } from '#server/media/formats.ts'
import { launched, type Ffmpeg } from '#server/media/ffmpeg.ts'
import { runTool } from '#server/media/process.ts'

/** Where to look, and what the header says. */
export interface EndCheck {
  readonly path: string
  readonly scratchDir: string
  readonly signal: AbortSignal
  readonly durationMs: number
}

/** How near to the end packets must be: no muxer ends its tracks exactly together. */
const TOLERANCE_SHARE = 0.03
const TOLERANCE_MIN_S = 4
/** How exactly the place is found where a file breaks off. */
const STEP_SHARE = 0.001
const STEP_MIN_S = 0.25

/**
 * How much of the file can be played, in milliseconds: `durationMs` when packets exist close to
 * where the header says the end is. A copy that broke off keeps its header; what is missing would
 * be planned, paid for, and come out empty. A slow seek through a file without an index is no proof
 * of anything. Reads packet headers at about ten places at the most.
 */
export async function findEndMs(ffmpeg: Ffmpeg, check: EndCheck): Promise<number> {
  const endS = check.durationMs / 1000
  const toleranceS = Math.max(TOLERANCE_MIN_S, endS * TOLERANCE_SHARE)
  if (endS <= toleranceS || (await hasPackets(ffmpeg, check, endS - toleranceS)))
    return check.durationMs
  let [there, gone] = [0, endS - toleranceS]
  while (gone - there > Math.max(STEP_MIN_S, endS * STEP_SHARE)) {
    const middle = (there + gone) / 2
    if (await hasPackets(ffmpeg, check, middle)) there = middle
    else gone = middle
  }
  return Math.round(there * 1000)
}

/**
 * Whether there are packets at `atS` or after it. Seeking lands on the full picture before, which
 * encoders set up to ten seconds apart, and a window would be counted from there: so it is read on
 * to the first packet that answers, else to where the file ends.
 */
async function hasPackets(ffmpeg: Ffmpeg, check: EndCheck, atS: number): Promise<boolean> {
  const found = new AbortController()
  let rest = ''
  try {
    const end = await runTool({
      command: launched(ffmpeg, ffmpeg.ffprobePath, [
        '-v',
        'error',
        ...HOSTILE_INPUT_FLAGS,
        '-read_intervals',
        `${atS.toFixed(3)}%`,
        '-show_entries',
        'packet=pts_time,dts_time',
        '-print_format',
        'csv=p=0',
        '-i',
        check.path,
      ]),
      cwd: check.scratchDir,
      signal: AbortSignal.any([check.signal, found.signal]),
      timeoutMs: 60_000,
      onOutput: (text) => {
        const lines = (rest + text).split('\n')
        rest = lines.pop() ?? ''
        if (lines.some((line) => line.split(',').some((time) => Number(time) >= atS))) found.abort()
      },
    })
    return end.kind === 'timeout' || found.signal.aborted
  } catch (error) {
    if (found.signal.aborted && !check.signal.aborted) return true
    throw error
  }
}
