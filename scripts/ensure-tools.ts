import { spawnSync, type SpawnSyncOptions } from 'node:child_process'
import { accessSync, constants } from 'node:fs'
import { delimiter, join } from 'node:path'

/** A program that npm does not have, and the Debian package that does. */
export interface Tool {
  readonly name: string
  readonly commands: readonly string[]
  readonly package: string
  readonly purpose: string
}

export const ffmpeg: Tool = {
  name: 'ffmpeg',
  commands: ['ffmpeg', 'ffprobe'],
  package: 'ffmpeg',
  purpose: 'makes the edits',
}
export const bubblewrap: Tool = {
  name: 'bubblewrap',
  commands: ['bwrap'],
  package: 'bubblewrap',
  purpose: 'confines ffmpeg',
}
export const chromium: Tool = {
  name: 'Chromium',
  commands: ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'],
  package: 'chromium',
  purpose: 'runs the browser tests',
}
export const headlessShell: Tool = {
  name: 'headless shell of Chromium',
  commands: ['chromium-headless-shell'],
  package: 'chromium-headless-shell',
  purpose: 'runs the screen tests in less time than Chromium',
}
export const firefox: Tool = {
  name: 'Firefox',
  commands: ['firefox-esr', 'firefox'],
  package: 'firefox-esr',
  purpose: 'runs the browser tests of Firefox',
}

/**
 * A tool is missing and cannot be installed. The message is one sentence with the command that
 * helps.
 */
export class ToolMissing extends Error {
  override readonly name = 'ToolMissing'
}

/**
 * ffmpeg needs all of its commands, a browser any one. Returns a path, or null if it is missing.
 */
function findTool(tool: Tool): string | null {
  const paths = tool.commands.map(onPath)
  const isComplete =
    tool === ffmpeg ? paths.every((path) => path !== null) : paths.some((path) => path !== null)
  return isComplete ? (paths.find((path) => path !== null) ?? null) : null
}

/** Finds a tool, or installs it by apt as root and prints one line. Throws `ToolMissing`. */
export function ensureTool(tool: Tool): string {
  const present = findTool(tool)
  if (present !== null) return present
  if (process.getuid?.() !== 0 || onPath('apt-get') === null)
    throw new ToolMissing(
      `${tool.name}, which ${tool.purpose}, was not found; install it and try again: ${adviceFor(tool)}.`,
    )
  process.stderr.write(`Installing ${tool.name}, which ${tool.purpose}…\n`)
  const options: SpawnSyncOptions = {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  }
  spawnSync('apt-get', ['-qq', 'update'], options)
  spawnSync('apt-get', ['-qq', 'install', '-y', '--no-install-recommends', tool.package], options)
  const installed = findTool(tool)
  if (installed === null)
    throw new ToolMissing(`${tool.name} could not be installed; try: ${adviceFor(tool)}.`)
  return installed
}

/**
 * Installs a tool where that is possible; without it, something works less well. Returns a path,
 * or null if it is missing.
 */
export function tryTool(tool: Tool): string | null {
  try {
    return ensureTool(tool)
  } catch (error) {
    if (!(error instanceof ToolMissing)) throw error
    return null
  }
}

/**
 * Finds or installs what makes the edits. Where ffmpeg has to be installed, so is what confines it:
 * not at each start, which a machine without packages would wait for.
 */
export function ensureMediaTools(): void {
  const isNew = findTool(ffmpeg) === null
  ensureTool(ffmpeg)
  if (isNew && process.platform === 'linux') tryTool(bubblewrap)
}

function adviceFor(tool: Tool): string {
  return process.platform === 'darwin'
    ? `brew install ${tool.package}`
    : `sudo apt-get install ${tool.package}`
}

function onPath(command: string): string | null {
  for (const folder of (process.env['PATH'] ?? '').split(delimiter)) {
    const path = join(folder, command)
    try {
      accessSync(path, constants.X_OK)
      return path
    } catch {
      // Not in this folder.
    }
  }
  return null
}
