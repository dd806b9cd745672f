/** Loads the app once its shell has been seen ([Note: shell]). */
import '#src/styles/index.css'
import { firstPicture } from '#src/app/shell/first-picture.ts'
import { nextTask } from '#src/lib/next-task.ts'

await firstPicture()
const app = import('./main.tsx').catch((thrown: unknown) => {
  showFailure()
  throw thrown
})
await nextTask()
readLanguages()
await app

/**
 * Has the browser read its tables of languages, which takes 12 ms (48 on the throttled phone),
 * while the app is on its way. A library asks for them when it is loaded, and that task is too long
 * as is.
 */
function readLanguages(): void {
  Intl.DateTimeFormat.supportedLocalesOf('en-US')
}

function showFailure(): void {
  const failure = document.querySelector<HTMLTemplateElement>('template[data-load-failure]')
  const main = document.getElementById('main')
  if (failure === null || main === null) return
  main.replaceChildren(failure.content)
  main.removeAttribute('aria-busy')
}
