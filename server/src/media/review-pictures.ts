import { join } from 'node:path'
import { deliveryMp4, needs, withoutTraces } from '#recipes/encoding.ts'
import type { FaceBox, FaceTrack } from '#recipes/face-cover/types.ts'
import { fitInside, toStandardPicture } from '#recipes/picture.ts'
import { err, ok, type Result } from '#recipes/result.ts'
import type { PlanRun, PlanStep } from '#recipes/types.ts'
import { boundedRun, boundedStep } from '#server/media/bounds.ts'
import { heaviestOf, stepCpuSeconds } from '#server/media/cost.ts'
import type { SearchedVideo } from '#server/media/face-search.ts'
import type { Ffmpeg } from '#server/media/ffmpeg.ts'
import { runFfmpeg, type FfmpegFailure } from '#server/media/run.ts'

const COPY = 'review.mp4'
/** Of one picture of a strip, in pixels. */
const TILE = 96
/** How much of its surroundings a picture shows, against the face. */
const AROUND = 1.8
const STRIP_WALL_MS = 120_000
/** Twice 400 kbit/s and the index. */
const COPY_BYTES_PER_S = 128 * 1024

/**
 * The path of a small copy of the video without sound, in which a page can go to every place
 * quickly: a key frame each second. Else what ffmpeg said.
 */
export async function makeReviewCopy(
  ffmpeg: Ffmpeg,
  { path, source, folder, signal, onProgress }: SearchedVideo,
): Promise<Result<string, FfmpegFailure>> {
  const size = fitInside(source, 960, 540)
  const standard = toStandardPicture(source, size, { availableFilters: ffmpeg.filters })
  const step: PlanStep = {
    id: 'review',
    inputs: [{ from: { kind: 'source' } }],
    args: [
      '-map',
      '0:V:0',
      '-an',
      '-vf',
      `fps=15,${standard.chain}`,
      '-c:v',
      'libx264',
      '-preset',
      'veryfast',
      '-crf',
      '28',
      '-g',
      '15',
      '-maxrate',
      '400k',
      '-bufsize',
      '800k',
      '-pix_fmt',
      'yuv420p',
      ...withoutTraces,
      ...deliveryMp4,
      { kind: 'output', name: COPY },
    ],
    outputDurationMs: source.durationMs,
    weight: 1,
    needs: needs(['fps', ...standard.filters], ['libx264']),
  }
  const bounded = boundedStep(step, source)
  const end = await runFfmpeg(ffmpeg, {
    ...bounded,
    pathOf: (place) => (place.kind === 'output' ? join(folder, place.name) : path),
    cwd: folder,
    signal,
    onProgress,
    outputDurationMs: step.outputDurationMs,
    timeoutMs: 10 * 60_000 + 40 * step.outputDurationMs,
    maxFileBytes: (8 << 20) + (source.durationMs / 1000) * COPY_BYTES_PER_S,
    cpuSeconds: stepCpuSeconds({ ...step, ...bounded }, heaviestOf(source, [])),
  })
  return end.ok ? ok(join(folder, COPY)) : end
}

/**
 * The path of a JPEG of four pictures of a track, or what ffmpeg said: a place that cannot be read
 * has no strip, and can be seen in the copy.
 */
export async function makeStrip(
  ffmpeg: Ffmpeg,
  { path, source, folder, signal }: Omit<SearchedVideo, 'onProgress'>,
  track: FaceTrack,
): Promise<Result<string, FfmpegFailure>> {
  const boxes = boxesToShow(track)
  const crops = boxes.map(
    (box, index) =>
      `[${index}:V:0]${cropAround(box, source)},scale=${TILE}:${TILE},setsar=1,format=yuvj420p[p${index}]`,
  )
  const joined = `${boxes.map((_, index) => `[p${index}]`).join('')}hstack=inputs=${boxes.length}[s]`
  const name = `strip-${track.id}.jpg`
  const run: PlanRun = {
    inputs: boxes.map(({ atMs }) => ({
      from: { kind: 'source' },
      seekMs: Math.min(atMs, Math.max(0, source.durationMs - 500)),
      durationMs: 1000,
    })),
    args: [
      '-filter_complex',
      [...crops, joined].join(';'),
      '-map',
      '[s]',
      '-frames:v',
      '1',
      '-map_metadata',
      '-1',
      '-q:v',
      '4',
      '-f',
      'mjpeg',
      { kind: 'output', name },
    ],
  }
  const bounded = boundedRun(run, source)
  const end = await runFfmpeg(ffmpeg, {
    ...bounded,
    pathOf: (place) => (place.kind === 'output' ? join(folder, place.name) : path),
    cwd: folder,
    signal,
    outputDurationMs: 0,
    timeoutMs: STRIP_WALL_MS,
    maxFileBytes: 1 << 20,
    cpuSeconds: stepCpuSeconds(
      { inputs: bounded.inputs, outputDurationMs: 0 },
      heaviestOf(source, []),
    ),
  })
  return end.ok ? ok(join(folder, name)) : err(end.error)
}

/** The first, the middle and the last box, and the smallest one, which is wrong most often. */
function boxesToShow({ boxes }: FaceTrack): readonly FaceBox[] {
  const [first] = boxes
  if (first === undefined) throw new Error('A track has no box')
  const smallest = boxes.reduce((small, box) => (areaOf(box) < areaOf(small) ? box : small), first)
  return [first, boxes[boxes.length >> 1] ?? first, boxes.at(-1) ?? first, smallest]
}

function areaOf({ width, height }: FaceBox): number {
  return width * height
}

/** A square of the displayed picture around a box, moved inside the picture. */
function cropAround(
  { x, y, width, height }: FaceBox,
  { width: pictureWidth, height: pictureHeight }: SearchedVideo['source'],
): string {
  const face = Math.max(width * pictureWidth, height * pictureHeight, 8)
  const side = Math.min(face * AROUND, pictureWidth, pictureHeight)
  const [w, h] = [side / pictureWidth, side / pictureHeight]
  const left = Math.min(Math.max(0, x + width / 2 - w / 2), 1 - w)
  const top = Math.min(Math.max(0, y + height / 2 - h / 2), 1 - h)
  const of = (share: number, axis: 'iw' | 'ih') => `${axis}*${share.toFixed(5)}`
  return `crop=w=${of(w, 'iw')}:h=${of(h, 'ih')}:x=${of(left, 'iw')}:y=${of(top, 'ih')}`
}
