import { onTestFinished } from 'vitest'

/** Watches, until the test ends, whether words ever stand on the page, even if for one picture. */
export function watchForWords(words: string): () => boolean {
  let isSeen = false
  const observer = new MutationObserver(() => {
    isSeen ||= document.body.textContent.includes(words)
  })
  observer.observe(document.body, { subtree: true, childList: true, characterData: true })
  onTestFinished(() => observer.disconnect())
  return () => isSeen
}
