/** The build as a job of `npm test`: what `npm start` builds, where it changed. */
import { buildApp } from '#scripts/build-app.ts'
import { buildServer } from '#scripts/build-server.ts'

await buildApp()
await buildServer()
