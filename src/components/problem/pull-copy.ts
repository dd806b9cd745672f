import { asOfWords } from '#src/lib/time-words.ts'
import { PORTAL_ADVICE, serverProblemCopy } from './server-copy.ts'
import { API_MESSAGES, outageOf, type ApiFailure } from '#src/api/errors.ts'

/** What a screen says of a pull that failed. */
export type PullCopy =
  /** Nothing is wrong with what is shown, it is only not fresh. */
  | { readonly kind: 'not-fresh'; readonly text: string }
  | { readonly kind: 'partial'; readonly title: string; readonly body: string }
  | { readonly kind: 'missing'; readonly title: string; readonly body: string }
  /** Something else answers in the server's place: nothing is wrong with what was asked for. */
  | { readonly kind: 'blocked'; readonly title: string; readonly body: string }

/** A pull that failed, and how much of its subject this device has. */
export interface FailedPull {
  readonly failure: ApiFailure
  readonly hasData: boolean
  readonly asOfEpochMs: number | null
}

/**
 * The words for a failed pull. Rows of this device that could not be freshened are no failure while
 * the server is out of reach; they are when it refuses.
 * @param title what failed: 'Error loading edits'
 */
export function pullCopy(
  { failure, hasData, asOfEpochMs }: FailedPull,
  title: string,
  nowEpochMs: number,
): PullCopy {
  const { title: message, body } = serverProblemCopy(failure)
  const outage = outageOf(failure)
  const isOut = outage !== null
  if (!hasData && (outage === 'portal' || outage === 'foreign-answer'))
    return blocked(outage, title)
  if (!hasData) {
    const advice = isOut && body !== null ? ` ${body}` : ''
    return { kind: 'missing', title, body: `${sentence(message)}${advice}` }
  }
  const asOf = asOfEpochMs === null ? null : asOfWords(asOfEpochMs, nowEpochMs)
  const shown = asOf === null ? 'Showing what this device has' : `As of ${asOf}`
  if (isOut)
    return { kind: 'not-fresh', text: `${shown}. It is updated as soon as the server answers.` }
  const kept = asOf === null ? shown : `Showing what this device has, as of ${asOf}`
  return { kind: 'partial', title, body: `${sentence(message)} ${kept}.` }
}

const NOT_HERE = 'What belongs here is not on this device yet.'

function blocked(outage: 'portal' | 'foreign-answer', title: string): PullCopy {
  return outage === 'portal'
    ? { kind: 'blocked', title: API_MESSAGES.portal, body: `${NOT_HERE} ${PORTAL_ADVICE}` }
    : {
        kind: 'blocked',
        title,
        body: `${NOT_HERE} The server cannot be reached: something between it and this device answers in its place. It is safe to try again.`,
      }
}

function sentence(text: string): string {
  return text.replace(/\.?$/, '.')
}
