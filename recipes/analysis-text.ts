/** What ffmpeg said of one frame of picture or sound; null where it said nothing usable. */
export interface FrameFacts {
  readonly atMs: number
  /** 0 black to 1 white. */
  readonly brightness: number | null
  /** 0 grey to about 0.7. */
  readonly saturation: number | null
  /** blurdetect's number: the higher, the softer. */
  readonly blur: number | null
  /** 0 same as before to 1 all new. */
  readonly scene: number | null
  /** RMS level in dB, silence as -120. */
  readonly loudness: number | null
}

/**
 * Reads what `metadata=print` wrote. Lines it does not know (progress reports, log lines, a last
 * line cut off by a stop) are passed over, so the text may come from a shared or broken stream.
 */
export function readMetadata(text: string): FrameFacts[] {
  const frames: FrameFacts[] = []
  let values: Map<string, number> | null = null
  const close = (): void => {
    if (values !== null) frames.push(factsOf(values))
  }
  for (const line of text.split('\n')) {
    const header = /^frame:\s*\d+\s+pts:\s*-?\d+\s+pts_time:\s*(-?[\d.]+)/.exec(line)
    if (header !== null) {
      close()
      values = new Map([['at', Number(header[1]) * 1000]])
      continue
    }
    const pair = /^lavfi\.([\w.]+)=(-?inf|-?[\d.]+(?:e[+-]?\d+)?)\s*$/.exec(line)
    if (pair?.[1] !== undefined && values !== null)
      values.set(pair[1], pair[2] === '-inf' ? -120 : Number(pair[2]))
  }
  close()
  return frames
}

function factsOf(values: ReadonlyMap<string, number>): FrameFacts {
  const get = (key: string): number | null => {
    const value = values.get(key)
    return value === undefined || !Number.isFinite(value) ? null : value
  }
  const luma = get('signalstats.YAVG')
  const saturation = get('signalstats.SATAVG')
  const level = get('astats.Overall.RMS_level')
  return {
    atMs: get('at') ?? 0,
    // Video range: 16 is black, 235 is white.
    brightness: luma === null ? null : (luma - 16) / 219,
    saturation: saturation === null ? null : saturation / 181,
    blur: get('blur'),
    scene: get('scene_score'),
    loudness: level === null ? null : Math.max(-120, level),
  }
}
