import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findRecipe } from '#recipes/presets.ts'
import type { Cover } from '#recipes/face-cover/types.ts'
import type { Moment, RecipePlan, SourceProbe } from '#recipes/types.ts'
import { analyseMoments } from '#server/media/analyse.ts'
import { longestResultMs } from '#server/media/bounds.ts'
import { checkOutput } from '#server/media/check-output.ts'
import { checkUpload } from '#server/media/check-upload.ts'
import type { Ffmpeg } from '#server/media/ffmpeg.ts'
import { renderPlan, type RenderPlaces } from '#server/media/render-plan.ts'
import { refuseSoundless } from '#server/operations/media-jobs/refuse-soundless.ts'
import { projectRoot } from '#server/project-root.ts'
import { Problem } from '#server/problems.ts'
import { makeOddSource, type OddSource } from '#tests/fixtures/odd-sources/kinds.ts'
import { ODD_SOURCES } from '#tests/fixtures/odd-sources/list.ts'
import { SECRET, shortPayloads } from '#tests/fixtures/probes.ts'
import { makeClip, testFfmpeg } from './media.ts'
import { complaintsAbout } from './odd-complaints.ts'
import { rawPictures } from './raw-pictures.ts'

/** What became of one edit of one source: a sentence where it was refused before payment. */
type OddVerdict =
  | { readonly kind: 'made'; readonly files: readonly string[] }
  | { readonly kind: 'refused'; readonly why: string }
  | { readonly kind: 'failed'; readonly why: string }

/** A source as the server knows it after its check. */
export interface KnownSource {
  readonly odd: OddSource
  readonly path: string
  readonly probe: SourceProbe
  /** Searched for when they are asked for first. */
  readonly moments: () => Promise<readonly Moment[]>
}

const never = new AbortController().signal

/** A face that walks through all of the video, and half a second in which all is covered. */
const coverOf = ({ durationMs }: SourceProbe): Cover => ({
  tracks: [
    {
      id: 'walker',
      startMs: 0,
      endMs: durationMs,
      certainty: 0.9,
      boxes: [
        { atMs: 0, x: 0.55, y: 0.5, width: 0.2, height: 0.3 },
        { atMs: durationMs, x: 0.75, y: 0.65, width: 0.2, height: 0.3 },
      ],
    },
  ],
  wholly: [{ startMs: durationMs / 2, endMs: durationMs / 2 + 300 }],
})

/** Checks a source as after its upload; the sentence where it is refused. */
export async function knowSource(
  ffmpeg: Ffmpeg,
  odd: OddSource,
  path: string,
  folder: string,
): Promise<KnownSource | string> {
  const scratchDir = await mkdtemp(join(folder, 'check-'))
  const checked = await checkUpload(ffmpeg, {
    path,
    fileName: odd.name,
    purpose: 'media-job',
    scratchDir,
    signal: never,
  })
  if (!checked.ok) return checked.error.message
  const probe = checked.value.probe.source
  const places = { source: path, folder: scratchDir, assetPaths: new Map() }
  let moments: Promise<readonly Moment[]> | undefined
  return {
    odd,
    path,
    probe,
    moments: () => (moments ??= analyseMoments(ffmpeg, probe, places, never, () => undefined)),
  }
}

/** Makes one edit as a worker does, and looks at what came out. The files stay in `folder`. */
export async function editOdd(
  ffmpeg: Ffmpeg,
  slug: string,
  source: KnownSource,
  folder: string,
): Promise<OddVerdict> {
  const recipe = findRecipe(slug)
  if (recipe === undefined) throw new Error(`There is no recipe ${slug}`)
  const { probe, path } = source
  try {
    refuseSoundless({ probe, earlyHasAudio: null }, [{ presetSlug: slug, name: slug }])
  } catch (error) {
    if (error instanceof Problem) return { kind: 'refused', why: error.message }
    throw error
  }
  const logo = join(folder, 'logo.mp4')
  const ids = [...new Set(recipe.assetIds(shortPayloads[slug]))]
  if (ids.length > 0) await makeClip(logo, 1)
  const assets = ids.map((id) => ({
    id,
    kind: 'video' as const,
    probe: { ...LOGO, fileName: 'logo.mp4' },
  }))
  const plan = recipe.plan(probe, shortPayloads[slug], {
    moments: recipe.usesMoments ? await source.moments() : [],
    assets,
    music: [{ id: 'track', durationMs: 25_000, beats: { perMinute: 96, firstMs: 0 } }],
    availableFilters: ffmpeg.filters,
    availableEncoders: ffmpeg.encoders,
    secret: SECRET,
    faces: coverOf(probe),
  })
  if (!plan.ok) return { kind: 'failed', why: `plan: ${plan.error.message}` }
  const own = await mkdtemp(join(folder, `${slug}-`))
  const places: RenderPlaces = {
    source: path,
    folder: own,
    assetPaths: new Map(ids.map((id) => [id, logo])),
    musicPaths: new Map([['track', join(projectRoot, 'server/music/night-drive.m4a')]]),
  }
  return await render(ffmpeg, { slug, source, plan: plan.value, places, assets })
}

