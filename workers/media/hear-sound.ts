import { AudioSampleSink, type AudioSample, type InputAudioTrack } from 'mediabunny'
import { isAudible, listen, LOUDNESS_WINDOWS, type HeardWindow } from './loudness.ts'

const WINDOW_S = 0.5

/** Whether none of the windows of a track is heard; null when this browser cannot decode it. */
export async function isSilent(
  track: InputAudioTrack,
  signal: AbortSignal,
): Promise<boolean | null> {
  if (!(await track.canDecode())) return null
  for await (const window of windowsOf(track, signal)) if (isAudible(window)) return false
  return true
}

/** Short windows spread over a track that this browser can decode. */
export async function* windowsOf(
  track: InputAudioTrack,
  signal: AbortSignal,
): AsyncGenerator<HeardWindow> {
  const start = await track.getFirstTimestamp()
  const end = await track.computeDuration({ metadataOnly: true })
  const sink = new AudioSampleSink(track)
  for (let index = 0; index < LOUDNESS_WINDOWS; index += 1) {
    signal.throwIfAborted()
    const at = start + (end - start) * ((index + 0.5) / LOUDNESS_WINDOWS)
    const parts: HeardWindow[] = []
    for await (const sample of sink.samples(at, Math.min(end, at + WINDOW_S)))
      parts.push(...loudnessOf(sample))
    yield {
      peak: Math.max(0, ...parts.map((part) => part.peak)),
      clipped: sumOf(parts, 'clipped'),
      heard: sumOf(parts, 'heard'),
    }
  }
}

/** By channel. */
function loudnessOf(sample: AudioSample): readonly HeardWindow[] {
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

function sumOf(parts: readonly HeardWindow[], of: 'clipped' | 'heard'): number {
  return parts.reduce((total, part) => total + part[of], 0)
}
