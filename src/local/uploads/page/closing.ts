import type { UploadState } from '#src/local/db/rows.ts'

/** The facts that decide what happens to an upload when its page closes. */
export interface ClosingFacts {
  readonly state: UploadState['kind']
  /** Where the bytes are besides this page's memory. */
  readonly kept: 'copy' | 'handle' | 'nowhere'
  /** An installed app reads its files again without asking. */
  readonly isInstalled: boolean
  /** The browser wakes the service worker (Background Sync). */
  readonly hasBackgroundSync: boolean
}

const DO_NOT_CLOSE = 'In progress: Please do not close the page while uploading.'
const CHOOSE_AGAIN_LATER =
  'This browser does not keep the file. If you close this page, you will have to choose the file again. What is safe stays safe.'
const CONTINUES_LATER = 'You can close this page; the upload continues when you come back.'

/**
 * The sentence that says what closing the page does on this browser
 * (docs/product-decisions.md#resuming-uploads). Null when there is nothing to lose or to promise.
 */
export function closingWords(facts: ClosingFacts): string | null {
  switch (facts.state) {
    case 'verifying':
      return 'You can close this page; the whole file has arrived.'
    case 'preparing':
    case 'queued':
    case 'uploading':
    case 'waiting':
    case 'finalising':
      return whileSending(facts)
    case 'paused':
    case 'needs-auth':
      return facts.kept === 'nowhere' ? CHOOSE_AGAIN_LATER : null
    case 'draft':
    case 'needs-permission':
    case 'needs-file':
    case 'conflict':
    case 'done':
    case 'expired':
    case 'discarding':
    case 'discarded':
    case 'failed':
      return null
  }
}

function whileSending({ kept, isInstalled, hasBackgroundSync }: ClosingFacts): string {
  if (kept === 'nowhere') return DO_NOT_CLOSE
  if (kept === 'handle' && !isInstalled)
    return `In progress. ${CONTINUES_LATER} The browser will then ask for permission to read the file.`
  // Never promise more than minutes: a sync event lives for three and comes three times at most.
  return `In progress. ${CONTINUES_LATER}${hasBackgroundSync ? ' Until then, this browser keeps uploading for a few minutes.' : ''}`
}
