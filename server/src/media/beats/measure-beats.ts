import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Beats, PlanRun, SourceProbe } from '#recipes/types.ts'
import { boundedRun } from '#server/media/bounds.ts'
import type { Ffmpeg } from '#server/media/ffmpeg.ts'
import { glance } from '#server/media/glance.ts'
import { BEATS_RATE, findBeats } from './find-beats.ts'

const FILE = 'beats.pcm'
/** An edit uses a minute of a track; finding the beats of two takes this process half a second. */
const HEARD_MS = 120_000
const MAX_BYTES = (HEARD_MS / 1000 + 1) * BEATS_RATE * 4

/**
 * Where the beats of a track lie, by two minutes of it at most; null where it keeps no tempo or its
 * sound cannot be read. Rejects when aborted and with the fault of the machine.
 */
export async function measureBeats(
  ffmpeg: Ffmpeg,
  { path, scratchDir, signal }: { path: string; scratchDir: string; signal: AbortSignal },
  source: SourceProbe,
): Promise<Beats | null> {
  const file = join(scratchDir, FILE)
  const end = await glance(ffmpeg, {
    ...boundedRun(soundRun(source), source),
    pathOf: (place) => (place.kind === 'scratch' ? file : path),
    cwd: scratchDir,
    signal,
    maxFileBytes: MAX_BYTES,
  })
  return end.ok ? findBeats(samplesOf(await readFile(file))) : null
}

function soundRun({ durationMs }: SourceProbe): PlanRun {
  return {
    inputs: [{ from: { kind: 'source' }, durationMs: Math.min(HEARD_MS, durationMs) }],
    args: [
      '-map',
      '0:a:0',
      '-ac',
      '1',
      '-ar',
      String(BEATS_RATE),
      '-c:a',
      'pcm_f32le',
      '-f',
      'f32le',
      { kind: 'scratch', name: FILE },
    ],
  }
}

function samplesOf(bytes: Buffer): Float32Array {
  return Float32Array.from({ length: Math.floor(bytes.length / 4) }, (_, at) =>
    bytes.readFloatLE(at * 4),
  )
}
