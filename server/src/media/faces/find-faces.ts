import { copyFile, mkdir, readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import * as v from 'valibot'
import { fitInside, toStandardPicture, type Size } from '#recipes/picture.ts'
import { err, ok, type Result } from '#recipes/result.ts'
import type { Stretch } from '#recipes/stretch.ts'
import type { PlanRun, SourceProbe } from '#recipes/types.ts'
import { boundedRun } from '#server/media/bounds.ts'
import { runConfined } from '#server/media/confined.ts'
import { faceSearchCpuSeconds, heaviestOf, stepCpuSeconds } from '#server/media/cost.ts'
import type { FaceSearch, KeptParts, SearchedVideo } from '#server/media/face-search.ts'
import type { Ffmpeg } from '#server/media/ffmpeg.ts'
import { findFaceModels, type FaceModels } from '#server/media/faces/face-models.ts'
import { createFindingJoiner, FINDING_VERSION } from '#server/media/faces/join-stretches.ts'
import { runFfmpeg, type FfmpegFailure } from '#server/media/run.ts'
import { pathsIn } from '#server/media/render-plan.ts'
import { projectRoot } from '#server/project-root.ts'

/** What is looked at in one go: its pictures need 210 MB in the folder of the attempt. */
const STRETCH_MS = 30_000
/** So far beyond a stretch a face that is lost there may be found again. */
const MARGIN_MS = 1600
/** Pictures in which faces are followed, and larger ones, once a second, for small faces. */
const SMALL_SIDE = 576
const LARGE_SIDE = 960
/** As many pictures a second at most; every tenth is large. */
const PICTURE_GAP_S = 0.0999
/** Twice as many pictures as come. */
const MAX_PICTURE_BYTES = 1e9
/** Seven hundred faces in every picture; the server answers no call while it reads them. */
const MAX_RESULT_BYTES = 8e6
/** A second of processor time takes longer where other runs have the processor too. */
const MS_PER_CPU_S = 8000

/**
 * The search of this server, or null where its models are not installed (`findFaceModels`) or its
 * programs cannot start. It goes stretch by stretch: ffmpeg writes small pictures into the folder,
 * and a program of its own looks at them, both confined.
 */
export function createFaceSearch(ffmpeg: Ffmpeg): FaceSearch | null {
  const models = findFaceModels()
  if ('missing' in models || !ffmpeg.canRunNode) return null
  return {
    find: async (video, kept) => {
      const { source, onProgress, allowance } = video
      const tools = allowance === undefined ? ffmpeg : { ...ffmpeg, allowance }
      const folder = join(video.folder, 'faces')
      await mkdir(folder)
      try {
        const parts = stretchesOf(source.durationMs)
        const joiner = createFindingJoiner(source.durationMs)
        for (const [index, own] of parts.entries()) {
          const one = await foundBefore(kept, own, async () => {
            return await searchStretch(tools, {
              ...video,
              folder,
              own,
              models,
              onProgress: (ratio) => onProgress((index + ratio) / parts.length),
            })
          })
          if (!one.ok) return one
          onProgress((index + 1) / parts.length)
          if (!joiner.add({ ...one.value, fromMs: startOf(own), own })) return err(TOO_MANY)
        }
        const finding = joiner.finding()
        return finding === null ? err(TOO_MANY) : ok(finding)
      } finally {
        await rm(folder, { recursive: true, force: true })
      }
    },
  }
}

/** What an earlier attempt found in a stretch; else it is searched, and kept for later ones. */
async function foundBefore(
  kept: KeptParts | undefined,
  own: Stretch,
  search: () => Promise<Result<Found, FfmpegFailure>>,
): Promise<Result<Found, FfmpegFailure>> {
  const name = `${FINDING_VERSION}-${own.startMs}-${own.endMs}`
  const before = v.safeParse(foundSchema, await kept?.read(name))
  if (before.success) return ok(before.output)
  const found = await search()
  if (found.ok) await kept?.keep(name, found.value)
  return found
}

const TOO_MANY: FfmpegFailure = {
  code: 'media/failed',
  detail: 'more shots with faces than a finding may have',
  fault: null,
}

/** The whole video in parts of about the same length. */
function stretchesOf(durationMs: number): Stretch[] {
  const count = Math.max(1, Math.ceil(durationMs / STRETCH_MS))
  const border = (index: number): number => Math.round((durationMs * index) / count)
  return Array.from({ length: count }, (_, index) => ({
    startMs: border(index),
    endMs: border(index + 1),
  }))
}

interface StretchSearch extends SearchedVideo {
  readonly own: Stretch
  readonly models: FaceModels
}

/** Share of a stretch's work that is reading the video. */
const READING = 0.1

async function searchStretch(
  ffmpeg: Ffmpeg,
  { path, folder, source, own, models, signal, onProgress }: StretchSearch,
): Promise<Result<Found, FfmpegFailure>> {
  const fromMs = startOf(own)
  const durationMs = Math.min(source.durationMs, own.endMs + MARGIN_MS) - fromMs
  const large = fitInside(source, LARGE_SIDE, LARGE_SIDE)
  const small = fitInside(large, SMALL_SIDE, SMALL_SIDE)
  const run = picturesRun(ffmpeg, source, { fromMs, durationMs, small, large })
  const readS = stepCpuSeconds(
    { inputs: run.inputs, outputDurationMs: durationMs },
    heaviestOf(source, []),
  )
  const read = await runFfmpeg(ffmpeg, {
    ...run,
    pathOf: pathsIn({ source: path, folder, assetPaths: new Map() }),
    cwd: folder,
    signal,
    outputDurationMs: durationMs,
    timeoutMs: readS * MS_PER_CPU_S,
    cpuSeconds: readS,
    maxFileBytes: MAX_PICTURE_BYTES,
    onProgress: (ratio) => onProgress(ratio * READING),
  })
  if (!read.ok) return read
  const searched = await runSearch(
    ffmpeg,
    { folder, models, small, large, durationMs },
    signal,
    (ratio) => onProgress(READING + ratio * (1 - READING)),
  )
  if (!searched.ok) return searched
  const found = v.parse(foundSchema, JSON.parse(await readFile(join(folder, 'faces.json'), 'utf8')))
  for (const name of await readdir(folder)) await rm(join(folder, name), { force: true })
  return ok(found)
}

/** Where reading begins, so that a face that is lost at the border may be found again. */
function startOf({ startMs }: Stretch): number {
  return Math.max(0, startMs - MARGIN_MS)
}

/** Small pictures with their times, and how much each picture differs from the one before. */
function picturesRun(
  { filters }: Pick<Ffmpeg, 'filters'>,
  source: SourceProbe,
  part: {
    readonly fromMs: number
    readonly durationMs: number
    readonly small: Size
    readonly large: Size
  },
): PlanRun {
  const { small, large } = part
  const picture = toStandardPicture(source, large, { availableFilters: filters })
  const scratch = (name: string) => ({ kind: 'scratch' as const, name })
  const raw = (name: string) => [
    ...words('-f rawvideo -pix_fmt rgb24 -fps_mode passthrough'),
    scratch(name),
  ]
  const run: PlanRun = {
    inputs: [{ from: { kind: 'source' }, seekMs: part.fromMs, durationMs: part.durationMs }],
    args: [
      '-filter_complex',
      {
        kind: 'filter',
        parts: [
          '[0:V:0]split[all][some];[all]scale=160:90,format=yuv420p,scdet=t=100,metadata=print:file=',
          scratch('cuts.txt'),
          `,nullsink;[some]select='isnan(prev_selected_t)+gte(t-prev_selected_t,${PICTURE_GAP_S})',`,
          `${picture.chain},metadata=add:key=kept:value=1,metadata=print:file=`,
          scratch('times.txt'),
          `,split[large][each];[each]scale=${small.width}:${small.height}:flags=area[small];`,
          "[large]select='not(mod(n,10))'[tenth]",
        ],
      },
      ...words('-map [small] -an -sn -dn'),
      ...raw('small.rgb'),
      ...words('-map [tenth] -an -sn -dn'),
      ...raw('large.rgb'),
    ],
  }
  return boundedRun(run, source)
}

function words(text: string): string[] {
  return text.split(' ')
}

const PROGRAM = [
  'search',
  'library',
  'network',
  'second-network',
  'flat-table',
  'vote',
  'tracks',
  'follow',
  'turns',
  'rectangle',
] as const

/** Runs the program on what ffmpeg wrote. It sees nothing but its folder, so its code is in it. */
async function runSearch(
  ffmpeg: Ffmpeg,
  {
    folder,
    models,
    small,
    large,
    durationMs,
  }: {
    readonly folder: string
    readonly models: FaceModels
    readonly small: Size
    readonly large: Size
    readonly durationMs: number
  },
  signal: AbortSignal,
  onProgress: (ratio: number) => void,
): Promise<Result<void, FfmpegFailure>> {
  for (const name of PROGRAM)
    await copyFile(
      join(projectRoot, `server/src/media/faces/program/${name}.ts`),
      join(folder, `${name}.ts`),
    )
  for (const [name, path] of Object.entries(models)) await copyFile(path, join(folder, name))
  const cpuSeconds = faceSearchCpuSeconds(durationMs)
  const sizes = words(
    `--width ${small.width} --height ${small.height} --large-width ${large.width} --large-height ${large.height}`,
  )
  const end = await runConfined(ffmpeg, {
    tool: 'node',
    args: () => [...NODE_FLAGS, 'search.ts', ...sizes],
    limits: { cpuSeconds, maxFileBytes: MAX_RESULT_BYTES },
    cwd: folder,
    signal,
    timeoutMs: cpuSeconds * MS_PER_CPU_S,
    onOutput: (text) => {
      const [, done, all] = /(\d+)\/(\d+)\n$/.exec(text) ?? []
      if (done !== undefined) onProgress(Number(done) / Number(all))
    },
  })
  if (end.kind === 'done') return ok(undefined)
  return err({
    code: end.kind === 'timeout' ? 'media/timeout' : 'media/failed',
    detail: end.stderrTail,
    fault: end.kind === 'failed' ? end.fault : null,
  })
}

const NODE_FLAGS = ['--no-warnings', '--max-old-space-size=300']

const share = v.pipe(v.number(), v.minValue(0), v.maxValue(1))
const seconds = v.pipe(v.number(), v.minValue(0), v.maxValue(100))
/** Not by a schema for each number, which takes a hundred times as long: a million may come. */
const box = v.custom<readonly number[]>(
  (value) => Array.isArray(value) && value.length === 4 && value.every(isShare),
)
function isShare(value: unknown): boolean {
  return typeof value === 'number' && value >= 0 && value <= 1
}
/** What the program wrote; it read a stranger's pictures, so it is not believed. */
const foundSchema = v.object({
  times: v.pipe(v.array(seconds), v.maxLength(1000)),
  cuts: v.pipe(v.array(seconds), v.maxLength(20_000)),
  paths: v.pipe(
    v.array(
      v.object({
        first: v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(1000)),
        boxes: v.pipe(v.array(box), v.minLength(1), v.maxLength(1000)),
        certainty: share,
      }),
    ),
    v.maxLength(20_000),
  ),
})
type Found = v.InferOutput<typeof foundSchema>
