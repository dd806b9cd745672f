import type { Finding } from './facts.ts'
import { worstFirst } from './quick-rules.ts'
import { namedTracks } from './tracks.ts'

/**
 * What the server always measures itself, so that its silence about them is an answer. It does not
 * listen, look at pictures or know other uploads.
 */
const DECIDED_ON_ARRIVAL: ReadonlySet<string> = new Set([
  'A10',
  'A12',
  'A13',
  'A14',
  'A15',
  'A17',
  'A18',
  'A19',
  'B10',
])

/** What speaks of one sound: how it lies to the picture, and how loud it is. */
const OF_SOUND: ReadonlySet<string> = new Set(['B2', 'B3'])

/**
 * What is shown of a video that arrived: each rule speaks once, and where both looked, the server's
 * word counts. `arrived` null: the server has not looked yet. Pure; also what the device could not
 * check becomes known here.
 */
export function mergeFindings(
  onDevice: readonly Finding[],
  arrived: readonly Finding[] | null,
): readonly Finding[] {
  if (arrived === null) return worstFirst(onDevice)
  const spoken = new Set(arrived.map((finding) => finding.ruleId))
  const [theirs, own] = [namedTracks(arrived), namedTracks(onDevice)]
  const isOtherSound = theirs !== null && own !== null && theirs.sound !== own.sound
  return worstFirst([
    ...arrived,
    ...onDevice.filter(
      (finding) =>
        !spoken.has(finding.ruleId) &&
        !isSettled(finding) &&
        // The server heard all of the sounds and took another one than this device judged.
        !(isOtherSound && OF_SOUND.has(finding.ruleId)),
    ),
  ])
}

function isSettled({ ruleId, facts }: Finding): boolean {
  const isAbsence = facts['fault'] === 'none' || facts['fault'] === 'unreadable'
  return DECIDED_ON_ARRIVAL.has(ruleId) || (ruleId === 'B2' && isAbsence)
}
