/**
 * `npm start`: finds or installs ffmpeg, builds the app when it changed, and runs the server with
 * everything in one process.
 */
import { buildApp } from '#scripts/build-app.ts'
import { ensureMediaTools, ToolMissing } from '#scripts/ensure-tools.ts'
import { readSettings, SettingError } from '#server/env.ts'

try {
  // Report a wrong setting before the build.
  const settings = readSettings(process.env)
  if (settings.ffmpegPath === null) ensureMediaTools()
  await buildApp()
  await import('#server/main.ts')
} catch (error) {
  if (error instanceof SettingError || error instanceof ToolMissing)
    process.stderr.write(`${error.message}\n`)
  else process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
  process.exitCode = 2
}
