import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { err, ok, type Result } from '#recipes/result.ts'
import type { PlannedOutput, RecipePlan } from '#recipes/types.ts'
import { plannedResultMs, RESULT_MARGIN_MS } from '#server/media/bounds.ts'
import type { Ffmpeg } from '#server/media/ffmpeg.ts'
import { NAMED_INPUT_FLAGS } from '#server/media/formats.ts'
import { glance } from '#server/media/glance.ts'
import type { FileProbe } from '#server/media/file-probe.ts'
import { probeFile } from '#server/media/probe.ts'

/** Facts of a finished file that the user sees. */
interface OutputFacts {
  readonly sizeBytes: number
  readonly widthPx: number | null
  readonly heightPx: number | null
  readonly durationMs: number | null
}

/**
 * How much shorter a track may be than planned: pictures that keep their own times end up to two of
 * them early, and those of a GIF are rounded.
 */
const SHORTER_MS = 250

/** A file that a plan made, before the creator can see it. */
export interface MadeFile {
  readonly output: PlannedOutput
  /** How long each of its tracks is; null = it has no length. */
  readonly plannedMs: number | null
  readonly path: string
}

/** The files that a plan made in a folder. */
export function filesOf(plan: RecipePlan, folder: string): readonly MadeFile[] {
  return plan.outputs.map((output) => ({
    output,
    plannedMs: plannedResultMs(plan, output.name),
    path: join(folder, output.name),
  }))
}

/** A file that is as planned. */
export interface CheckedOutput {
  readonly file: MadeFile
  readonly facts: OutputFacts
}

/** The folder of the files, and what ends the check. */
interface Place {
  readonly cwd: string
  readonly signal: AbortSignal
}

/**
 * Checks results before the creator can see them: each file is there, opens, each of its tracks is
 * as long as planned, and a frame of it decodes.
 */
export async function checkOutputs(
  ffmpeg: Ffmpeg,
  files: readonly MadeFile[],
  place: Place,
): Promise<Result<readonly CheckedOutput[], string>> {
  const sizes = await Promise.all(files.map(({ path }) => sizeOf(path)))
  const empty = files.find((_, at) => sizes[at] === 0)
  if (empty !== undefined) return err(`${empty.output.name} is empty`)
  const images = await imageSizes(
    ffmpeg,
    files.filter(({ output }) => output.kind === 'image'),
    place,
  )
  if (!images.ok) return images
  const checked: CheckedOutput[] = []
  for (const [at, file] of files.entries()) {
    const { kind, name } = file.output
    const looked =
      kind === 'image' || kind === 'archive'
        ? ok({ ...NO_PICTURE, ...images.value.get(name) })
        : await movingFacts(ffmpeg, file, place)
    if (!looked.ok) return looked
    checked.push({ file, facts: { sizeBytes: sizes[at] ?? 0, ...looked.value } })
  }
  return ok(checked)
}

type SeenFacts = Omit<OutputFacts, 'sizeBytes'>
type ImageSize = Pick<OutputFacts, 'widthPx' | 'heightPx'>

const NO_PICTURE: SeenFacts = { widthPx: null, heightPx: null, durationMs: null }

async function sizeOf(path: string): Promise<number> {
  return await stat(path).then(
    (facts) => facts.size,
    () => 0,
  )
}

/** Sizes of the decoded images, by name. One run for all, since a pack has dozens of them. */
async function imageSizes(
  ffmpeg: Ffmpeg,
  images: readonly MadeFile[],
  { cwd, signal }: Place,
): Promise<Result<ReadonlyMap<string, ImageSize>, string>> {
  if (images.length === 0) return ok(new Map())
  const names = images.map(({ output }) => output.name)
  const paths = new Map(images.map(({ output, path }) => [output.name, path]))
  const printed: string[] = []
  const decoded = await glance(ffmpeg, {
    inputs: names.map((id) => ({ from: { kind: 'asset', id } })),
    args: [...names.flatMap((_, at) => ['-map', `${at}:v:0`]), '-f', 'framecrc', '-'],
    pathOf: (from) => (from.kind === 'asset' ? paths.get(from.id) : undefined) ?? cwd,
    cwd,
    signal,
    onOutput: (text) => printed.push(text),
  })
  if (!decoded.ok) return err(`${names.join(', ')}: ${decoded.error.detail}`)
  const report = printed.join('')
  const sizes = new Map<string, ImageSize>()
  for (const [, at, width, height] of report.matchAll(/^#dimensions (\d+): (\d+)x(\d+)$/gm))
    sizes.set(names[Number(at)] ?? '', { widthPx: Number(width), heightPx: Number(height) })
  const shown = new Set([...report.matchAll(/^(\d+), /gm)].map(([, at]) => names[Number(at)]))
  const unseen = names.find((name) => !shown.has(name) || !sizes.has(name))
  return unseen === undefined ? ok(sizes) : err(`${unseen} has no picture`)
}

async function movingFacts(
  ffmpeg: Ffmpeg,
  { output, plannedMs, path }: MadeFile,
  { cwd, signal }: Place,
): Promise<Result<SeenFacts, string>> {
  const probed = await probeFile(ffmpeg, path, output.fileName, cwd, signal, NAMED_INPUT_FLAGS)
  if (!probed.ok) return err(`${output.name}: ${probed.error.detail}`)
  const { kind, source } = probed.value
  if (kind === 'audio' || source.width === 0 || source.durationMs <= 0)
    return err(`${output.name} has no picture or no length`)
  // Only ffmpeg wrote the file, so its headers say what is in it.
  const complaint = plannedMs === null ? null : complaintOfLength(probed.value, plannedMs)
  if (complaint !== null) return err(`${output.name} ${complaint}`)
  const decoded = await glance(ffmpeg, {
    inputs: [{ from: { kind: 'asset', id: output.name } }],
    args: ['-map', '0:v:0', '-frames:v', '1', '-f', 'null', '-'],
    pathOf: () => path,
    cwd,
    signal,
  })
  if (!decoded.ok) return err(`${output.name}: ${decoded.error.detail}`)
  return ok({ widthPx: source.width, heightPx: source.height, durationMs: source.durationMs })
}

/** What is wrong with the length of a file or of one of its tracks; null where nothing is. */
function complaintOfLength(
  { source, claimedMs, deep }: Pick<FileProbe, 'source' | 'claimedMs' | 'deep'>,
  plannedMs: number,
): string | null {
  const longestMs = plannedMs + RESULT_MARGIN_MS
  if (claimedMs > longestMs) return `lasts ${claimedMs} ms, at most ${longestMs} ms were planned`
  const shortestMs = plannedMs - SHORTER_MS
  const { startsLateMs, endsEarlyMs } = deep.sound ?? { startsLateMs: 0, endsEarlyMs: 0 }
  if (source.durationMs < shortestMs)
    return `has a picture of ${source.durationMs} ms, at least ${shortestMs} ms were planned`
  return Math.max(Math.abs(startsLateMs), Math.abs(endsEarlyMs)) > SHORTER_MS
    ? `has sound that begins ${startsLateMs} ms after its picture and ends ${endsEarlyMs} ms before it`
    : null
}
