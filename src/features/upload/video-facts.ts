import { lengthWords } from '#src/components/time-words.ts'
import { formatBytes } from '#src/lib/bytes.ts'
import type { ProbeReport } from '#src/local/probe/report.ts'

/**
 * The facts that the check on this device found, as labels and words; only what is known.
 * @param report null when the video was not checked on this device
 */
export function videoFacts(
  sizeBytes: number,
  report: ProbeReport | null,
): readonly (readonly [string, string])[] {
  const video = report?.video ?? null
  return [
    ['Size', formatBytes(sizeBytes)],
    ...(report === null || report.durationMs === null
      ? []
      : [['Length', lengthWords(report.durationMs)] as const]),
    ...(video === null
      ? []
      : [['Resolution', `${video.displayWidth} × ${video.displayHeight}`] as const]),
    ...(report === null || video === null ? [] : [['Sound', soundWords(report.audio)] as const]),
    ...(video === null || video.rotation === 0
      ? []
      : [['Rotation', `Shown rotated by ${video.rotation}°`] as const]),
  ]
}

function soundWords(audio: ProbeReport['audio']): string {
  if (audio === null) return 'No sound'
  return audio.channels === 1
    ? 'Mono'
    : audio.channels === 2
      ? 'Stereo'
      : `${audio.channels} channels`
}
