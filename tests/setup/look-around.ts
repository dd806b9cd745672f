import { once } from 'node:events'
import {
  access,
  chmod,
  constants,
  mkdir,
  mkdtemp,
  readdir,
  rm,
  stat,
  writeFile,
} from 'node:fs/promises'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { runConfined, type Tools } from '#server/media/confined.ts'
import { offeredConfinements, tryConfinement } from '#server/media/confinement/choose.ts'
import type { Confinement } from '#server/media/confinement/methods.ts'
import { sharedPlaces } from '#server/media/confinement/sight.ts'
import { createLauncher } from '#server/media/tool-launcher.ts'
import { patience } from './patience.ts'

/** What a program saw and could do in the place of ffmpeg. */
export interface Look {
  readonly kind: Confinement['kind']
  /** A filter of system calls keeps user namespaces from it. */
  readonly isFiltered: boolean
  /** Null where the tool ran; else why this machine cannot run it so. */
  readonly refusal: string | null
  /** Lines of /proc/self/status: ids, rights, no_new_privs. */
  readonly status: Readonly<Record<string, string>>
  /** Soft and hard limit by the names of /proc/self/limits. */
  readonly limits: Readonly<Record<string, string>>
  /** What worked, of the attempts in `SCRIPT`. */
  readonly worked: readonly string[]
  /** What the folder holds after the run. */
  readonly left: readonly string[]
  /** Bytes of a file that the tool tried to make larger than it may. */
  readonly bigBytes: number
  /** How often something connected to the listener of this machine. */
  readonly connections: number
}

/** `$1` is the input, `$2` a file of the server's, `$3` another file of the input's folder. */
const SCRIPT = `
try() { if "\${@:2}" >/dev/null 2>&1; then echo "worked $1"; fi; }
write() { echo x >> "$1"; }
connect() { exec 3<>/dev/tcp/127.0.0.1/$1; }
try reads-input cat "$1"
try writes-input write "$1"
try reads-secret cat "$2"
try reads-neighbour cat "$3"
try reads-passwd cat /etc/passwd
try writes-folder write result
head -c 9000 /dev/zero > big 2>/dev/null
try writes-elsewhere write /tmp/onecut-look-$$
try writes-memory write /dev/shm/onecut-look-$$
try sees-server grep -aq . /proc/$5/cmdline
try connects connect "$4"
try makes-namespaces unshare --user true
ln -s /etc/shadow link
mkdir inner
sed 's/^/status /' /proc/self/status
sed 's/^/limit /' /proc/self/limits
`

const LIMITS = { maxFileBytes: 4096, cpuSeconds: 7 }

/** Runs a shell in the place of ffmpeg under each confinement that this machine has helpers for. */
export async function lookAround(): Promise<readonly Look[]> {
  const looks: Look[] = []
  for (const confinement of await offeredConfinements(onPath)) looks.push(await look(confinement))
  return looks
}

/** It begins with the first look. */
const launcher = createLauncher()

async function look(confinement: Confinement): Promise<Look> {
  const dataDir = await mkdtemp(join(tmpdir(), 'onecut-look-'))
  await chmod(dataDir, 0o711)
  const listener = createServer((socket) => socket.destroy())
  let connections = 0
  listener.on('connection', () => {
    connections += 1
  })
  listener.listen(0, '127.0.0.1')
  await once(listener, 'listening')
  try {
    // As a server does it.
    const tools = { ...(await shellUnder(confinement)), launcher }
    const [store, folder] = [join(dataDir, 'store'), join(dataDir, 'folder')]
    const [input, neighbour, secret] = [
      join(store, 'input'),
      join(store, 'neighbour'),
      join(dataDir, 'secret'),
    ]
    await mkdir(store, { mode: 0o700 })
    await mkdir(folder)
    await writeFile(input, 'input', { mode: 0o600 })
    await writeFile(neighbour, 'neighbour')
    await writeFile(secret, 'secret', { mode: 0o600 })
    const refusal = await tryConfinement(await mediaTools(confinement), dataDir)
    let output = ''
    if (refusal === null)
      await runConfined(tools, {
        tool: 'ffmpeg',
        args: (seen) => [
          '-c',
          SCRIPT,
          'bash',
          seen(input),
          secret,
          neighbour,
          String((listener.address() as AddressInfo).port),
          String(process.pid),
        ],
        limits: LIMITS,
        cwd: folder,
        signal: AbortSignal.timeout(patience(30)),
        timeoutMs: 30_000,
        onOutput: (text) => {
          output += text
        },
      })
    return {
      kind: confinement.kind,
      isFiltered: confinement.kind === 'bubblewrap' && confinement.filter !== null,
      refusal,
      ...read(output),
      left: (await readdir(folder)).toSorted(),
      bigBytes: await stat(join(folder, 'big')).then(
        ({ size }) => size,
        () => 0,
      ),
      connections,
    }
  } finally {
    listener.close()
    await rm(dataDir, { recursive: true, force: true })
  }
}

function read(output: string): Pick<Look, 'status' | 'limits' | 'worked'> {
  const lines = output.split('\n')
  const those = (word: string): string[] =>
    lines.filter((line) => line.startsWith(`${word} `)).map((line) => line.slice(word.length + 1))
  return {
    worked: those('worked'),
    status: Object.fromEntries(
      those('status').map((line) => [
        line.split(':')[0] ?? '',
        line.slice(line.indexOf(':') + 1).trim(),
      ]),
    ),
    limits: Object.fromEntries(
      those('limit').map((line) => {
        const [name = '', soft = '', hard = ''] = line.split(/\s{2,}/)
        return [name, `${soft} ${hard}`]
      }),
    ),
  }
}

/** A shell in the place of ffmpeg. */
export async function shellUnder(confinement: Confinement): Promise<Tools> {
  const bash = (await onPath('bash')) ?? '/bin/bash'
  return { ffmpegPath: bash, ffprobePath: bash, confinement, shared: await sharedPlaces([bash]) }
}

/** The machine's own ffmpeg under a confinement. */
export async function mediaTools(confinement: Confinement): Promise<Tools> {
  const [ffmpegPath, ffprobePath] = [await onPath('ffmpeg'), await onPath('ffprobe')]
  if (ffmpegPath === null || ffprobePath === null) throw new Error('This machine has no ffmpeg')
  const shared = await sharedPlaces([ffmpegPath, ffprobePath, process.execPath])
  return { ffmpegPath, ffprobePath, confinement, shared }
}

export async function onPath(name: string): Promise<string | null> {
  for (const folder of (process.env['PATH'] ?? '').split(delimiter)) {
    const path = join(folder, name)
    if (
      await access(path, constants.X_OK).then(
        () => true,
        () => false,
      )
    )
      return path
  }
  return null
}
