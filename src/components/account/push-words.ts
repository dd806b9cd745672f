import { serverProblemCopy } from '#src/components/problem/server-copy.ts'
import type { ApiFailure } from '#src/api/errors.ts'
import type { PushFailure } from '#src/hooks/device/use-pushes.ts'

/** What to do where the browser refuses messages. */
export const DENIED_WORDS =
  'Your browser does not let Onecut send messages. Allow notifications for this site in the settings of the browser, then come back to this page.'

const WORDS: Readonly<Record<PushFailure['code'], string>> = {
  'push/denied': DENIED_WORDS,
  'push/not-answered': 'The question of the browser was closed. Press again to be asked again.',
  'push/silent':
    'The message service of your browser does not answer. Check your connection and try again.',
  'push/failed':
    'Your browser did not allow it. In a private window, and while Onecut was never loaded completely, it cannot.',
}

/** Why this device is not told. */
export function pushFailureWords(failure: ApiFailure | PushFailure): string {
  return isOfDevice(failure) ? WORDS[failure.code] : serverProblemCopy(failure).title
}

function isOfDevice(failure: ApiFailure | PushFailure): failure is PushFailure {
  return failure.code in WORDS
}
