import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { PlanArg, PlanInput, SourceProbe } from '#recipes/types.ts'
import { boundedRun } from '#server/media/bounds.ts'
import { GLANCE_CPU_S, SEARCH_MS_PER_CPU_S, searchCpuSeconds } from '#server/media/cost.ts'
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
  const taken: number[] = []
  for (const placeMs of spread(wanted.placesMs)) {
    if (performance.now() >= endsAt) break
    const name = TILE.replace('%03d', String(taken.length).padStart(3, '0'))
    const isTaken = await run(ffmpeg, wanted, {
      input: { from: { kind: 'source' }, seekMs: placeMs, flags: QUICKLY },
      filters: `scale=${size.tileWidth}:${size.tileHeight},setsar=1,format=yuvj420p`,
      name,
    })
    if (isTaken) taken.push(placeMs)
  }
  const columns = Math.max(1, Math.min(COLUMNS, taken.length))
  const rows = Math.max(1, Math.ceil(taken.length / columns))
  const isWhole =
    taken.length > 0 &&
    (await run(ffmpeg, wanted, {
      input: { from: { kind: 'scratch', name: TILE }, flags: ['-framerate', '1'] },
      filters: `tile=${columns}x${rows}`,
      name: SHEET,
    }))
  const placesMs = isWhole ? taken : []
  return {
    pictures: { placesMs, columns, ...size },
    path: isWhole ? join(places.folder, SHEET) : null,
  }
}

/** Whether a run made its picture; one that is damaged there, or takes too long, makes none. */
async function run(
  ffmpeg: Ffmpeg,
  { source, places, signal }: Wanted,
  {
    input,
    filters,
    name,
  }: { readonly input: PlanInput; readonly filters: string; readonly name: string },
): Promise<boolean> {
  const args: PlanArg[] = ['-map', '0:V:0', '-vf', filters, ...JPEG, { kind: 'scratch', name }]
  const end = await runFfmpeg(ffmpeg, {
    ...boundedRun({ inputs: [input], args }, source),
    pathOf: pathsIn(places),
    cwd: places.folder,
    signal,
    outputDurationMs: 0,
    timeoutMs: GLANCE_CPU_S * SEARCH_MS_PER_CPU_S,
    maxFileBytes: MAX_BYTES,
    cpuSeconds: GLANCE_CPU_S,
  })
  if (!end.ok && end.error.fault !== null) throw end.error.fault
  return await stat(join(places.folder, name)).then(
    (facts) => end.ok && facts.size > 0,
    () => false,
  )
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
