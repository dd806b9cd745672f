import { copyFile, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import * as v from 'valibot'
import { LOOK_HEIGHT, LOOK_WIDTH } from '#recipes/analysis-picture.ts'
import type { PictureArea } from '#recipes/heads.ts'
import { runConfined } from '#server/media/confined.ts'
import { smallPicturesCpuSeconds } from '#server/media/cost.ts'
import type { Ffmpeg } from '#server/media/ffmpeg.ts'
import { findFaceModels } from '#server/media/faces/face-models.ts'
import { projectRoot } from '#server/project-root.ts'

/** Pictures of a search for moments, in which faces are looked for. */
export interface SmallPictures {
  readonly pictures: readonly Uint8Array[]
  /** Of the source: the pictures have another shape. */
  readonly width: number
  readonly height: number
  /** The program has a folder of its own in it. */
  readonly folder: string
  readonly signal: AbortSignal
  readonly timeoutMs: number
}

const PROGRAM = ['small-pictures', 'library', 'network', 'rectangle'] as const
/** Of faces an eighth as high as the picture nine of ten are found so, and larger ones all. */
const POINTS = 384 * 216
const LONGEST_SIDE = 640
const MAX_RESULT_BYTES = 2e6

/**
 * Whether this server can look for faces: its models are installed (`findFaceModels`) and its
 * programs can start.
 */
export function canSeeFaces(ffmpeg: Pick<Ffmpeg, 'canRunNode'>): boolean {
  return ffmpeg.canRunNode && !('missing' in findFaceModels())
}

/**
 * The faces in each picture, or null where they could not be looked for: a search for moments goes
 * on without them. Rejects when aborted.
 */
export async function facesInSmall(
  ffmpeg: Ffmpeg,
  small: SmallPictures,
): Promise<readonly (readonly PictureArea[])[] | null> {
  const models = findFaceModels()
  if ('missing' in models || small.pictures.length === 0) return null
  const folder = join(small.folder, 'small-pictures')
  await mkdir(folder)
  try {
    for (const name of PROGRAM)
      await copyFile(
        join(projectRoot, `server/src/media/faces/program/${name}.ts`),
        join(folder, `${name}.ts`),
      )
    for (const [name, path] of Object.entries(models)) await copyFile(path, join(folder, name))
    await writeFile(join(folder, 'pictures.yuv'), Buffer.concat(small.pictures))
    const size = sizeFor(small)
    const end = await runConfined(ffmpeg, {
      tool: 'node',
      args: () => [
        '--no-warnings',
        '--max-old-space-size=300',
        'small-pictures.ts',
        ...`--width ${LOOK_WIDTH} --height ${LOOK_HEIGHT}`.split(' '),
        ...`--wide ${size.width} --high ${size.height}`.split(' '),
      ],
      limits: {
        cpuSeconds: smallPicturesCpuSeconds(small.pictures.length),
        maxFileBytes: MAX_RESULT_BYTES,
      },
      cwd: folder,
      signal: small.signal,
      timeoutMs: small.timeoutMs,
      onOutput: () => undefined,
    })
    if (end.kind !== 'done') return null
    const faces = facesIn(await readFile(join(folder, 'faces.json'), 'utf8'))
    if (faces?.length !== small.pictures.length) return null
    return faces.map((each) =>
      each.map(([left, top, right, bottom]) => ({ left, top, right, bottom })),
    )
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

function facesIn(text: string): v.InferOutput<typeof facesSchema> | null {
  try {
    return v.parse(facesSchema, JSON.parse(text))
  } catch {
    return null
  }
}

/** In the shape of the source, with so many points. */
function sizeFor({ width, height }: SmallPictures): {
  readonly width: number
  readonly height: number
} {
  const shape = Math.sqrt(Math.max(1, width) / Math.max(1, height))
  const side = (length: number): number =>
    Math.max(64, Math.min(LONGEST_SIDE, 8 * Math.round(length / 8)))
  return { width: side(Math.sqrt(POINTS) * shape), height: side(Math.sqrt(POINTS) / shape) }
}

const share = v.pipe(v.number(), v.minValue(0), v.maxValue(1))
/** What the program wrote; it read a stranger's pictures, so it is not believed. */
const facesSchema = v.array(
  v.pipe(v.array(v.tuple([share, share, share, share])), v.maxLength(1000)),
)
