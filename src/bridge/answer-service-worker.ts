import { answerForKeys } from '#src/local/db/asked-keys.ts'
import type { SealKeys } from '#src/local/db/seal.ts'

/** Gives the service worker the keys of an account while it asks. @param keysOf null: none here */
export function answerServiceWorker(keysOf: (userId: string) => SealKeys | null): void {
  if (!('serviceWorker' in navigator)) return
  navigator.serviceWorker.addEventListener('message', (event) => answerForKeys(event, keysOf))
  navigator.serviceWorker.startMessages()
}
