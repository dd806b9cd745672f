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
  /** The screen offers that the browser sends the rest on its own (Background Fetch). */
  readonly isHandOverOffered: boolean
}

const DO_NOT_CLOSE = 'In progress: Please do not close the page while uploading.'
const CHOOSE_AGAIN_LATER =
  'This browser does not keep the file. If you close this page, you will have to choose the file again. What is safe stays safe.'
const STOPS = 'In progress. Nothing is sent while this page is closed;'
const OR_IN_BACKGROUND = " To finish without this page, choose 'Finish in the background'."

/**
 * The sentence that says what closing the page does on this browser
 * (docs/product-decisions.md#resuming-uploads). Null when there is nothing to lose or to promise.
 */
export function closingWords(facts: ClosingFacts): string | null {
  switch (facts.state) {
    case 'preparing':
    case 'queued':
    case 'uploading':
    case 'waiting':
    case 'finalising':
      return whileSending(facts)
    case 'paused':
    case 'needs-auth':
      return facts.kept === 'nowhere' ? CHOOSE_AGAIN_LATER : null
    case 'handed-over':
      return 'You can close this page. Your browser sends the rest while it runs, and goes on after a restart; what it cannot send continues when you come back.'
    case 'draft':
    case 'handing-over':
    case 'needs-permission':
    case 'needs-file':
    case 'conflict':
    case 'verifying':
    case 'done':
    case 'expired':
    case 'discarding':
    case 'discarded':
    case 'failed':
      return null
  }
}

/** What was measured in Chromium 156: docs/decisions/0023. */
function whileSending(facts: ClosingFacts): string {
  const instead = facts.isHandOverOffered ? OR_IN_BACKGROUND : ''
  if (facts.kept === 'nowhere') return `${DO_NOT_CLOSE}${instead}`
  if (facts.kept === 'handle' && !facts.isInstalled)
    return `${STOPS} the upload continues when you come back and allow the browser to read the file.${instead}`
  // Never promise more: a sync event lives for three minutes and comes three times at most.
  return facts.hasBackgroundSync
    ? `In progress. If you close this page, this browser keeps uploading for a few minutes; the rest continues when you come back.${instead}`
    : `${STOPS} the upload continues when you come back.${instead}`
}
