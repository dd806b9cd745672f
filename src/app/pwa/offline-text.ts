import type { Outage } from '#src/api/errors.ts'
import { asOfWords } from '#src/lib/time-words.ts'

const BEGINNINGS: Readonly<Record<Outage, string>> = {
  'no-answer': 'Offline.',
  'foreign-answer': 'The server cannot be reached right now.',
  portal: 'This network wants you to sign in first.',
}

/**
 * The words of the offline bar: what keeps the page from the server, with the time of what is
 * shown, and with the day when that was not today.
 * @param asOfEpochMs this device's clock, as is `nowEpochMs`; null when nothing of an account is
 * shown
 */
export function offlineText(
  outage: Outage,
  asOfEpochMs: number | null,
  nowEpochMs: number,
): string {
  const beginning = BEGINNINGS[outage]
  if (asOfEpochMs === null)
    return `${beginning} Features that need a connection work again when you are back online.`
  const end = outage === 'portal' ? '.' : ''
  return `${beginning} Showing what this device has, as of ${asOfWords(asOfEpochMs, nowEpochMs)}${end}`
}
