import { openAsBlob } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, extname, join } from 'node:path'
import { expect, onTestFinished } from 'vitest'
import { findRecipe } from '#recipes/presets.ts'
import { printArgs } from '#recipes/print-args.ts'
import type { PlanPlace, RecipePlan, SourceProbe } from '#recipes/types.ts'
import { boundedRun } from '#server/media/bounds.ts'
import { composedSource } from '#src/local/uploads/file/composed-source.ts'
import { fileSource } from '#src/local/uploads/file/file-source.ts'
import { videoIndexOf } from '#src/local/uploads/file/movie-index.ts'
import type { ByteSource } from '#src/local/uploads/ports.ts'
import { probe, SECRET } from '#tests/fixtures/probes.ts'
import { described, SECONDS, words, type Film } from './films.ts'
import { ffmpeg } from './render-plan.ts'

/** Three passages that add up to the teaser: 15 s, and two fades of a quarter of a second. */
const MOMENTS = [
  [5_211, 10_377],
  [14_333, 19_500],
  [25_489, 30_656],
] as const

function teaserOf(source: SourceProbe, moments: Film['moments'] = MOMENTS): RecipePlan {
  const shown = moments.map(([startMs, endMs]) => ({ startMs, endMs, isLocked: false }))
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

export interface Cut {
  readonly source: SourceProbe
  readonly plan: RecipePlan
  readonly whole: string
  readonly excerpt: string
  readonly folder: string
  readonly bytes: Pick<ByteSource, 'sizeBytes'> & { readonly ofWhole: number }
}

export async function cut({ file, source: different, moments, seconds }: Film): Promise<Cut> {
  const whole = await file()
  const source = probe({
    durationMs: (seconds ?? SECONDS) * 1000,
    width: 128,
    height: 72,
    frameRate: 25,
    ...different,
  })
  const plan = teaserOf(source, moments)
  const stretches = readsOf(plan, source).flatMap(({ planned }) =>
    planned.map(({ seekMs = 0, durationMs = 0 }) => ({
      startMs: seekMs,
      endMs: seekMs + durationMs,
    })),
  )
  const bytes = fileSource(new File([await openAsBlob(whole)], basename(whole)))
  const index = await videoIndexOf(bytes)
  if (!index.ok) throw new Error(index.error.code)
  const planned = await index.value.planExcerpt(stretches)
  if (!planned.ok) throw new Error(planned.error.code)
  const folder = await mkdtemp(join(tmpdir(), 'onecut-excerpt-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const excerpt = join(folder, `excerpt${extname(whole)}`)
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

/** Expects that an excerpt shows the same as its whole, is described alike, and names nothing. */
export async function expectSame(film: Film): Promise<void> {
  const own = await cut(film)
  const [ofWhole = '', ofExcerpt] = await seen(own)
  expect(readsOf(own.plan, own.source)).toHaveLength(MOMENTS.length)
  expect(ofWhole.split('\n').length).toBeGreaterThan(600)
  expect(ofExcerpt).toEqual(ofWhole)
  expect(await described(own.excerpt)).toEqual(await described(own.whole))
  // 22 of 36 s are read, from a key frame on; of longer ones less, from a cluster on.
  expect(own.bytes.sizeBytes).toBeLessThan(own.bytes.ofWhole * 0.8)
  const text = await readFile(own.excerpt, 'latin1')
  expect(text).not.toMatch(/52\.5200|Lavf/)
}
