/** Loads what makes the front page answer, once it has been seen ([Note: front page]). */
import '#src/styles/index.css'
import { firstPicture } from '#src/app/shell/first-picture.ts'

/** A picture that does not come must not hold up the buttons. */
const LONGEST_WAIT_MS = 2000

await heroPicture()
await firstPicture()
await import('./front.tsx')

/** Resolves when the largest picture is here: the script would share the line with it. */
async function heroPicture(): Promise<void> {
  const poster = document.querySelector<HTMLVideoElement>('video[poster]')?.poster
  if (poster === undefined) return
  const picture = new Image()
  picture.src = poster
  const longest = new Promise((resolve) => setTimeout(resolve, LONGEST_WAIT_MS))
  // One that fails is shown as the ground behind it.
  await Promise.race([picture.decode().catch(() => undefined), longest])
}
