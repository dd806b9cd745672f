import { HOSTILE_INPUT_FLAGS } from '#server/media/formats.ts'
import { launched, type Ffmpeg } from '#server/media/ffmpeg.ts'
import { runTool } from '#server/media/process.ts'

/** Where to look, and what the header says. */
export interface EndCheck { readonly path: string; readonly scratchDir: string; readonly signal: AbortSignal; readonly durationMs: number }

/** How near to the end packets must be: no muxer ends its tracks exactly together. */
const TOLERANCE_SHARE = 0.03
const TOLERANCE_MIN_S = 4
/** How exactly the place is found where a file breaks off. */
const STEP_SHARE = 0.001
const STEP_MIN_S = 0.25
/** Read from each place that is asked for; seeking lands before it. */
const WINDOW_S = 2

/**
 * How much of the file can be played, in milliseconds: `durationMs` when packets exist close to where the header says the end
 * is. A copy that broke off keeps its header; what is missing would be planned, paid for, and come out empty. A slow seek
 * through a file without an index is no proof of anything. Reads packet headers at about ten places at the most.
 */
export async function findEndMs(ffmpeg: Ffmpeg, check: EndCheck): Promise<number> {
  const endS = check.durationMs / 1000
  const toleranceS = Math.max(TOLERANCE_MIN_S, endS * TOLERANCE_SHARE)
  if (endS <= toleranceS || (await hasPackets(ffmpeg, check, endS - toleranceS, toleranceS))) return check.durationMs
  let [there, gone] = [0, endS - toleranceS]
  while (gone - there > Math.max(STEP_MIN_S, endS * STEP_SHARE)) {
    const middle = (there + gone) / 2
    if (await hasPackets(ffmpeg, check, middle, WINDOW_S)) there = middle
    else gone = middle
  }
  return Math.round(there * 1000)
}

/** Whether there are packets at `atS` or within `windowS` after it. */
async function hasPackets(ffmpeg: Ffmpeg, check: EndCheck, atS: number, windowS: number): Promise<boolean> {
  let last = -Infinity
  let rest = ''
  const end = await runTool({
    command: launched(ffmpeg, ffmpeg.ffprobePath, [
      '-v', 'error', ...HOSTILE_INPUT_FLAGS, '-read_intervals', `${atS.toFixed(3)}%+${windowS.toFixed(3)}`,
      '-show_entries', 'packet=pts_time,dts_time', '-print_format', 'csv=p=0', '-i', check.path,
    ]),
    cwd: check.scratchDir, signal: check.signal, timeoutMs: 60_000,
    onOutput: (text) => {
      const lines = (rest + text).split('\n')
      rest = lines.pop() ?? ''
      for (const line of lines) for (const time of line.split(',')) if (Number(time) > last) last = Number(time)
    },
  })
  return end.kind === 'timeout' || last >= atS
}
