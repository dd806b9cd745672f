import { answerWith, lockedAnswer } from './kept-answer.ts'
import { keptFileOf, type KeptFileAddress } from '#src/config/paths.ts'
import { browserFiles } from '#src/local/db/account-files.ts'
import { askForKeys } from '#src/local/db/asked-keys.ts'

/**
 * Answers with kept files that are sealed, opened on their way, so that a player seeks in a long
 * one without all of it in memory. The keys come from a page that is unlocked, for each answer.
 */
export function serveKeptFiles(scope: ServiceWorkerGlobalScope): void {
  scope.addEventListener('fetch', (event) => {
    const { method, url, headers } = event.request
    const asked = method === 'GET' ? keptFileOf(new URL(url)) : null
    if (asked === null) return
    event.stopImmediatePropagation()
    event.respondWith(answer(scope, asked, headers.get('range')))
  })
}

async function answer(
  scope: ServiceWorkerGlobalScope,
  asked: KeptFileAddress,
  range: string | null,
): Promise<Response> {
  const pages = await scope.clients.matchAll({ type: 'window', includeUncontrolled: true })
  const keys = await askForKeys(pages, asked.userId)
  const openFiles = browserFiles()
  if (keys === null || openFiles === null) return lockedAnswer()
  return answerWith(openFiles, keys, asked, range)
}
