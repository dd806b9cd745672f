import { windowsOf } from './hear-sound.ts'
import { judgeLoudness, type HeardWindow } from './loudness.ts'
import type { OpenFile } from './open-file.ts'
import { takenAudio } from './taken-tracks.ts'
import type { DeepFacts } from '#checks/facts.ts'

/**
 * Listens to short windows spread over the length; null when this browser cannot decode the sound,
 * or there is none.
 */
export async function readLoudness(
  opened: OpenFile,
  signal: AbortSignal,
): Promise<DeepFacts['loudness']> {
  const track = await takenAudio(opened)
  if (track === null || !(await track.canDecode())) return null
  const windows: HeardWindow[] = []
  for await (const window of windowsOf(track, signal)) windows.push(window)
  return judgeLoudness(windows)
}
