import { ffmpeg } from '#tests/setup/render-plan.ts'

/**
 * How much of the picture changes (mean of luma, 0 to 255) from each picture of a loop to the next
 * one; the last figure is the seam, from the last picture to the first.
 */
export async function loopChanges(path: string): Promise<readonly number[]> {
  const text = await ffmpeg([
    '-stream_loop',
    '1',
    '-i',
    path,
    '-vf',
    'format=yuv420p,signalstats,metadata=print:key=lavfi.signalstats.YDIF:file=-',
    '-f',
    'null',
    '-',
  ])
  const changes = [...text.matchAll(/YDIF=([\d.]+)/g)].map((match) => Number(match[1]))
  return changes.slice(1, changes.length / 2 + 1)
}
