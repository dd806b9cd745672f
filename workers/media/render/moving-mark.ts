import type { FfmpegJobs } from '#workers/media/ffmpeg-jobs.ts'
import { renderStep } from '#workers/media/render-steps.ts'
import { scratchFiles } from '#workers/media/scratch-files.ts'
import { workPaths } from '#workers/media/work-paths.ts'
import { planesOf, type Plane, type Planes } from './planes.ts'
import type { DrawnMark } from '#recipes/drawing.ts'
import { shareAt } from '#recipes/dynamic-watermark/places.ts'
import { err, ok, type Result } from '#src/lib/result.ts'
import type { ProbeFailure } from '#src/local/probe/report.ts'

/** A mark that moves over pictures, as ffmpeg draws it ([Note: a mark on any picture]). */
export interface MovingMark {
  /** Lays it over a picture that is shown at this time; changes its bytes. */
  layOver(planes: Planes, timeS: number): void
}

/** With much to spare for a phone. */
const LIMIT_MS = 2 * 60_000
/** Says the demuxer nothing: the format is given. */
const RAW = 'yuv'
/** Of each ground. */
const PLACES = 4
const [BLACK, WHITE] = [0, 255]

/** Lets ffmpeg.wasm draw the mark on its grounds. */
export async function drawMark(
  jobs: FfmpegJobs,
  mark: DrawnMark,
  signal: AbortSignal,
): Promise<Result<MovingMark, ProbeFailure>> {
  const { ground, step, files: texts, pictures } = mark
  const files = await scratchFiles({ files: texts, steps: [step] }, signal)
  if (files === null)
    return err({ code: signal.aborted ? 'probe/cancelled' : 'probe/engine-unavailable' })
  const pictureBytes = (ground.width * ground.height * 3) / 2
  const grounds = new Uint8Array(2 * PLACES * pictureBytes)
  grounds.fill(WHITE, PLACES * pictureBytes)
  const task = {
    kind: 'render',
    files,
    steps: [renderStep(step, workPaths(RAW))],
    outputs: [pictures],
  } as const
  const file = new File([grounds], `grounds.${RAW}`)
  let drawn: Uint8Array<ArrayBuffer> | null = null
  const ran = await jobs.run({ file, task, limitMs: LIMIT_MS, signal }, (news) => {
    if (news.kind === 'output') drawn = news.bytes
  })
  if (!ran.ok) return ran
  return drawn === null ? err({ code: 'probe/engine-crashed' }) : ok(movingMark(mark, drawn))
}

/** @param drawn the mark on four black pictures, then on four white ones */
export function movingMark({ ground, margin }: DrawnMark, drawn: Uint8Array<ArrayBuffer>) {
  const size = (ground.width * ground.height * 3) / 2
  const picture = (at: number): Planes => ({
    ...ground,
    bytes: drawn.subarray(at * size, (at + 1) * size),
  })
  const layers = Array.from({ length: PLACES }, (_, place) =>
    layerOf(picture(place), picture(PLACES + place)),
  )
  const box = boxOf(picture(0), picture(PLACES))
  return {
    layOver: (planes: Planes, timeS: number): void => {
      const shares = shareAt(timeS)
      // As ffmpeg takes a place: its whole part.
      const left = Math.floor(margin + (planes.width - box.width - 2 * margin) * shares[0])
      const top = Math.floor(margin + (planes.height - box.height - 2 * margin) * shares[1])
      const layer = layers[(left % 2) + 2 * (top % 2)]
      layer?.(planes, left - (left % 2), top - (top % 2))
    },
  }
}

/** How much of its ground the mark takes, from the upper left corner on. */
function boxOf(black: Planes, white: Planes): { readonly width: number; readonly height: number } {
  const [onBlack, onWhite] = [planesOf(black)[0].bytes, planesOf(white)[0].bytes]
  const box = { width: 0, height: 0 }
  for (let at = 0; at < onBlack.length; at += 1) {
    if (onBlack[at] === BLACK && onWhite[at] === WHITE) continue
    const column = at % black.width
    box.width = Math.max(box.width, column + 1)
    box.height = (at - column) / black.width + 1
  }
  return box
}

type Layer = (planes: Planes, left: number, top: number) => void

/** Lays a mark over pictures at even places. */
function layerOf(black: Planes, white: Planes): Layer {
  const whites = planesOf(white)
  const layers = planesOf(black).map((plane, index) => planeLayer(plane, whites[index] ?? plane))
  return (planes, left, top) => {
    for (const [index, plane] of planesOf(planes).entries())
      layers[index]?.(plane, index === 0 ? left : left / 2, index === 0 ? top : top / 2)
  }
}

/** 1 as a share in whole numbers. */
const ONE = 65_536

function planeLayer(black: Plane, white: Plane) {
  const added = Int32Array.from(black.bytes, (value) => value * ONE + ONE / 2)
  const kept = Int32Array.from(white.bytes, (value, at) =>
    Math.round(((value - (black.bytes[at] ?? 0)) * ONE) / WHITE),
  )
  return ({ width, height, bytes }: Plane, left: number, top: number): void => {
    const columns = Math.min(black.width, width - left)
    const rows = Math.min(black.height, height - top)
    for (let row = 0; row < rows; row += 1) {
      const into = (top + row) * width + left
      const from = row * black.width
      for (let column = 0; column < columns; column += 1)
        bytes[into + column] =
          ((added[from + column] ?? 0) +
            (bytes[into + column] ?? 0) * (kept[from + column] ?? 0)) >>
          16
    }
  }
}
