import type { Finding } from './facts.ts'
import { worstFirst } from './quick-rules.ts'

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
  'B10',
])

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
  return worstFirst([
    ...arrived,
    ...onDevice.filter((finding) => !spoken.has(finding.ruleId) && !isSettled(finding)),
  ])
}

function isSettled({ ruleId, facts }: Finding): boolean {
  return DECIDED_ON_ARRIVAL.has(ruleId) || (ruleId === 'B2' && facts['fault'] === 'none')
}
