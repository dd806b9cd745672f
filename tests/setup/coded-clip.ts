import { HEIGHT, WIDTH } from '#tests/bench/edits/time-code.ts'
import { ffmpeg } from './render-plan.ts'

/** Of the bar code at the lower edge. */
const CODE_ROWS = 12
export const CODED_RATE = 25

/**
 * Makes a clip in which every frame carries its number as a bar code (`readTimeCode`), over a
 * picture that moves.
 */
export async function makeCodedClip(path: string, seconds: number): Promise<void> {
  const bit = 'mod(floor(N/pow(2,mod(X,16))),2)'
  const code = `color=black:s=32x2:r=${CODED_RATE}:d=${seconds},format=gray,geq=lum='40+170*if(lt(X,16),${bit},1-${bit})'`
  await ffmpeg([
    ...['-f', 'lavfi', '-i'],
    `testsrc2=s=${WIDTH}x${HEIGHT - CODE_ROWS}:r=${CODED_RATE}:d=${seconds}`,
    ...['-f', 'lavfi', '-i', code, '-f', 'lavfi', '-i', `sine=f=440:d=${seconds}:r=48000`],
    '-filter_complex',
    `[1:v]scale=${WIDTH}:${CODE_ROWS}:flags=neighbor,format=yuv420p[code];[0:v]format=yuv420p[top];[top][code]vstack[v]`,
    ...['-map', '[v]', '-map', '2:a', '-c:v', 'libx264', '-preset', 'ultrafast', '-crf', '18'],
    ...['-g', '50', '-pix_fmt', 'yuv420p', '-c:a', 'aac', '-movflags', '+faststart', path],
  ])
}
