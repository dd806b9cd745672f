/**
 * What this device finds in its own file, as the page and the media worker speak of it.
 */
import type { ProbeFailure } from '#src/local/probe/report.ts'
import type { Moment } from '#recipes/types.ts'

/** The moments of a video, found by this device. */
export interface FoundMoments {
  readonly moments: readonly Moment[]
  /** Of a long video less is looked at than the server would, so that it ends in a minute. */
  readonly isQuick: boolean
}

export type FindFailure =
  | ProbeFailure
  /** This browser decodes no video at all, or not this one. */
  | { readonly code: 'find/no-decoder' }
  /** The fast reader does not know this kind of file. */
  | { readonly code: 'find/unknown-file' }
  /** The decoder gave up, or nothing could be seen. */
  | { readonly code: 'find/nothing-seen' }
