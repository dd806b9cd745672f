import { execFile } from 'node:child_process'
import { access, constants, stat } from 'node:fs/promises'
import { delimiter, dirname, join } from 'node:path'
import { promisify } from 'node:util'
import type { Ffmpeg } from '#server/media/ffmpeg.ts'

const run = promisify(execFile)

/** Where to look; both paths come from the environment and win over PATH when set. */
export interface FfmpegLocation {
  readonly ffmpegPath: string | null
  readonly ffprobePath: string | null
  readonly searchPath: string
}

/** Why media edits are off: a sentence for the operator. */
export interface FfmpegMissing {
  readonly code: 'media/ffmpeg-missing'
  readonly message: string
}

const OLDEST = [5, 1] as const
const ENCODERS = ['libx264', 'aac']
const FIX =
  'Install it (Debian and Ubuntu: apt install ffmpeg; macOS: brew install ffmpeg) or set FFMPEG_PATH.'

/** Capabilities by path and time of change; asking costs three processes. */
const known = new Map<string, Ffmpeg>()

/** Finds an ffmpeg that is new enough and has what every edit needs, or says what is wrong. */
export async function resolveFfmpeg(location: FfmpegLocation): Promise<Ffmpeg | FfmpegMissing> {
  const ffmpegPath = location.ffmpegPath ?? (await onPath('ffmpeg', location.searchPath))
  if (ffmpegPath === null) return missing(`ffmpeg was not found. ${FIX}`)
  const beside = join(dirname(ffmpegPath), 'ffprobe')
  const ffprobePath =
    location.ffprobePath ??
    ((await isExecutable(beside)) ? beside : await onPath('ffprobe', location.searchPath))
  if (ffprobePath === null) return missing(`ffprobe was not found beside ${ffmpegPath}. ${FIX}`)
  try {
    const key = [ffmpegPath, ffprobePath, (await stat(ffmpegPath)).mtimeMs].join('\n')
    const found = known.get(key) ?? (await inspect(ffmpegPath, ffprobePath, location.searchPath))
    if ('code' in found) return found
    known.set(key, found)
    return found
  } catch (error) {
    return missing(
      `${ffmpegPath} could not be run (${error instanceof Error ? error.message.split('\n')[0] : 'unknown'}). ${FIX}`,
    )
  }
}

async function inspect(
  ffmpegPath: string,
  ffprobePath: string,
  searchPath: string,
): Promise<Ffmpeg | FfmpegMissing> {
  const ask = async (path: string, flag: string): Promise<string> =>
    (await run(path, ['-hide_banner', flag], { maxBuffer: 4 << 20, timeout: 20_000 })).stdout
  const [banner, filterList, encoderList] = await Promise.all([
    ask(ffmpegPath, '-version'),
    ask(ffmpegPath, '-filters'),
    ask(ffmpegPath, '-encoders'),
    ask(ffprobePath, '-version'),
  ])
  const version = /^ffmpeg version (\S+)/.exec(banner)?.[1] ?? ''
  if (isTooOld(version))
    return missing(`ffmpeg ${version} is too old; ${OLDEST.join('.')} or newer is needed. ${FIX}`)
  // Lines look like ` T.C gblur   V->V  Apply ...` and ` V....D libx264  libx264 H.264 ...`.
  const filters = new Set(
    [...filterList.matchAll(/^ [T.][S.][C.]? +(\w+) /gm)].map((match) => match[1] ?? ''),
  )
  const encoders = new Set(
    [...encoderList.matchAll(/^ [VAS][F.][S.][X.][B.][D.] (\S+) /gm)].map(
      (match) => match[1] ?? '',
    ),
  )
  const lacking = ENCODERS.filter((name) => !encoders.has(name))
  if (lacking.length > 0) return missing(`${ffmpegPath} lacks ${lacking.join(' and ')}. ${FIX}`)
  return {
    ffmpegPath,
    ffprobePath,
    version,
    filters,
    encoders,
    launcher: await findLauncher(searchPath),
    hasPrlimit: (await onPath('prlimit', searchPath)) !== null,
  }
}

/** Builds from the development branch are named `N-12345-g...`; they are new. */
function isTooOld(version: string): boolean {
  const match = /^n?(\d+)\.(\d+)/.exec(version)
  if (match === null) return false
  const [major, minor] = [Number(match[1]), Number(match[2])]
  return major < OLDEST[0] || (major === OLDEST[0] && minor < OLDEST[1])
}

async function findLauncher(searchPath: string): Promise<string[]> {
  if (process.platform !== 'linux') return []
  const [setpriv, nice] = await Promise.all([
    onPath('setpriv', searchPath),
    onPath('nice', searchPath),
  ])
  return [
    ...(setpriv === null ? [] : [setpriv, '--pdeathsig', 'KILL']),
    ...(nice === null ? [] : [nice, '-n', '10']),
  ]
}

async function onPath(name: string, searchPath: string): Promise<string | null> {
  for (const folder of searchPath.split(delimiter).filter((each) => each !== '')) {
    const path = join(folder, process.platform === 'win32' ? `${name}.exe` : name)
    if (await isExecutable(path)) return path
  }
  return null
}

async function isExecutable(path: string): Promise<boolean> {
  return await access(path, constants.X_OK).then(
    () => true,
    () => false,
  )
}

function missing(message: string): FfmpegMissing {
  return { code: 'media/ffmpeg-missing', message }
}
