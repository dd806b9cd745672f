import { join } from 'node:path'
import type { Stretch } from '#recipes/stretch.ts'
import { HEIGHT, readTimeCode, WIDTH } from '#tests/bench/edits/time-code.ts'
import { kept } from './kept.ts'
import { ffmpeg } from './render-plan.ts'
import { printedBy } from './run-tool.ts'

/** Of the bar code at the lower edge. */
const CODE_ROWS = 12
export const CODED_RATE = 25

/**
 * A clip in which every frame carries its number as a bar code (`readTimeCode`), over a picture
 * that moves.
 */
export async function codedClip(seconds: number): Promise<string> {
  const name = 'coded.mp4'
  const code = ['tests/setup/coded-clip.ts', 'tests/bench/edits/time-code.ts']
  const ingredients = [String(seconds), ...code.map((path) => ({ code: path }))]
  const folder = await kept('clips', ingredients, (own) => makeCodedClip(join(own, name), seconds))
  return join(folder, name)
}

/** A source of ffmpeg: the bar codes of the frames, a pixel for each bar, two rows high. */
export function codeGraph(seconds: number): string {
  const bit = 'mod(floor(N/pow(2,mod(X,16))),2)'
  return `color=black:s=32x2:r=${CODED_RATE}:d=${seconds},format=gray,geq=lum='40+170*if(lt(X,16),${bit},1-${bit})'`
}

export async function makeCodedClip(path: string, seconds: number): Promise<void> {
  const inputs = [
    `testsrc2=s=${WIDTH}x${HEIGHT - CODE_ROWS}:r=${CODED_RATE}:d=${seconds}`,
    codeGraph(seconds),
    `sine=f=440:d=${seconds}:r=48000`,
  ]
  await ffmpeg([
    ...inputs.flatMap((input) => ['-f', 'lavfi', '-i', input]),
    '-filter_complex',
    `[1:v]scale=${WIDTH}:${CODE_ROWS}:flags=neighbor,format=yuv420p[code];[0:v]format=yuv420p[top];[top][code]vstack[v]`,
    ...'-map [v] -map 2:a -c:v libx264 -preset ultrafast -crf 18 -g 50 -pix_fmt yuv420p'.split(' '),
    ...'-c:a aac -movflags +faststart'.split(' '),
    path,
  ])
}

/** The codes of the pictures of a video or of an image, null where two are mixed. */
export async function codesOf(path: string, filters = 'null'): Promise<(number | null)[]> {
  const { stdout } = await printedBy(
    'ffmpeg',
    `-v error -i ${path} -vf ${filters},scale=${WIDTH}:${HEIGHT}:flags=area -pix_fmt gray -f rawvideo -`.split(
      ' ',
    ),
  )
  const size = WIDTH * HEIGHT
  return Array.from({ length: stdout.length / size }, (_, index) =>
    readTimeCode(stdout.subarray(index * size, (index + 1) * size)),
  )
}

/** Of the sides of each fade. */
const MARGIN_MS = 80
const FADE_OUT_FRAMES = 15

/** Where in the edit frames differ from those of the chosen moments, in words; empty = nowhere. */
export function differencesFrom(
  codes: readonly (number | null)[],
  shown: readonly Stretch[],
  overlapMs: number,
): readonly string[] {
  const wrong: string[] = []
  let atMs = 0
  for (const [number, { startMs, endMs }] of shown.entries()) {
    const untilMs = atMs + endMs - startMs
    const from = frameAt(atMs + overlapMs + MARGIN_MS)
    const to = Math.min(frameAt(untilMs - overlapMs - MARGIN_MS), codes.length - FADE_OUT_FRAMES)
    if (to - from < 5) wrong.push(`moment ${number + 1} is hardly there`)
    for (let frame = from; frame < to; frame += 1) {
      const wanted = ((startMs - atMs) * CODED_RATE) / 1000 + frame
      // Whole frames of many moments are off by two at most.
      if (Math.abs((codes[frame] ?? -99) - wanted) > 2)
        wrong.push(`frame ${frame} shows ${codes[frame]}, not ${Math.round(wanted)}`)
    }
    atMs = untilMs - overlapMs
  }
  return wrong
}

function frameAt(ms: number): number {
  return Math.ceil((ms * CODED_RATE) / 1000)
}
