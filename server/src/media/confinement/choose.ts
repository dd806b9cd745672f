import { chmod, mkdir, mkdtemp, realpath, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { runConfined, type Tools } from '#server/media/confined.ts'
import { GLANCE_CPU_S } from '#server/media/cost.ts'
import { MEDIA_UID, type Confinement } from './methods.ts'
import { namespaceFilter } from './namespace-filter.ts'
import { sharedPlaces } from './sight.ts'

/** Where to look, and what for. */
export interface ConfinementSearch extends Pick<Tools, 'runner'> {
  readonly ffmpegPath: string
  readonly ffprobePath: string
  /** Absolute; the trials use a folder below it, because it may be closed to other users. */
  readonly dataDir: string
  /** The path of a helper program, or null. */
  readonly find: (name: string) => Promise<string | null>
}

/** What this machine offers: the tools with the strongest confinement in which they work. */
export interface Choice extends Tools {
  readonly refused: readonly Refused[]
}

/** A stronger confinement that does not work here, and why: the first line of what it said. */
export interface Refused {
  readonly kind: Confinement['kind']
  readonly reason: string
}

/**
 * Tries the confinements from the strongest to the weakest by converting a short sound under each.
 * Null when the tools work under none, or, where the server is root, only as root.
 */
export async function chooseConfinement(
  search: ConfinementSearch,
): Promise<Choice | { readonly refused: readonly Refused[]; readonly confinement: null }> {
  const { ffmpegPath, ffprobePath, runner } = search
  const given = runner === undefined ? {} : { runner }
  const shared = await sharedPlaces([ffmpegPath, ffprobePath, process.execPath])
  const refused: Refused[] = []
  for (const confinement of await offeredConfinements(search.find)) {
    const tools: Tools = { ffmpegPath, ffprobePath, shared, confinement, ...given }
    const reason = await tryConfinement(tools, search.dataDir)
    if (reason === null) return { ...tools, refused }
    refused.push({ kind: confinement.kind, reason })
  }
  return { refused, confinement: null }
}

/** The confinements whose helpers are there, the strongest first. */
export async function offeredConfinements(
  find: ConfinementSearch['find'],
): Promise<readonly Confinement[]> {
  const common = { uid: process.getuid?.() === 0 ? MEDIA_UID : null, nice: await find('nice') }
  const none: Confinement = { kind: 'none', ...common }
  if (process.platform !== 'linux') return [none]
  const [bwrap, unshare, setpriv, prlimit] = await Promise.all(
    ['bwrap', 'unshare', 'setpriv', 'prlimit'].map(find),
  )
  // One package has all three.
  if (typeof setpriv !== 'string' || typeof prlimit !== 'string') return [none]
  const helpers = { setpriv, prlimit, ...common }
  return [
    ...(typeof bwrap === 'string'
      ? filters().map((filter) => ({ kind: 'bubblewrap', filter, bwrap, ...helpers }) as const)
      : []),
    ...(typeof unshare === 'string' ? [{ kind: 'namespaces', unshare, ...helpers } as const] : []),
    { kind: 'limits', ...helpers },
    none,
  ]
}

/** With the filter of system calls where there is one for this machine, and without. */
function filters(): readonly (Buffer | null)[] {
  const filter = namespaceFilter()
  return filter === null ? [null] : [filter, null]
}

/**
 * Null when a sound is read outside of the tool's folder and written in it, else what went wrong.
 */
export async function tryConfinement(tools: Tools, dataDir: string): Promise<string | null> {
  const place = await mkdtemp(join(await realpath(dataDir), 'trial-'))
  try {
    const [closed, folder] = [join(place, 'closed'), join(place, 'folder')]
    // Other users may pass through to the folder, and into it alone, as in the data folder.
    await mkdir(closed, { mode: 0o700 })
    await mkdir(folder, { mode: 0o700 })
    await chmod(place, 0o711)
    const [input, output] = [join(closed, 'sound.wav'), join(folder, 'sound.wav')]
    await writeFile(input, SILENCE)
    const end = await runConfined(tools, {
      tool: 'ffmpeg',
      args: (seen) => ['-nostdin', '-v', 'error', '-i', seen(input), output],
      limits: { maxFileBytes: 1e6, cpuSeconds: GLANCE_CPU_S },
      cwd: folder,
      signal: AbortSignal.timeout(TRIAL_MS),
      timeoutMs: TRIAL_MS,
      onOutput: () => undefined,
    })
    if (end.kind === 'done' && (await stat(output)).size > SILENCE.length / 2) return null
    return end.stderrTail.trim().split('\n')[0] ?? end.kind
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  } finally {
    await rm(place, { recursive: true, force: true })
  }
}

/** A busy machine is slow; one that hangs must not hold the start up for ever. */
const TRIAL_MS = 60_000

/** A tenth of a second of silence: RIFF, 8-bit mono PCM at 8 kHz. */
const SILENCE = silence(800)

function silence(samples: number): Buffer {
  const header = Buffer.alloc(44)
  header.write('RIFF', 0)
  header.writeUInt32LE(36 + samples, 4)
  header.write('WAVEfmt ', 8)
  header.writeUInt32LE(16, 16)
  header.writeUInt16LE(1, 20)
  header.writeUInt16LE(1, 22)
  header.writeUInt32LE(8000, 24)
  header.writeUInt32LE(8000, 28)
  header.writeUInt16LE(1, 32)
  header.writeUInt16LE(8, 34)
  header.write('data', 36)
  header.writeUInt32LE(samples, 40)
  return Buffer.concat([header, Buffer.alloc(samples, 0x80)])
}
