import { access, constants } from 'node:fs/promises'
import { delimiter, dirname, join } from 'node:path'
import { abilitiesOf, type Abilities } from '#server/media/abilities.ts'
import { chooseConfinement, type Choice, type Refused } from '#server/media/confinement/choose.ts'
import type { ToolRunner } from '#server/media/confined.ts'
import { canStart } from '#server/media/confinement/reachable.ts'
import type { Ffmpeg } from '#server/media/ffmpeg.ts'

/** Where to look; both paths come from the environment and win over PATH when set. */
export interface FfmpegLocation {
  readonly ffmpegPath: string | null
  readonly ffprobePath: string | null
  readonly searchPath: string
  /** Absolute, and there: what the tools can do is kept in it. */
  readonly dataDir: string
  /** Where they will work: what confines them is tried there; `dataDir` where it is left out. */
  readonly scratchDir?: string
  readonly runner?: ToolRunner
}

/** What was found, and which stronger confinements this machine refused. */
export interface FfmpegFound {
  readonly ffmpeg: Ffmpeg
  readonly refused: readonly Refused[]
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

/**
 * Finds an ffmpeg that is new enough and has what every edit needs, and the strongest confinement
 * in which it works here; or says what is wrong. It never runs as root, not even to be asked.
 */
export async function resolveFfmpeg(
  location: FfmpegLocation,
): Promise<FfmpegFound | FfmpegMissing> {
  const find = (name: string): Promise<string | null> => onPath(name, location.searchPath)
  const ffmpegPath = location.ffmpegPath ?? (await find('ffmpeg'))
  if (ffmpegPath === null) return missing(`ffmpeg was not found. ${FIX}`)
  const beside = join(dirname(ffmpegPath), 'ffprobe')
  const ffprobePath =
    location.ffprobePath ?? ((await isExecutable(beside)) ? beside : await find('ffprobe'))
  if (ffprobePath === null) return missing(`ffprobe was not found beside ${ffmpegPath}. ${FIX}`)
  const { dataDir, scratchDir = dataDir } = location
  const search = { ...location, ffmpegPath, ffprobePath, dataDir: scratchDir, find }
  const choice = await chooseConfinement(search)
  if (choice.confinement === null) return unusable(ffmpegPath, choice.refused.at(-1)?.reason)
  try {
    const abilities = await abilitiesOf(choice, dataDir)
    const canRunNode = await canStart(choice.confinement, process.execPath)
    return accept(choice, { ...abilities, canRunNode })
  } catch (error) {
    return unusable(ffmpegPath, error instanceof Error ? error.message : undefined)
  }
}

function accept(
  choice: Choice,
  abilities: Abilities & Pick<Ffmpeg, 'canRunNode'>,
): FfmpegFound | FfmpegMissing {
  const { version, encoders } = abilities
  if (isTooOld(version))
    return missing(`ffmpeg ${version} is too old; ${OLDEST.join('.')} or newer is needed. ${FIX}`)
  const lacking = ENCODERS.filter((name) => !encoders.has(name))
  if (lacking.length > 0)
    return missing(`${choice.ffmpegPath} lacks ${lacking.join(' and ')}. ${FIX}`)
  const { refused, ...tools } = choice
  return { ffmpeg: { ...tools, ...abilities }, refused }
}

function unusable(ffmpegPath: string, reason = 'it gave no reason'): FfmpegMissing {
  return missing(`${ffmpegPath} could not be run (${reason.split('\n')[0]}). ${FIX}`)
}

/** Builds from the development branch are named `N-12345-g...`; they are new. */
function isTooOld(version: string): boolean {
  const match = /^n?(\d+)\.(\d+)/.exec(version)
  if (match === null) return false
  const [major, minor] = [Number(match[1]), Number(match[2])]
  return major < OLDEST[0] || (major === OLDEST[0] && minor < OLDEST[1])
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
