import { AudioSampleSink, type AudioSample, type InputAudioTrack } from 'mediabunny'
import type { Part } from '#recipes/analysis.ts'
import { SILENCE_DB, type Level } from '#recipes/analysis-sound.ts'

/** What the server's look brings sound to before it measures it. */
const RATE = 8000
const WINDOW = 800

/**
 * How loud each tenth of a second of a part is, as the server's look measures it. What cannot be
 * decoded is not heard.
 */
export async function hearLevels(
  track: InputAudioTrack,
  startS: number,
  { startMs, durationMs }: Part,
  signal: AbortSignal,
): Promise<readonly Level[]> {
  const meter = createLevelMeter()
  const fromS = startS + startMs / 1000
  for await (const sample of new AudioSampleSink(track).samples(fromS, fromS + durationMs / 1000)) {
    try {
      signal.throwIfAborted()
      meter.add(channelsOf(sample), sample.sampleRate, (sample.timestamp - fromS) * 1000)
    } finally {
      sample.close()
    }
  }
  return meter.levels()
}

function channelsOf(sample: AudioSample): readonly Float32Array[] {
  return Array.from({ length: sample.numberOfChannels }, (_, planeIndex) => {
    const format = 'f32-planar'
    const bytes = sample.allocationSize({ planeIndex, format })
    const values = new Float32Array(bytes / Float32Array.BYTES_PER_ELEMENT)
    sample.copyTo(values, { planeIndex, format })
    return values
  })
}

export interface LevelMeter {
  /** @param atMs from the start of the part; what lies before it is not heard */
  add(channels: readonly Float32Array[], sampleRate: number, atMs: number): void
  levels(): readonly Level[]
}

/** Sums up what is heard below 4 kHz, in windows of a tenth of a second. */
export function createLevelMeter(): LevelMeter {
  const levels: Level[] = []
  let [squares, values, filled] = [0, 0, 0]
  const endWindow = (): void => {
    const power = values === 0 ? 0 : squares / values
    const loudness = power === 0 ? SILENCE_DB : Math.max(SILENCE_DB, 10 * Math.log10(power))
    levels.push({ atMs: (levels.length * WINDOW * 1000) / RATE, loudness })
    squares = 0
    values = 0
    filled = 0
  }
  let sums = new Float64Array(0)
  let [summed, phase] = [0, 0]
  const endValue = (): void => {
    for (const [channel, sum] of sums.entries()) {
      squares += (sum / Math.max(1, summed)) ** 2
      sums[channel] = 0
    }
    values += sums.length
    summed = 0
    filled += 1
    if (filled === WINDOW) endWindow()
  }
  return {
    levels: () => levels,
    add: (channels, sampleRate, atMs) => {
      if (sums.length !== channels.length) sums = new Float64Array(channels.length)
      const step = sampleRate / RATE
      const skipped = Math.max(0, Math.round((-atMs * sampleRate) / 1000))
      for (let at = skipped; at < (channels[0]?.length ?? 0); at += 1) {
        for (let channel = 0; channel < channels.length; channel += 1)
          sums[channel] = (sums[channel] ?? 0) + (channels[channel]?.[at] ?? 0)
        summed += 1
        for (phase += 1; phase >= step; phase -= step) endValue()
      }
    },
  }
}
