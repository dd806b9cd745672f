import { AudioSampleSink, type AudioSample, type Input } from 'mediabunny'
import type { DeepFacts } from '#recipes/source-facts.ts'

/** Thin: longer or more windows of a 25 GB file pull hundreds of MB from the disk. */
const WINDOWS = 10
const WINDOW_S = 0.5
/** -60 dBFS. */
const SILENT_PEAK = 0.001
const FULL_SCALE = 0.9995

/** Listens to short windows spread over the length; null when this browser cannot decode the sound, or there is none. */
export async function readLoudness(input: Input, signal: AbortSignal): Promise<DeepFacts['loudness']> {
  const track = await input.getPrimaryAudioTrack()
  if (track === null || !(await track.canDecode())) return null
  const start = await track.getFirstTimestamp()
  const end = await track.computeDuration({ metadataOnly: true })
  const sink = new AudioSampleSink(track)
  let [windows, silent, clipped, heard] = [0, 0, 0, 0]
  for (let index = 0; index < WINDOWS; index += 1) {
    signal.throwIfAborted()
    const at = start + (end - start) * ((index + 0.5) / WINDOWS)
    let peak = -1
    for await (const sample of sink.samples(at, Math.min(end, at + WINDOW_S))) {
      const found = loudnessOf(sample)
      peak = Math.max(peak, found.peak)
      clipped += found.clipped
      heard += found.heard
    }
    if (peak < 0) continue
    windows += 1
    if (peak < SILENT_PEAK) silent += 1
  }
  return windows === 0 ? null : { windows, silent, clippedShare: heard === 0 ? 0 : clipped / heard }
}

function loudnessOf(sample: AudioSample): { readonly peak: number; readonly clipped: number; readonly heard: number } {
  try {
    let [peak, clipped, heard] = [0, 0, 0]
    for (let planeIndex = 0; planeIndex < sample.numberOfChannels; planeIndex += 1) {
      const values = new Float32Array(sample.allocationSize({ planeIndex, format: 'f32-planar' }) / Float32Array.BYTES_PER_ELEMENT)
      sample.copyTo(values, { planeIndex, format: 'f32-planar' })
      for (const value of values) {
        const size = Math.abs(value)
        if (size > peak) peak = size
        if (size >= FULL_SCALE) clipped += 1
      }
      heard += values.length
    }
    return { peak, clipped, heard }
  } finally {
    sample.close()
  }
}
