export { namingSound } from '#checks/tracks.ts'
import type { ProbeReport } from './report.ts'

/**
 * What a report says of its video when another of its sounds is chosen; the report itself where it
 * does not know that sound. Pure.
 * @param sound among all sounds of the file, from 0; null = none is chosen
 */
export function withSound(report: ProbeReport, sound: number | null): ProbeReport {
  const other = report.sounds?.find(({ number }) => number === sound)
  if (other === undefined) return report
  return {
    ...report,
    taken: { picture: report.taken?.picture ?? 0, sound: other.number },
    // The rate is not known, and 0 says so.
    audio: { codec: other.codec, channels: other.channels, sampleRate: 0 },
  }
}
