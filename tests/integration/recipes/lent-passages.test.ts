import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { findRecipe } from '#recipes/presets.ts'
import { readFor, SEGMENT_FILE } from '#recipes/segments.ts'
import type { Stretch } from '#recipes/stretch.ts'
import { stretchesRead } from '#recipes/stretches-read.ts'
import type { RecipePlan, Segment } from '#recipes/types.ts'
import type { UploadRow } from '#server/db/rows.ts'
import { createS3Copies } from '#server/object-store/s3/copies.ts'
import { lendSource } from '#server/operations/media/uploads/lend-source.ts'
import { createStoredObject, type StoredObject } from '#tests/fakes/stored-object.ts'
import { probe, SECRET } from '#tests/fixtures/probes.ts'
import { videoInMatroska, WHOLE_MS, wholeVideo } from '#tests/setup/excerpts.ts'
import { renderPlan } from '#tests/setup/render-plan.ts'

const PART = 16 * 1024
const signal = new AbortController().signal

const SOURCE = probe({ durationMs: WHOLE_MS, width: 160, height: 90, frameRate: 12 })

/** The plan of an edit of two minutes, with the passages that a creator chose, if any. */
function planned(slug: string, chosen: readonly (readonly [number, number])[] = []): RecipePlan {
  const shown = chosen.map(([startMs, endMs]) => ({ startMs, endMs, isLocked: false }))
  const payload = chosen.length === 0 ? {} : { moments: { shown, banned: [] } }
  const plan = findRecipe(slug)?.plan(SOURCE, payload, { moments: [], assets: [], secret: SECRET })
  if (plan?.ok !== true) throw new Error(JSON.stringify(plan))
  return plan.value
}
const TEASER = planned('teaser-15s', [
  [15_211, 20_377],
  [54_333, 59_500],
  [105_489, 110_656],
])

interface Lent {
  readonly object: StoredObject
  /** The file that is lent for what is read. */
  readonly lend: (stretches: readonly Stretch[] | null) => Promise<Buffer>
}

async function inABucket(video: Buffer): Promise<Lent> {
  const object = await createStoredObject(video, PART)
  const { uploadId: id, ...rest } = object.plan
  const upload = { id, ...rest } as unknown as UploadRow
  const copies = createS3Copies({ ...object, folder: await scratch(), keepBytes: 1e9 })
  const lend: Lent['lend'] = async (stretches) =>
    await lendSource({ copies }, { upload, stretches, folder: await scratch(), signal }, (path) =>
      readFile(path),
    )
  return { object, lend }
}

async function madeOf(video: Buffer, plan: RecipePlan, name: string): Promise<Buffer> {
  const folder = await scratch()
  const source = join(folder, 'source.mp4')
  await writeFile(source, video)
  await renderPlan(plan, { source, folder })
  return await readFile(join(folder, name))
}

async function scratch(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'onecut-lent-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  return folder
}

it('SCL-08 a machine without a video makes a teaser of the parts that it needs, to the byte as of the whole', async () => {
  const video = await wholeVideo()
  const { object, lend } = await inABucket(video)
  const passages = await lend(stretchesRead(TEASER))
  expect(object.readBytes()).toBeLessThan(0.4 * video.length)
  const [made, ofWhole] = await Promise.all(
    [passages, video].map(async (bytes) => await madeOf(bytes, TEASER, 'teaser-15s.mp4')),
  )
  expect(ofWhole?.length).toBeGreaterThan(50_000)
  expect(made?.equals(ofWhole ?? Buffer.alloc(0))).toBe(true)
})

it.each<Segment>([
  { fromMs: 0, toMs: 20_000 },
  { fromMs: 60_000, toMs: 80_000 },
  { fromMs: 100_000, toMs: null },
])(
  'SCL-07 SCL-08 a segment is made of its passage, to the byte as of the whole: %o',
  async (segment) => {
    const video = await wholeVideo()
    const { object, lend } = await inABucket(video)
    const { seekMs = 0, durationMs = WHOLE_MS } = readFor(segment)
    const passage = await lend([{ startMs: seekMs, endMs: seekMs + durationMs }])
    expect(object.readBytes()).toBeLessThan(0.4 * video.length)
    const recipe = findRecipe('dynamic-watermark')
    const divided = { kind: 'segment', segment } as const
    const context = { moments: [], assets: [], secret: SECRET, divided }
    const plan = recipe?.plan(SOURCE, { text: 'a' }, context)
    if (plan?.ok !== true) throw new Error(JSON.stringify(plan))
    const onOne = onOneThread(plan.value)
    const made = await madeOf(passage, onOne, SEGMENT_FILE)
    expect(made.length).toBeGreaterThan(50_000)
    expect(made.equals(await madeOf(video, onOne, SEGMENT_FILE))).toBe(true)
  },
)

/** An encoder of several threads makes other bytes of the same pictures. */
function onOneThread({ steps, ...plan }: RecipePlan): RecipePlan {
  return {
    ...plan,
    steps: steps.map((step) => ({ ...step, args: ['-threads', '1', ...step.args] })),
  }
}

it('SCL-08 of an MKV too only some parts are fetched, for a file with its clock', async () => {
  const video = await videoInMatroska('pcm_s16le')
  const { object, lend } = await inABucket(video)
  const passages = await lend(stretchesRead(TEASER))
  expect(object.readBytes()).toBeLessThan(0.6 * video.length)
  expect(passages.subarray(0, 4).toString('hex')).toBe('1a45dfa3')
  expect(passages.length).toBeLessThan(object.readBytes())
})

it('SCL-08 edits of a video fetch each of its parts once, whether they need passages or all of it', async () => {
  const video = await wholeVideo()
  const { object, lend } = await inABucket(video)
  const first = await lend(stretchesRead(TEASER))
  const fetched = object.readBytes()
  expect(await lend(stretchesRead(TEASER))).toEqual(first)
  expect(object.readBytes()).toBe(fetched)
  expect((await lend(null)).equals(video)).toBe(true)
  expect(object.readBytes()).toBe(video.length)
  // What is here is lent as it is.
  expect((await lend(stretchesRead(TEASER))).equals(video)).toBe(true)
  expect(object.readBytes()).toBe(video.length)
})

it('SCL-08 where most of a video is needed, and where it has no index of its samples, all of it is fetched', async () => {
  const video = await wholeVideo()
  const most = planned('teaser-60s')
  for (const [bytes, plan] of [
    [video, most],
    [Buffer.concat([Buffer.alloc(16), video]), TEASER],
  ] as const) {
    const { object, lend } = await inABucket(bytes)
    expect((await lend(stretchesRead(plan))).equals(bytes)).toBe(true)
    expect(object.readBytes()).toBe(bytes.length)
  }
})
