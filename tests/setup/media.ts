import { copyFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { extname } from 'node:path'
import type { Ffmpeg } from '#server/media/ffmpeg.ts'
import { resolveFfmpeg } from '#server/media/resolve.ts'
import { keptClip } from './kept.ts'
import { testLauncher } from './run-tool.ts'

/** Looked for once a process: trying its confinement costs two programs. */
let known: Promise<Ffmpeg> | null = null

/** The ffmpeg of this machine; tests that need one cannot run without. */
export async function testFfmpeg(): Promise<Ffmpeg> {
  known ??= findFfmpeg()
  return await known
}

async function findFfmpeg(): Promise<Ffmpeg> {
  const found = await resolveFfmpeg({
    ffmpegPath: null,
    ffprobePath: null,
    searchPath: process.env['PATH'] ?? '',
    dataDir: tmpdir(),
  })
  if ('code' in found) throw new Error(found.message)
  return { ...found.ffmpeg, launcher: testLauncher }
}

/**
 * Writes a small clip with changing picture and sound, made if it is not kept. Its ending says in
 * which container.
 */
export async function makeClip(
  path: string,
  seconds: number,
  options: { size?: string; sound?: boolean; output?: readonly string[] } = {},
): Promise<void> {
  const sound =
    options.sound === false
      ? []
      : ['-f', 'lavfi', '-i', `sine=frequency=440:sample_rate=48000:duration=${seconds}`]
  const clip = await keptClip(`clip${extname(path)}`, [
    '-f',
    'lavfi',
    '-i',
    `testsrc2=size=${options.size ?? '320x180'}:rate=25:duration=${seconds}`,
    ...sound,
    ...(options.output ?? [
      '-c:v',
      'libx264',
      '-preset',
      'ultrafast',
      '-g',
      '25',
      '-pix_fmt',
      'yuv420p',
      '-c:a',
      'aac',
      '-movflags',
      '+faststart',
    ]),
  ])
  await copyFile(clip, path)
}
