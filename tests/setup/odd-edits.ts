import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findRecipe } from '#recipes/presets.ts'
import type { Cover } from '#recipes/face-cover/types.ts'
import type { Moment, RecipePlan, SourceProbe } from '#recipes/types.ts'
import { analyseMoments } from '#server/media/analyse.ts'
import { checkOutputs, filesOf } from '#server/media/check-output.ts'
import { checkUpload } from '#server/media/check-upload.ts'
import type { Ffmpeg } from '#server/media/ffmpeg.ts'
import { renderPlan, type RenderPlaces } from '#server/media/render-plan.ts'
import { refuseSoundless } from '#server/operations/media/media-jobs/refuse-soundless.ts'
import { Problem } from '#server/problems.ts'
import { makeOddSource, type OddSource } from '#tests/fixtures/odd-sources/kinds.ts'
import { ODD_SOURCES, OPEN_SOURCES, VERY_ODD_SOURCES } from '#tests/fixtures/odd-sources/list.ts'
import { SECRET, shortPayloads } from '#tests/fixtures/probes.ts'
import { brandLogo, LOGO, MUSIC } from './gallery.ts'
import { keptJson, keptPlan, SEARCH } from './kept-render.ts'
import { testFfmpeg } from './media.ts'
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

/** Where the outputs of a plan come to lie, and who has made them before. */
type Rendering = (
  plan: RecipePlan,
  inputs: readonly string[],
  render: (folder: string) => Promise<void>,
) => Promise<string>

const renderingIn =
  (folder: string): Rendering =>
  async (_plan, _inputs, render) => {
    const own = await mkdtemp(join(folder, 'render-'))
    await render(own)
    return own
  }

/**
 * Makes one edit as a worker does, and looks at what came out.
 * @param folder for what is made on the way, and for the files of the edit unless `rendering` has
 *   another place for them
 */
export async function editOdd(
  ffmpeg: Ffmpeg,
  slug: string,
  source: KnownSource,
  folder: string,
  rendering = renderingIn(folder),
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
  const ids = [...new Set(recipe.assetIds(shortPayloads[slug]))]
  const assets = ids.map((id) => ({ id, kind: 'video' as const, probe: LOGO }))
  const planned = recipe.plan(probe, shortPayloads[slug], {
    moments: recipe.usesMoments ? await source.moments() : [],
    assets,
    music: [{ id: 'track', durationMs: 25_000, beats: { perMinute: 96, firstMs: 0 } }],
    availableFilters: ffmpeg.filters,
    availableEncoders: ffmpeg.encoders,
    secret: SECRET,
    faces: coverOf(probe),
  })
  if (!planned.ok) return { kind: 'failed', why: `plan: ${planned.error.message}` }
  const plan = planned.value
  const logo = ids.length > 0 ? await brandLogo() : ''
  const given = {
    source: path,
    assetPaths: new Map(ids.map((id) => [id, logo])),
    musicPaths: new Map([['track', MUSIC]]),
  }
  const inputs = [path, MUSIC, ...given.assetPaths.values()]
  try {
    const made = await rendering(plan, inputs, async (own) => {
      await render(ffmpeg, { plan, source, places: { ...given, folder: own }, assets })
    })
    return await look(ffmpeg, { slug, source, plan, made, folder })
  } catch (error) {
    if (error instanceof NotRendered) return { kind: 'failed', why: error.message }
    throw error
  }
}

class NotRendered extends Error {}

interface OddRender {
  readonly source: KnownSource
  readonly plan: RecipePlan
  readonly places: RenderPlaces
  readonly assets: Parameters<typeof renderPlan>[2]['assets']
}

async function render(ffmpeg: Ffmpeg, { source, plan, places, assets }: OddRender): Promise<void> {
  const material = { source: source.probe, assets }
  const rendered = await renderPlan(ffmpeg, plan, material, places, never, () => undefined)
  if (!rendered.ok) throw new NotRendered(`ffmpeg: ${rendered.error.detail}`)
  for (const { args } of plan.steps)
    for (const arg of args)
      if (typeof arg === 'object' && arg.kind === 'scratch')
        await rm(join(places.folder, arg.name), { force: true })
}

interface OddResult {
  readonly slug: string
  readonly source: KnownSource
  readonly plan: RecipePlan
  /** Where its outputs are. */
  readonly made: string
  readonly folder: string
}

async function look(
  ffmpeg: Ffmpeg,
  { slug, source, plan, made, folder }: OddResult,
): Promise<OddVerdict> {
  const complaints: string[] = []
  const scratch = await mkdtemp(join(folder, 'look-'))
  const place = { cwd: scratch, signal: never }
  const checked = await checkOutputs(ffmpeg, filesOf(plan, made), place)
  if (!checked.ok) complaints.push(checked.error)
  else
    for (const { file } of checked.value)
      complaints.push(...(await complaintsAbout({ slug, source, plan, ...file })))
  return complaints.length === 0
    ? { kind: 'made', files: plan.outputs.map(({ name }) => join(made, name)) }
    : { kind: 'failed', why: complaints.join('; ') }
}

/** Where odd sources are checked and edited, unless that is kept. */
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
  const check = async (name: string): Promise<KnownSource | string> => {
    const odd = [...ODD_SOURCES, ...VERY_ODD_SOURCES, ...OPEN_SOURCES].find(
      (each) => each.name === name,
    )
    if (odd === undefined) throw new Error(`There is no source ${name}`)
    return await keptKnown(ffmpeg, odd)
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
    edit: async (slug, name) =>
      await editOdd(ffmpeg, slug, await known(name), folder, async (plan, inputs, render) =>
        keptPlan(plan, `odd ${ffmpeg.confinement.kind}`, inputs, render),
      ),
    close: async () => await rm(folder, { recursive: true, force: true }),
  }
}

/** What `knowSource` says of a source, checked and searched if that is not kept. */
async function keptKnown(ffmpeg: Ffmpeg, odd: OddSource): Promise<KnownSource | string> {
  const path = await makeOddSource(odd, ODD_SOURCES)
  const ingredients = [odd.name, { file: path }, ...SEARCH]
  const probe = await keptJson<SourceProbe | string>(['check', ...ingredients], async (own) => {
    const known = await knowSource(ffmpeg, odd, path, own)
    return typeof known === 'string' ? known : known.probe
  })
  if (typeof probe === 'string') return probe
  // The network that sees people gets pictures of one size, whatever is odd in the source, so it
  // is not started here.
  const tools = { ...ffmpeg, canRunNode: false }
  const moments = async (): Promise<readonly Moment[]> =>
    await keptJson(['plain moments', ...ingredients], async (own) => {
      const places = { source: path, folder: own, assetPaths: new Map() }
      return await analyseMoments(tools, probe, places, never, () => undefined)
    })
  return { odd, path, probe, moments }
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
