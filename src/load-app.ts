/** Loads the app once its shell has been seen ([Note: shell]). */
import '#src/styles/index.css'
import { firstPicture } from '#src/app/shell/first-picture.ts'

await firstPicture()
await import('./main.tsx')
