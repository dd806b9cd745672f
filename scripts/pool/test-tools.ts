import { join } from 'node:path'
import {
  bubblewrap,
  chromium,
  ensureTool,
  ffmpeg,
  firefox,
  headlessShell,
  tryTool,
} from '#scripts/ensure-tools.ts'
import { projectRoot } from '#scripts/project-root.ts'

/**
 * Finds or installs what tests need beside npm's packages, and returns the variables that name it.
 * Throws `ToolMissing`.
 */
export function ensureTestTools(): Readonly<Record<string, string>> {
  ensureTool(ffmpeg)
  if (process.platform === 'linux') tryTool(bubblewrap)
  const shell = tryTool(headlessShell)
  return {
    ...(shell === null ? {} : { HEADLESS_SHELL_PATH: shell }),
    CHROMIUM_PATH: ensureTool(chromium),
    FIREFOX_PATH: ensureTool(firefox),
    // Dozens of tests start servers, which spend a third of their start on compiling.
    NODE_COMPILE_CACHE: join(projectRoot, 'node_modules/.cache/onecut/compiled'),
  }
}
