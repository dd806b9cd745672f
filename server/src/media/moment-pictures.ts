import { rename, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { PlanArg, PlanInput, SourceProbe } from '#recipes/types.ts'
import { boundedRun } from '#server/media/bounds.ts'
import { GLANCE_CPU_S, SEARCH_MS_PER_CPU_S, searchCpuSeconds } from '#server/media/cost.ts'
import { atEachPlace } from '#server/media/each-place.ts'
import type { Ffmpeg } from '#server/media/ffmpeg.ts'
import { pathsIn, type RenderPlaces } from '#server/media/render-plan.ts'
import { runFfmpeg } from '#server/media/run.ts'

/** Small pictures of a source, put together as tiles of one. */
export interface MomentPictures {
  /** Where each tile was taken, in the order of the tiles; empty where no picture came out. */
  readonly placesMs: readonly number[]
  readonly columns: number
  readonly tileWidth: number
  readonly tileHeight: number
}

interface Wanted {
  readonly source: SourceProbe
  readonly placesMs: readonly number[]
  readonly places: RenderPlaces
  readonly signal: AbortSignal
}

/** The longer side of a tile in pixels: sharp on a phone, and 72 of them are half a megabyte. */
const TILE_PX = 192
const COLUMNS = 8
const TILE = 'tile-%03d.jpg'
const SHEET = 'moments.jpg'
const JPEG = '-frames:v 1 -map_metadata -1 -q:v 5 -f image2 -update 1'.split(' ')
const MAX_BYTES = 8 << 20
/** A tile is too small to show the edges of blocks, whose filter is a third of the work. */
const QUICKLY = ['-threads', '2', '-skip_loop_filter:v', 'all'] as const

/**
 * Takes a picture at each place and puts them together in the folder, for as long as a search of
 * this source may take: places that cannot be read, and those after that, are left out. Rejects
 * when aborted, and with the `ToolFault` of the machine.
 */
export async function makeMomentPictures(
  ffmpeg: Ffmpeg,
  wanted: Wanted,
): Promise<{ readonly pictures: MomentPictures; readonly path: string | null }> {
  const { source, places } = wanted
  const { size: sizeBytes } = await stat(places.source)
  const endsAt = performance.now() + searchCpuSeconds(source, sizeBytes) * SEARCH_MS_PER_CPU_S
  const size = tileSize(source)
  const filters = `scale=${size.tileWidth}:${size.tileHeight},setsar=1,format=yuvj420p`
  const taken = await atEachPlace(source, spread(wanted.placesMs), async (placesMs) => {
    if (performance.now() >= endsAt) return []
    const pictures = placesMs.map((seekMs, input) => ({
      input: { from: { kind: 'source' }, seekMs, flags: QUICKLY } as const,
      args: ['-map', `${input}:V:0`, '-vf', filters],
      name: `place-${seekMs}.jpg`,
      seekMs,
    }))
    const made = await run(ffmpeg, wanted, pictures)
    return made === null ? null : pictures.filter(({ name }) => made.has(name))
  })
  for (const [index, { name }] of taken.entries())
    await rename(join(places.folder, name), join(places.folder, tileName(index)))
  const columns = Math.max(1, Math.min(COLUMNS, taken.length))
  const rows = Math.max(1, Math.ceil(taken.length / columns))
  const isWhole =
    taken.length > 0 &&
    (await run(ffmpeg, wanted, [
      {
        input: { from: { kind: 'scratch', name: TILE }, flags: ['-framerate', '1'] },
        args: ['-map', '0:V:0', '-vf', `tile=${columns}x${rows}`],
        name: SHEET,
      },
    ])) !== null
  const placesMs = isWhole ? taken.map(({ seekMs }) => seekMs) : []
  return {
    pictures: { placesMs, columns, ...size },
    path: isWhole ? join(places.folder, SHEET) : null,
  }
}

interface Picture {
  readonly input: PlanInput
  readonly args: readonly string[]
  readonly name: string
}

/**
 * The names of the pictures that one run made; null where it failed, by damage at one of its places
 * or because it takes too long.
 */
async function run(
  ffmpeg: Ffmpeg,
  { source, places, signal }: Wanted,
  pictures: readonly Picture[],
): Promise<ReadonlySet<string> | null> {
  const args = pictures.flatMap((picture): PlanArg[] => [
    ...picture.args,
    ...JPEG,
    { kind: 'scratch', name: picture.name },
  ])
  const end = await runFfmpeg(ffmpeg, {
    ...boundedRun({ inputs: pictures.map(({ input }) => input), args }, source),
    pathOf: pathsIn(places),
    cwd: places.folder,
    signal,
    outputDurationMs: 0,
    timeoutMs: pictures.length * GLANCE_CPU_S * SEARCH_MS_PER_CPU_S,
    maxFileBytes: MAX_BYTES,
    cpuSeconds: pictures.length * GLANCE_CPU_S,
  })
  if (!end.ok && end.error.fault !== null) throw end.error.fault
  const made = new Set<string>()
  for (const { name } of pictures) {
    const { size } = await stat(join(places.folder, name)).catch(() => ({ size: 0 }))
    if (size > 0) made.add(name)
  }
  return end.ok ? made : null
}

function tileName(index: number): string {
  return TILE.replace('%03d', String(index).padStart(3, '0'))
}

/** In an order in which those that are taken before the time is over lie all over the source. */
function spread(placesMs: readonly number[]): readonly number[] {
  const STRIDE = 7
  return Array.from({ length: STRIDE }, (_, first) =>
    placesMs.filter((__, index) => index % STRIDE === first),
  ).flat()
}

function tileSize({
  width,
  height,
}: SourceProbe): Pick<MomentPictures, 'tileWidth' | 'tileHeight'> {
  const scale = TILE_PX / Math.max(width, height)
  const even = (side: number): number => Math.max(16, 2 * Math.round((side * scale) / 2))
  return { tileWidth: even(width), tileHeight: even(height) }
}
