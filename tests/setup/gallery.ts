/**
 * The gallery: every preset rendered once from one source, as a server renders it. Tests that only
 * look at results look here.
 */
import { join } from 'node:path'
import type { Cover } from '#recipes/face-cover/types.ts'
import { findRecipe } from '#recipes/presets.ts'
import type { AssetSource, Moment, RecipePlan, SourceProbe } from '#recipes/types.ts'
import { analyseMoments } from '#server/media/analyse.ts'
import type { ToolRunner } from '#server/media/confined.ts'
import type { Ffmpeg } from '#server/media/ffmpeg.ts'
import { renderPlan, type Material } from '#server/media/render-plan.ts'
import { projectRoot } from '#server/project-root.ts'
import { SECRET, shortPayloads } from '#tests/fixtures/probes.ts'
import { gallerySource, GALLERY_FACES, GALLERY_SIZE } from '#tests/fixtures/gallery-source.ts'
import { keptClip } from './kept.ts'
import { keptJson, keptPlan, SEARCH } from './kept-render.ts'
import { keptRuns } from './kept-runs.ts'
import { testFfmpeg } from './media.ts'
import { shownOf } from './odd-complaints.ts'
import { probed } from './render-edit.ts'

/** One edit of the source. */
export interface Exhibit {
  readonly slug: string
  readonly source: SourceProbe
  readonly plan: RecipePlan
  /** Paths of its outputs, without archives, in the order of the plan. */
  readonly files: readonly string[]
  /** Path of an output by its name. */
  readonly file: (name: string) => string
}

const never = new AbortController().signal

export const MUSIC = join(projectRoot, 'server/music/night-drive.m4a')

/** The incognito scene has a test of its own for noise, which takes 5 processor seconds. */
const PAYLOADS: Readonly<Record<string, unknown>> = {
  ...shortPayloads,
  'incognito-full-scene': { obfuscateVoice: true, denoiseAudio: false },
}

/** The edit that a preset makes of the source with short options, rendered if it is not kept. */
export async function exhibit(slug: string): Promise<Exhibit> {
  opened ??= openGallery()
  const { ffmpeg, path, source, moments } = await opened
  const recipe = findRecipe(slug)
  if (recipe === undefined) throw new Error(`There is no recipe ${slug}`)
  const payload = PAYLOADS[slug]
  const ids = [...new Set(recipe.assetIds(payload))]
  const assets = ids.map((id): AssetSource => ({ id, kind: 'video', probe: LOGO }))
  const plan = recipe.plan(source, payload, {
    moments: recipe.usesMoments ? moments : [],
    assets,
    music: [{ id: 'track', durationMs: 25_000, beats: { perMinute: 96, firstMs: 0 } }],
    availableFilters: ffmpeg.filters,
    availableEncoders: ffmpeg.encoders,
    secret: SECRET,
    faces: coverOf(source),
  })
  if (!plan.ok) throw new Error(`no plan for ${slug}: ${plan.error.message}`)
  const logo = ids.length > 0 ? await brandLogo() : ''
  const assetPaths = new Map(ids.map((id) => [id, logo]))
  const musicPaths = new Map([['track', MUSIC]])
  const given = { source: path, assetPaths, musicPaths }
  const folder = await renderAsServer(ffmpeg, plan.value, { source, assets }, given)
  const file = (name: string): string => join(folder, name)
  const files = plan.value.outputs.filter(({ kind }) => kind !== 'archive')
  return { slug, source, plan: plan.value, files: files.map(({ name }) => file(name)), file }
}

/** What ffprobe shows of a file of the gallery, asked once and kept. */
export async function shownOfExhibit(file: string): Promise<string> {
  return await keptJson(['shown', { file }], async () => await shownOf(file))
}

/** The folder with what a plan makes by the server's own runner. */
async function renderAsServer(
  ffmpeg: Ffmpeg,
  plan: RecipePlan,
  material: Material,
  given: {
    readonly source: string
    readonly assetPaths: ReadonlyMap<string, string>
    readonly musicPaths: ReadonlyMap<string, string>
  },
): Promise<string> {
  const inputs = [given.source, ...given.assetPaths.values(), ...given.musicPaths.values()]
  return await keptPlan(plan, ffmpeg.confinement.kind, inputs, async (folder) => {
    const places = { ...given, folder }
    const rendered = await renderPlan(ffmpeg, plan, material, places, never, () => undefined)
    if (!rendered.ok) throw new Error(rendered.error.detail)
  })
}

interface Gallery {
  readonly ffmpeg: Ffmpeg
  readonly path: string
  readonly source: SourceProbe
  readonly moments: readonly Moment[]
}

/** Asked for once a process, because finding an ffmpeg costs many of its own. */
let opened: Promise<Gallery> | null = null

/**
 * Two edits take the noise off the same sound, which takes 5 processor seconds each time. To keep
 * what ffmpeg makes costs as much as to make it.
 */
const keptPrograms: ToolRunner = async (tools, run, here) =>
  run.tool === 'node' ? await keptRuns(tools, run, here) : await here(run)

/** The source as the server knows it after its check and its search for moments. */
async function openGallery(): Promise<Gallery> {
  const [found, path] = [await testFfmpeg(), await gallerySource()]
  const ffmpeg = { ...found, runner: keptPrograms }
  const ingredients = ['facts', { file: path }, ...SEARCH]
  const facts = await keptJson<Pick<Gallery, 'source' | 'moments'>>(ingredients, async (folder) => {
    const source = await probed(ffmpeg, path)
    const places = { source: path, folder, assetPaths: new Map() }
    // The network that sees people has tests of its own, and takes two processor seconds.
    const tools = { ...ffmpeg, canRunNode: false }
    const moments = await analyseMoments(tools, source, places, never, () => undefined)
    return { source, moments }
  })
  return { ffmpeg, path, ...facts }
}

/** The three people where they are to be seen, and half a second in which all is covered. */
function coverOf({ durationMs }: SourceProbe): Cover {
  const [width, height] = GALLERY_SIZE
  return {
    tracks: GALLERY_FACES.places.map(([x, y, w, h], at) => {
      const box = { x: x / width, y: y / height, width: w / width, height: h / height }
      const { startMs, endMs } = GALLERY_FACES
      const boxes = [startMs, endMs].map((atMs) => ({ ...box, atMs }))
      return { id: `face-${at}`, startMs, endMs, certainty: 0.9, boxes }
    }),
    wholly: [{ startMs: durationMs - 1000, endMs: durationMs - 500 }],
  }
}

export const LOGO: SourceProbe = {
  durationMs: 1000,
  width: 320,
  height: 180,
  frameRate: 25,
  hasAudio: true,
  isHdr: false,
  videoCodec: 'h264',
  audioCodec: 'aac',
  audioChannels: 1,
  fileName: 'logo.mp4',
}

/** A second of a test picture with a tone, as an intro and an outro. */
export async function brandLogo(): Promise<string> {
  const picture = '-f lavfi -i testsrc2=size=320x180:rate=25:duration=1'
  const sound = '-f lavfi -i sine=frequency=440:sample_rate=48000:duration=1'
  const codecs = '-c:v libx264 -preset ultrafast -pix_fmt yuv420p -c:a aac'
  return await keptClip('logo.mp4', `${picture} ${sound} ${codecs}`.split(' '))
}
