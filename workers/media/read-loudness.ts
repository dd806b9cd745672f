import { AudioSampleSink, type AudioSample, type Input } from 'mediabunny'
import { judgeLoudness, listen, LOUDNESS_WINDOWS, type Heard } from './loudness.ts'
import type { DeepFacts } from '#checks/facts.ts'

const WINDOW_S = 0.5

/**
 * Listens to short windows spread over the length; null when this browser cannot decode the sound,
 * or there is none.
 */
export async function readLoudness(
  input: Input,
  signal: AbortSignal,
): Promise<DeepFacts['loudness']> {
  const track = await input.getPrimaryAudioTrack()
  if (track === null || !(await track.canDecode())) return null
  const start = await track.getFirstTimestamp()
  const end = await track.computeDuration({ metadataOnly: true })
  const sink = new AudioSampleSink(track)
  const windows: Heard[] = []
  for (let index = 0; index < LOUDNESS_WINDOWS; index += 1) {
    signal.throwIfAborted()
    const at = start + (end - start) * ((index + 0.5) / LOUDNESS_WINDOWS)
    const parts: Heard[] = []
    for await (const sample of sink.samples(at, Math.min(end, at + WINDOW_S)))
      parts.push(...loudnessOf(sample))
    windows.push({
      peak: Math.max(0, ...parts.map((part) => part.peak)),
      clipped: sumOf(parts, 'clipped'),
      heard: sumOf(parts, 'heard'),
    })
  }
  return judgeLoudness(windows)
}

/** By channel. */
function loudnessOf(sample: AudioSample): readonly Heard[] {
  try {
    return Array.from({ length: sample.numberOfChannels }, (_, planeIndex) => {
      const values = new Float32Array(
        sample.allocationSize({ planeIndex, format: 'f32-planar' }) /
          Float32Array.BYTES_PER_ELEMENT,
      )
      sample.copyTo(values, { planeIndex, format: 'f32-planar' })
      return listen(values)
    })
  } finally {
    sample.close()
  }
}

function sumOf(parts: readonly Heard[], of: 'clipped' | 'heard'): number {
  return parts.reduce((total, part) => total + part[of], 0)
}
