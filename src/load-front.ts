/** Loads what makes the front page answer, once it has been seen ([Note: front page]). */
import '#src/styles/index.css'
import { firstPicture } from '#src/app/shell/first-picture.ts'

await firstPicture()
await import('./front.tsx')
