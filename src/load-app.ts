/** Loads the app once its shell has been seen ([Note: shell]). */
import '#src/styles/index.css'
import { firstPicture } from '#src/app/shell/first-picture.ts'

await firstPicture()
await import('./main.tsx').catch((thrown: unknown) => {
  showFailure()
  throw thrown
})

function showFailure(): void {
  const failure = document.querySelector<HTMLTemplateElement>('template[data-load-failure]')
  const main = document.getElementById('main')
  if (failure === null || main === null) return
  main.replaceChildren(failure.content)
  main.removeAttribute('aria-busy')
}
