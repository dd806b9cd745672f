import { rm, writeFile } from 'node:fs/promises'
import { makeClip } from './media.ts'
import { runTool } from './run-tool.ts'

/**
 * A video of exactly so many minutes: the same 20 s one after the other, whose sound outlasts the
 * picture. Its ending says in which container.
 */
export async function makeMinutes(path: string, minutes: number): Promise<void> {
  const [clip, list] = [`${path}.clip.mkv`, `${path}.txt`]
  const coded = '-c:v libx264 -preset ultrafast -g 25 -c:a aac -af apad=pad_dur=0.06'.split(' ')
  // What is measured are its ends: more pictures between them only take time.
  await makeClip(clip, 20, { size: '128x72', output: ['-vf', 'framestep=5', ...coded] })
  await writeFile(list, `file '${clip}'\nduration 20\n`.repeat(minutes * 3))
  const joined = ['-f', 'concat', '-safe', '0', '-i', list, '-c', 'copy', path]
  await runTool('ffmpeg', ['-nostdin', '-v', 'error', '-y', ...joined])
  for (const each of [clip, list]) await rm(each)
}
