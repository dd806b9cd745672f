/**
 * `npm start`: finds or installs ffmpeg, builds the app and the server when they changed, and runs
 * the server with everything in one process.
 */
import { enableCompileCache } from 'node:module'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { buildApp } from '#scripts/build-app.ts'
import { buildServer } from '#scripts/build-server.ts'
import { ensureMediaTools, ToolMissing } from '#scripts/ensure-tools.ts'
import { projectRoot } from '#scripts/project-root.ts'
import { readSettings, SettingError } from '#server/env.ts'

try {
  // Report a wrong setting before the build.
  const settings = readSettings(process.env)
  if (settings.ffmpegPath === null) ensureMediaTools()
  await buildApp()
  const server = await buildServer()
  // Logs name the sources, and the next start finds the bundle compiled.
  process.setSourceMapsEnabled(true)
  enableCompileCache(join(projectRoot, 'node_modules/.cache/onecut/compiled'))
  await import(pathToFileURL(server).href)
} catch (error) {
  if (error instanceof SettingError || error instanceof ToolMissing)
    process.stderr.write(`${error.message}\n`)
  else process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  process.exitCode = 2
}
