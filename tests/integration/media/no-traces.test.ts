import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findRecipe, recipes } from '#recipes/presets.ts'
import type { AssetSource, SourceProbe } from '#recipes/types.ts'
import { SECRET } from '#tests/fixtures/probes.ts'
import { toFileProbe } from '#server/media/file-probe.ts'
import { ffmpeg, renderPlan } from '#tests/setup/render-plan.ts'

const run = promisify(execFile)
/**
 * What the source says of place, device, time and people: in its container, in a track, in a
 * chapter, and within its pictures.
 */
const SECRETS = [
  '+51.5074-000.1278',
  'SecretMaker',
  'SecretModel9',
  'private title',
  'private chapter',
  'private track',
  'MDPMsecret',
  '2026-05-03',
] as const
/** What a container needs to be played; nothing of it comes from the source. */
const HARMLESS: ReadonlySet<string> = new Set([
  'major_brand',
  'minor_version',
  'compatible_brands',
  'language',
  'handler_name',
  'vendor_id',
  'encoder',
])
/** Options other than the typical ones: the source is shorter than a usual tube cut. */
const OPTIONS: Readonly<Record<string, unknown>> = {
  'tube-cut': { targetDuration: 10_000, introMediaAssetIds: [], outroMediaAssetIds: [] },
}

let folder = ''
let path = ''
let source: SourceProbe

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'onecut-traces-'))
  path = join(folder, 'IMG_0001.MOV')
  const chapters = join(folder, 'chapters.txt')
  await writeFile(
    chapters,
    ';FFMETADATA1\n[CHAPTER]\nTIMEBASE=1/1\nSTART=0\nEND=9\ntitle=private chapter\n',
  )
  await ffmpeg([
    '-f',
    'lavfi',
    '-i',
    'testsrc2=size=320x180:rate=25:duration=20',
    '-f',
    'lavfi',
    '-i',
    'sine=frequency=330:sample_rate=48000:duration=20',
    '-i',
    chapters,
    '-map',
    '0',
    '-map',
    '1',
    '-map_chapters',
    '2',
    '-c:v',
    'libx264',
    '-preset',
    'ultrafast',
    '-g',
    '25',
    '-pix_fmt',
    'yuv420p',
    '-c:a',
    'aac',
    // Sound that is copied keeps the name of what made it here.
    '-flags:a',
    '+bitexact',
    '-movflags',
    '+use_metadata_tags',
    '-bsf:v',
    'h264_metadata=sei_user_data=17ee8c60-f84d-11d9-8cd6-0800200c9a66+MDPMsecret',
    ...Object.entries({
      title: 'private title',
      location: '+51.5074-000.1278/',
      'com.apple.quicktime.location.ISO6709': '+51.5074-000.1278/',
      'com.apple.quicktime.make': 'SecretMaker',
      'com.apple.quicktime.model': 'SecretModel9',
      creation_time: '2026-05-03T10:00:00Z',
    }).flatMap(([name, value]) => ['-metadata', `${name}=${value}`]),
    '-metadata:s:v:0',
    'handler_name=private track',
    path,
  ])
  const { stdout } = await run('ffprobe', [
    '-v',
    'error',
    '-print_format',
    'json',
    '-show_format',
    '-show_streams',
    path,
  ])
  const probe = toFileProbe(JSON.parse(stdout) as Parameters<typeof toFileProbe>[0], 'IMG_0001.MOV')
  if (probe === null) throw new Error('the source cannot be read')
  source = probe.source
})
afterAll(() => rm(folder, { recursive: true, force: true }))

describe('place, device and time of the source', () => {
  it('B9 are in the source of this test, so that their absence means something', async () => {
    const bytes = await readFile(path, 'latin1')
    expect(
      SECRETS.filter(
        (secret) => !bytes.includes(secret) && !['private chapter', '2026-05-03'].includes(secret),
      ),
    ).toEqual([])
    expect(await tagsOf(path)).toMatchObject({
      creation_time: expect.stringContaining('2026-05-03'),
    })
  })

  it.each(Object.keys(recipes))('REC-22 B9 %s names neither them nor its encoder', async (slug) => {
    const recipe = findRecipe(slug)
    const payload = OPTIONS[slug] ?? recipe?.typicalPayload
    const assets = (recipe?.assetIds(payload) ?? []).map((id): AssetSource => ({
      id,
      kind: 'video',
      probe: { ...source, durationMs: 1000 },
    }))
    const plan = recipe?.plan(source, payload, { moments: [], assets, secret: SECRET })
    if (plan?.ok !== true)
      throw new Error(`${slug} needs options in this test: ${JSON.stringify(plan)}`)
    const ownFolder = await mkdtemp(join(folder, `${slug}-`))
    const outputs = Object.entries(
      await renderPlan(plan.value, {
        source: path,
        folder: ownFolder,
        assets: Object.fromEntries(assets.map(({ id }) => [id, path])),
      }),
    )
    // Archives hold the other outputs and are packed later.
    const files = outputs.filter(
      ([name]) => plan.value.outputs.find((output) => output.name === name)?.kind !== 'archive',
    )
    expect(files.length).toBeGreaterThan(0)
    for (const [name, file] of files) {
      const bytes = await readFile(file, 'latin1')
      expect(
        [...SECRETS, 'x264', 'Lavc', 'Lavf'].filter((secret) => bytes.includes(secret)),
        name,
      ).toEqual([])
      expect(
        Object.keys(await tagsOf(file)).filter((tag) => !HARMLESS.has(tag)),
        name,
      ).toEqual([])
    }
    for (const output of plan.value.outputs) expect(output.fileName).not.toMatch(/Secret|private/)
  })
})

/** Tags of the container, its tracks, chapters and first picture, as ffprobe reads them. */
async function tagsOf(file: string): Promise<Readonly<Record<string, unknown>>> {
  const { stdout } = await run('ffprobe', [
    '-v',
    'error',
    '-print_format',
    'json',
    '-show_format',
    '-show_streams',
    '-show_chapters',
    '-show_frames',
    '-read_intervals',
    '%+#1',
    file,
  ])
  const {
    format,
    streams = [],
    chapters = [],
    frames = [],
  } = JSON.parse(stdout) as {
    format?: Tagged
    streams?: Tagged[]
    chapters?: Tagged[]
    frames?: Tagged[]
  }
  return Object.assign(
    {},
    ...[format, ...streams, ...chapters, ...frames].map((part) => part?.tags ?? {}),
  )
}

interface Tagged {
  readonly tags?: Readonly<Record<string, string>>
}
