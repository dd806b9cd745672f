import { expect, it } from 'vitest'
import type { FrameRate } from '#recipes/encoding.ts'
import { nearestPicture, pictureTurns } from '#recipes/picture-at.ts'
import { keptClip } from '#tests/setup/kept.ts'
import { printedBy, runTool } from '#tests/setup/run-tool.ts'

const NTSC: FrameRate = { text: '30000/1001', value: 30_000 / 1001 }
const PAL: FrameRate = { text: '25', value: 25 }

/** Each picture is as grey as its number. */
const NUMBERED = 'color=black:s=16x16:d=4,geq=lum=mod(N\\,200)+20:cb=128:cr=128'

/** A video without loss whose pictures come at the given rate, moved by some milliseconds. */
async function numbered(rate: string, offMs: number): Promise<string> {
  return await keptClip('numbered.mkv', [
    ...'-f lavfi -i'.split(' '),
    NUMBERED.replace('16x16', `16x16:r=${rate}`),
    ...`-vf setpts=PTS+${offMs / 1000}/TB -fps_mode passthrough`.split(' '),
    ...'-c:v ffv1 -pix_fmt yuv420p'.split(' '),
  ])
}

async function timesOf(path: string): Promise<readonly number[]> {
  const args = `-v error -show_entries packet=pts_time -of csv=p=0 ${path}`.split(' ')
  return (await runTool('ffprobe', args)).stdout.trim().split('\n').map(Number.parseFloat)
}

/** Greys of the pictures that ffmpeg shows of a passage. */
async function shownByFfmpeg(path: string, startS: number, rate: FrameRate, frames: number) {
  const args = `-v error -ss ${startS.toFixed(3)} -i ${path} -vf fps=${rate.text}:start_time=0 -frames:v ${frames} -f rawvideo -`
  const { stdout } = await printedBy('ffmpeg', args.split(' '))
  return Array.from({ length: frames }, (_, at) => stdout[at * 384])
}

it.each([
  ['25', 0, PAL, 1.28],
  ['25', 21, PAL, 1.28],
  ['50', 13, PAL, 0.52],
  ['50', 0, PAL, 0.52],
  ['30000/1001', 21, NTSC, 1.001],
  ['24', 7, NTSC, 0.734],
  ['7', 0, PAL, 1.3],
])(
  'NOW-05 pictures at %s a second and %s ms off are shown as by ffmpeg',
  async (rate, offMs, outRate, startS) => {
    const path = await numbered(rate, offMs)
    const times = await timesOf(path)
    const frames = 40
    const startOfFile = times[0] ?? 0
    const clock = { startS: startOfFile + startS, ticksPerSecond: 1000 }
    const turns = pictureTurns(frames, outRate, clock)
    const shown: number[] = []
    let current: number | null = null
    for (const [number, timeS] of times.entries()) {
      const count = turns.next(timeS)
      if (count === null) continue
      for (let turn = 0; turn < count && current !== null; turn += 1) shown.push(current)
      current = number
    }
    for (let turn = turns.rest(); turn > 0 && current !== null; turn -= 1) shown.push(current)
    const greys = shown.map((number) => (number % 200) + 20)
    expect(greys).toEqual(await shownByFfmpeg(path, startS, outRate, frames))
  },
)

it('fills a passage with the last picture of a source that ends early, and none of an empty one', () => {
  const clock = { startS: 1, ticksPerSecond: 90_000 }
  const turns = pictureTurns(10, PAL, clock)
  expect([turns.next(0.96), turns.next(1.02), turns.next(1.08), turns.rest()]).toEqual([
    null,
    0,
    2,
    8,
  ])
  expect(pictureTurns(10, PAL, clock).rest()).toBe(0)
})

it('rounds half a picture up, as ffmpeg does', () => {
  expect([500, 460, 1980].map((ms) => nearestPicture(ms, PAL))).toEqual([13, 12, 50])
  expect(nearestPicture(500, NTSC)).toBe(15)
})
