import { openAsBlob } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { findRecipe } from '#recipes/presets.ts'
import { printArgs } from '#recipes/print-args.ts'
import type { PlanPlace, RecipePlan, SourceProbe } from '#recipes/types.ts'
import { boundedRun } from '#server/media/bounds.ts'
import { composedSource } from '#src/local/uploads/file/composed-source.ts'
import { fileSource } from '#src/local/uploads/file/file-source.ts'
import { videoIndexOf } from '#src/local/uploads/file/movie-index.ts'
import type { ByteSource } from '#src/local/uploads/ports.ts'
import { probe, SECRET } from '#tests/fixtures/probes.ts'
import { described, FILMS, SECONDS, words, type Film } from '#tests/setup/films.ts'
import { ffmpeg, renderPlan } from '#tests/setup/render-plan.ts'

/** Three passages that add up to the teaser: 15 s, and two fades of a quarter of a second. */
const MOMENTS = [
  [5_211, 10_377],
  [14_333, 19_500],
  [25_489, 30_656],
] as const

function teaserOf(source: SourceProbe): RecipePlan {
  const shown = MOMENTS.map(([startMs, endMs]) => ({ startMs, endMs, isLocked: false }))
  const payload = { moments: { shown, banned: [] } }
  const plan = findRecipe('teaser-15s')?.plan(source, payload, {
    moments: [],
    assets: [],
    secret: SECRET,
  })
  if (plan?.ok !== true) throw new Error(JSON.stringify(plan))
  return plan.value
}

/** The steps of a plan that read the source, as a server runs them. */
function readsOf(plan: RecipePlan, source: SourceProbe) {
  return plan.steps
    .map(({ inputs }) => inputs.filter(({ from }) => from.kind === 'source'))
    .filter((inputs) => inputs.length > 0)
    .map((inputs) => ({
      planned: inputs,
      bounded: boundedRun({ inputs, args: [] }, source).inputs,
    }))
}

interface Cut {
  readonly source: SourceProbe
  readonly plan: RecipePlan
  readonly whole: string
  readonly excerpt: string
  readonly folder: string
  readonly bytes: Pick<ByteSource, 'sizeBytes'> & { readonly ofWhole: number }
}

async function cut({ file, source: different }: Film): Promise<Cut> {
  const whole = await file()
  const source = probe({
    durationMs: SECONDS * 1000,
    width: 128,
    height: 72,
    frameRate: 25,
    ...different,
  })
  const plan = teaserOf(source)
  const stretches = readsOf(plan, source).flatMap(({ planned }) =>
    planned.map(({ seekMs = 0, durationMs = 0 }) => ({
      startMs: seekMs,
      endMs: seekMs + durationMs,
    })),
  )
  const bytes = fileSource(new File([await openAsBlob(whole)], 'film.mp4'))
  const index = await videoIndexOf(bytes)
  if (!index.ok) throw new Error(index.error.code)
  const planned = await index.value.planExcerpt(stretches)
  if (!planned.ok) throw new Error(planned.error.code)
  const folder = await mkdtemp(join(tmpdir(), 'onecut-excerpt-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const excerpt = join(folder, 'excerpt.mp4')
  const composed = composedSource(bytes, planned.value)
  await writeFile(excerpt, composed.slice(0, composed.sizeBytes).stream())
  const { sizeBytes } = composed
  return { source, plan, whole, excerpt, folder, bytes: { sizeBytes, ofWhole: bytes.sizeBytes } }
}

/**
 * A hash and the time of every picture and of every packet of sound that a plan reads, of the whole
 * and of the excerpt: in one run, because a start of ffmpeg costs more than these pictures.
 */
async function seen({ plan, source, whole, excerpt, folder }: Cut): Promise<readonly string[]> {
  const ofWhole = readsOf(plan, source).flatMap(({ bounded }) => bounded)
  const ofExcerpt = ofWhole.map((each) => ({ ...each, from: EXCERPT }))
  const raw = words('-fps_mode passthrough -c:v rawvideo -c:a pcm_s16le -f framemd5')
  const outputs = [ofWhole, ofExcerpt].map((inputs, place) => ({
    path: join(folder, `seen-${place}`),
    maps: inputs
      .map((_, each) => place * ofWhole.length + each)
      .flatMap((each) => ['-map', `${each}:V:0`, '-map', `${each}:a:0`]),
  }))
  const args = outputs.flatMap(({ maps, path }) => [...maps, ...raw, path])
  const pathOf = ({ kind }: PlanPlace): string => (kind === 'asset' ? excerpt : whole)
  await ffmpeg(printArgs({ inputs: [...ofWhole, ...ofExcerpt], args }, pathOf))
  return await Promise.all(outputs.map(({ path }) => readFile(path, 'utf8')))
}
const EXCERPT: PlanPlace = { kind: 'asset', id: 'excerpt' }

it.each(FILMS)(
  'NOW-01 an excerpt shows each picture and sound of its whole: $name',
  async (film) => {
    const own = await cut(film)
    const [ofWhole = '', ofExcerpt] = await seen(own)
    expect(readsOf(own.plan, own.source)).toHaveLength(MOMENTS.length)
    expect(ofWhole.split('\n').length).toBeGreaterThan(800)
    expect(ofExcerpt).toEqual(ofWhole)
    expect(await described(own.excerpt)).toEqual(await described(own.whole))
    // 22 of 36 s are read, from a key frame on.
    expect(own.bytes.sizeBytes).toBeLessThan(own.bytes.ofWhole * 0.8)
    const text = await readFile(own.excerpt, 'latin1')
    expect(text).not.toMatch(/52\.5200|Lavf/)
  },
)

it('NOW-01 a teaser of an excerpt is that of its whole, to the byte', async () => {
  const film = FILMS.find(({ name }) => name.includes('10 bits'))
  if (film === undefined) throw new Error('There is no such film')
  const own = await cut(film)
  const teasers = [own.whole, own.excerpt].map(async (source, place) => {
    const folder = await mkdtemp(join(tmpdir(), `onecut-excerpt-${place}-`))
    onTestFinished(() => rm(folder, { recursive: true }))
    const outputs = await renderPlan(own.plan, { source, folder })
    return await readFile(outputs['teaser-15s.mp4'] ?? '')
  })
  const [ofWhole, ofExcerpt] = await Promise.all(teasers)
  expect(ofWhole?.byteLength).toBeGreaterThan(50_000)
  expect(ofExcerpt?.equals(ofWhole ?? Buffer.alloc(0))).toBe(true)
})