const LOGO = {
  durationMs: 1000,
  width: 320,
  height: 180,
  frameRate: 25,
  hasAudio: true,
  isHdr: false,
  videoCodec: 'h264',
  audioCodec: 'aac',
  audioChannels: 1,
}

interface OddRender {
  readonly slug: string
  readonly source: KnownSource
  readonly plan: RecipePlan
  readonly places: RenderPlaces
  readonly assets: Parameters<typeof renderPlan>[2]['assets']
}

async function render(
  ffmpeg: Ffmpeg,
  { slug, source, plan, places, assets }: OddRender,
): Promise<OddVerdict> {
  const { folder } = places
  const material = { source: source.probe, assets }
  const rendered = await renderPlan(ffmpeg, plan, material, places, never, () => undefined)
  if (!rendered.ok) return { kind: 'failed', why: `ffmpeg: ${rendered.error.detail}` }
  const complaints: string[] = []
  for (const output of plan.outputs) {
    const longestMs = longestResultMs(plan, output.name)
    const path = join(folder, output.name)
    const checked = await checkOutput(ffmpeg, output, longestMs, path, folder, never)
    if (!checked.ok) complaints.push(checked.error)
    else complaints.push(...(await complaintsAbout({ slug, source, plan, output, path })))
  }
  const files = plan.outputs.map(({ name }) => join(folder, name))
  for (const { args } of plan.steps)
    for (const arg of args)
      if (typeof arg === 'object' && arg.kind === 'scratch')
        await rm(join(folder, arg.name), { force: true })
  return complaints.length === 0
    ? { kind: 'made', files }
    : { kind: 'failed', why: complaints.join('; ') }
}

/** Where odd sources are checked, each once, and edited. */
export interface OddBench {
  /** Rejects where the check refuses the source. */
  readonly known: (name: string) => Promise<KnownSource>
  /** What the check says of a source that it refuses. */
  readonly refusal: (name: string) => Promise<string>
  readonly edit: (slug: string, name: string) => Promise<OddVerdict>
  readonly close: () => Promise<void>
}

export async function openOddBench(): Promise<OddBench> {
  const ffmpeg = await testFfmpeg()
  const folder = await mkdtemp(join(tmpdir(), 'odd-sources-'))
  const checked = new Map<string, KnownSource | string>()
  const check = async (name: string): Promise<KnownSource | string> => {
    const source = ODD_SOURCES.find((each) => each.name === name)
    if (source === undefined) throw new Error(`There is no source ${name}`)
    const found =
      checked.get(name) ??
      (await knowSource(ffmpeg, source, await makeOddSource(source, ODD_SOURCES), folder))
    checked.set(name, found)
    return found
  }
  const known = async (name: string): Promise<KnownSource> => {
    const source = await check(name)
    if (typeof source === 'string') throw new Error(source)
    return source
  }
  return {
    known,
    refusal: async (name) => {
      const refused = await check(name)
      return typeof refused === 'string' ? refused : ''
    },
    edit: async (slug, name) => await editOdd(ffmpeg, slug, await known(name), folder),
    close: async () => await rm(folder, { recursive: true, force: true }),
  }
}

/**
 * The first and the last of 320 columns that are not black in a picture, of which the upper half is
 * left out.
 */
export async function litColumns(
  verdict: OddVerdict,
  atS: number,
): Promise<readonly [first: number, last: number]> {
  const path = verdict.kind === 'made' ? verdict.files[0] : undefined
  const filter = 'crop=iw:ih/2:0:ih/2,scale=320:1:flags=area,format=gray'
  const levels = [...(await rawPictures(path ?? '', filter, { fromS: atS, count: 1 }))]
  const isLit = levels.map((level) => level >= 24)
  return [isLit.indexOf(true), isLit.lastIndexOf(true)]
}
