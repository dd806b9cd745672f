import { mkdtemp, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import * as v from 'valibot'
import { runConfined, type Tools } from '#server/media/confined.ts'
import { GLANCE_CPU_S } from '#server/media/cost.ts'
import type { Ffmpeg } from '#server/media/ffmpeg.ts'

/** What an ffmpeg can do. */
export type Abilities = Pick<Ffmpeg, 'version' | 'filters' | 'encoders'>

const names = v.pipe(
  v.array(v.string()),
  v.transform((list): ReadonlySet<string> => new Set(list)),
)
/** The answers of one pair of programs, as they are kept in the data folder. */
const keptSchema = v.object({
  /** Paths, sizes and times of change. */
  programs: v.string(),
  abilities: v.object({ version: v.string(), filters: names, encoders: names }),
})

/** By path and time of change. */
const known = new Map<string, Abilities>()

/**
 * What these tools can do. Asking takes four processes and 0.35 s of a processor, a fifth of a
 * start, so the answers are kept in the data folder for as long as neither program changes. The
 * confinement is not kept: a new kernel or container may refuse what worked before. Throws what the
 * tools said where they cannot be asked.
 * @param dataDir absolute, and there
 */
export async function abilitiesOf(tools: Tools, dataDir: string): Promise<Abilities> {
  const programs = await describePrograms(tools)
  const file = join(dataDir, 'ffmpeg.json')
  const abilities = known.get(programs) ?? (await readKept(file, programs))
  if (abilities !== null) return remember(programs, abilities)
  const asked = await inspect(tools, dataDir)
  await keep(file, programs, asked)
  return remember(programs, asked)
}

function remember(programs: string, abilities: Abilities): Abilities {
  known.set(programs, abilities)
  return abilities
}

async function describePrograms({ ffmpegPath, ffprobePath }: Tools): Promise<string> {
  const each = await Promise.all(
    [ffmpegPath, ffprobePath].map(async (path) => {
      const { size, mtimeMs } = await stat(path)
      return `${path} ${size} ${mtimeMs}`
    }),
  )
  return each.join('\n')
}

/** Null where nothing usable is kept of these programs. */
async function readKept(file: string, programs: string): Promise<Abilities | null> {
  try {
    const kept = v.parse(keptSchema, JSON.parse(await readFile(file, 'utf8')))
    return kept.programs === programs ? kept.abilities : null
  } catch {
    return null
  }
}

/** A start whose answers cannot be kept only asks again the next time. */
async function keep(file: string, programs: string, abilities: Abilities): Promise<void> {
  const lists = { filters: [...abilities.filters], encoders: [...abilities.encoders] }
  const unfinished = `${file}.${process.pid}`
  try {
    const text = JSON.stringify({ programs, abilities: { ...abilities, ...lists } })
    await writeFile(unfinished, text, { mode: 0o600 })
    await rename(unfinished, file)
  } catch {
    await rm(unfinished, { force: true })
  }
}

async function inspect(tools: Tools, dataDir: string): Promise<Abilities> {
  const [banner, filterList, encoderList] = await Promise.all([
    ask(tools, dataDir, 'ffmpeg', '-version'),
    ask(tools, dataDir, 'ffmpeg', '-filters'),
    ask(tools, dataDir, 'ffmpeg', '-encoders'),
    ask(tools, dataDir, 'ffprobe', '-version'),
  ])
  // Lines look like ` T.C gblur   V->V  Apply ...` and ` V....D libx264  libx264 H.264 ...`.
  return {
    version: /^ffmpeg version (\S+)/.exec(banner)?.[1] ?? '',
    filters: new Set(
      [...filterList.matchAll(/^ [T.][S.][C.]? +(\w+) /gm)].map((match) => match[1] ?? ''),
    ),
    encoders: new Set(
      [...encoderList.matchAll(/^ [VAS][F.][S.][X.][B.][D.] (\S+) /gm)].map(
        (match) => match[1] ?? '',
      ),
    ),
  }
}

async function ask(
  tools: Tools,
  dataDir: string,
  tool: 'ffmpeg' | 'ffprobe',
  flag: string,
): Promise<string> {
  const cwd = await mkdtemp(join(dataDir, 'question-'))
  try {
    let answer = ''
    const end = await runConfined(tools, {
      tool,
      args: () => ['-hide_banner', flag],
      limits: { maxFileBytes: 0, cpuSeconds: GLANCE_CPU_S },
      cwd,
      signal: new AbortController().signal,
      timeoutMs: 60_000,
      onOutput: (text) => {
        answer += text
      },
    })
    if (end.kind !== 'done') throw new Error(`${end.kind}: ${end.stderrTail}`)
    return answer
  } finally {
    await rm(cwd, { recursive: true, force: true })
  }
}
