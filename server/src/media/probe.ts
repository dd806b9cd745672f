import { err, ok, type Result } from '#recipes/result.ts'
import { runConfined } from '#server/media/confined.ts'
import { GLANCE_CPU_S, GLANCE_WALL_MS, PROBE_MEMORY_BYTES } from '#server/media/cost.ts'
import type { Ffmpeg } from '#server/media/ffmpeg.ts'
import {
  parseProbe,
  toFileProbe,
  withTurn,
  type FileProbe,
  type ProbeJson,
} from '#server/media/file-probe.ts'
import { HOSTILE_INPUT_FLAGS } from '#server/media/formats.ts'
import { machineFault } from '#server/media/process.ts'

/** The file is nothing that ffprobe can or may open; `detail` is for support. */
export interface ProbeFailure {
  readonly code: 'media/unreadable'
  readonly detail: string
}

/** More than a thousand streams need; of 80 MB of tags 160 would be printed. */
const MAX_DESCRIPTION_CHARS = 2 << 20

/**
 * Reads headers only; a hostile file gets 30 s of processor time. `fileName` is the creator's and
 * only passed on. Rejects when aborted, and with a `ToolFault` when the machine ended ffprobe or
 * was too slow for it.
 * @param inputFlags what may be opened; the default is for files of strangers
 */
export async function probeFile(
  ffmpeg: Ffmpeg,
  path: string,
  fileName: string,
  cwd: string,
  signal: AbortSignal,
  inputFlags: readonly string[] = HOSTILE_INPUT_FLAGS,
): Promise<Result<FileProbe, ProbeFailure>> {
  const file = { path, cwd, signal, inputFlags }
  const described = await describe(ffmpeg, file, ['-show_format', '-show_streams'])
  if (!described.ok) return described
  const probe = toFileProbe(described.value, fileName)
  if (probe === null) return err(neither)
  // How a photograph was held stands in its picture, not in its stream. What the server wrote
  // itself is not turned.
  const isPhotograph = probe.kind === 'image' && probe.source.videoCodec === 'mjpeg'
  if (!isPhotograph || inputFlags !== HOSTILE_INPUT_FLAGS) return ok(probe)
  const turned = await describe(ffmpeg, file, ['-show_entries', 'frame_side_data=rotation'])
  const frames = turned.ok ? turned.value.frames : []
  return ok(toFileProbe(withTurn(described.value, frames), fileName) ?? probe)
}

const neither: ProbeFailure = { code: 'media/unreadable', detail: 'neither picture nor sound' }

interface Described {
  readonly path: string
  readonly cwd: string
  readonly signal: AbortSignal
  readonly inputFlags: readonly string[]
}

async function describe(
  ffmpeg: Ffmpeg,
  { path, cwd, signal, inputFlags }: Described,
  entries: readonly string[],
): Promise<Result<ProbeJson, ProbeFailure>> {
  let output = ''
  const end = await runConfined(ffmpeg, {
    tool: 'ffprobe',
    args: (seen) => [
      '-v',
      'error',
      ...inputFlags,
      '-print_format',
      'json',
      ...entries,
      '-i',
      seen(path),
    ],
    limits: { maxFileBytes: 0, cpuSeconds: GLANCE_CPU_S, memoryBytes: PROBE_MEMORY_BYTES },
    cwd,
    signal,
    timeoutMs: GLANCE_WALL_MS,
    maxOutputChars: MAX_DESCRIPTION_CHARS,
    onOutput: (text) => {
      output += text
    },
  })
  const fault = machineFault(end)
  if (fault !== null) throw fault
  if (end.kind !== 'done')
    return err({ code: 'media/unreadable', detail: `${end.kind}: ${end.stderrTail}` })
  const parsed = parseProbe(output)
  return parsed === null
    ? err({ code: 'media/unreadable', detail: 'ffprobe wrote no JSON' })
    : ok(parsed)
}
