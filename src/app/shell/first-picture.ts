import { nextTask } from '#src/lib/next-task.ts'

/** A tab that goes behind another one before its first picture gets no frame. */
const LONGEST_WAIT_MS = 300

/**
 * Resolves when the page that the document brought has been shown. A script that starts earlier
 * shares the line and the processor with that picture: on a slow phone the largest words then stand
 * at 3 s instead of 1.5 (`npm run bench -- lighthouse`).
 */
export function firstPicture(): Promise<void> {
  if (document.hidden) return Promise.resolve()
  return new Promise((resolve) => {
    requestAnimationFrame(() => void nextTask().then(resolve))
    setTimeout(resolve, LONGEST_WAIT_MS)
  })
}
