import { needs, withoutTraces } from './encoding.ts'
import type { Matrix } from './picture.ts'
import type { PlanPlace, PlanStep } from './types.ts'

/** GIF delays are hundredths of a second: 8 of them are exactly 12.5 frames a second. */
export const GIF_RATE = { text: '25/2', value: 12.5 } as const

/**
 * What makes a GIF of a picture at the GIF's rate and size: a palette of its own, with light
 * denoising and ordered dithering, which keep still areas identical from frame to frame. That is
 * what makes a GIF small.
 * @param picture filters that bring the first input to 4:2:0 in this size
 * @param colours of the palette, at most 255 beside the one that can be seen through
 */
export function gifGraph(picture: string, matrix: Matrix, colours: number): string {
  return (
    `[0:V:0]${picture},hqdn3d=2:1.5:4:4,scale=in_color_matrix=${matrix}:in_range=tv,format=rgb24,` +
    `split[a][b];[a]palettegen=max_colors=${colours}:stats_mode=full[p];` +
    '[b][p]paletteuse=dither=bayer:bayer_scale=3:diff_mode=rectangle[v]'
  )
}

/** The arguments after the inputs of a step that makes a GIF, which repeats for ever. */
export function gifArgs(graph: string, output: PlanPlace): PlanStep['args'] {
  return [
    '-filter_complex',
    graph,
    '-map',
    '[v]',
    '-an',
    ...withoutTraces,
    '-c:v',
    'gif',
    '-loop',
    '0',
    '-f',
    'gif',
    output,
  ]
}

/** What a step that makes a GIF needs beside its own filters. */
export function gifNeeds(filters: readonly string[]): PlanStep['needs'] {
  return needs(
    ['hqdn3d', 'scale', 'format', 'split', 'palettegen', 'paletteuse', ...filters],
    ['gif'],
  )
}
