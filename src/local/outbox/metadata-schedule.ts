import {
  METADATA_POLL_ENDS_AFTER_MS,
  METADATA_POLL_FIRST_MS,
  METADATA_POLL_MAX_MS,
} from '#spec/numbers.ts'

const GROWTH = 1.5
/** Up to a fifth longer, so that many clients do not ask in step. */
const JITTER = 0.2

export interface PollHistory {
  /** Answers of "still processing" so far. */
  readonly polls: number
  /** Sum of the waits so far; time while hidden does not count, since polling is paused then. */
  readonly polledForMs: number
}

/**
 * When to ask again for the measure of an upload: 3 s growing to 30 s with jitter; null
 * after 10 minutes, when the creator is told and may refresh.
 * @param random 0 <= random < 1
 */
export function nextMetadataPollMs(history: PollHistory, random: number): number | null {
  if (history.polledForMs >= METADATA_POLL_ENDS_AFTER_MS) return null
  const base = METADATA_POLL_FIRST_MS * GROWTH ** Math.min(history.polls, 20)
  return Math.round(Math.min(METADATA_POLL_MAX_MS, base * (1 + JITTER * random)))
}
