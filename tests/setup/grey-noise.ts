import { createCipheriv } from 'node:crypto'
import { rm, writeFile } from 'node:fs/promises'
import { GIF_RATE } from '#recipes/gif-encoding.ts'
import { ffmpeg } from './render-plan.ts'

/**
 * Makes a square video of random greys in the rate of GIFs, without sound. No GIF of a picture is
 * larger: coloured noise loses some of itself to a palette.
 */
export async function makeGreyNoise(path: string, side: number, seconds: number): Promise<void> {
  const bare = `${path}.raw`
  await writeFile(bare, noise(side * side * Math.ceil(seconds * GIF_RATE.value)))
  const size = `${side}x${side}`
  const raw = `-f rawvideo -pix_fmt gray -s ${size} -r ${GIF_RATE.text} -i`.split(' ')
  // Lossless, so that no encoder takes any of it.
  const lossless = '-pix_fmt yuv420p -c:v libx264 -qp 0 -preset ultrafast -f mp4'.split(' ')
  await ffmpeg([...raw, bare, ...lossless, path])
  await rm(bare)
}

/** The same bytes in each run, so that their renders can be kept; no codec finds a pattern. */
const noise = (bytes: number): Buffer =>
  createCipheriv('aes-128-ctr', Buffer.alloc(16), Buffer.alloc(16)).update(Buffer.alloc(bytes))
