import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { recipes } from '#recipes/presets.ts'
import type { RecipePlan, SourceProbe } from '#recipes/types.ts'
import { checkUpload } from '#server/media/check-upload.ts'
import { renderPlan } from '#server/media/render-plan.ts'
import { dolbyVision, VR180, withPictureBoxes } from '#tests/fixtures/picture-boxes.ts'
import { payloads, SECRET } from '#tests/fixtures/probes.ts'
import { keptClip } from '#tests/setup/kept.ts'
import { testFfmpeg } from '#tests/setup/media.ts'
import { runTool } from '#tests/setup/run-tool.ts'

const never = new AbortController().signal
const words = (text: string): readonly string[] => text.split(' ')
const PICTURE = '-f lavfi -i testsrc2=size=320x160:rate=15:duration=2'
/** Two channels that differ, so that music could be turned down between them. */
const SOUND = '-f lavfi -i aevalsrc=0.3*sin(440*2*PI*t)|0.3*sin(660*2*PI*t):s=48000:d=2'

let folder = ''
let vr180 = ''
let checked: Awaited<ReturnType<typeof check>>
let source: SourceProbe
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'immersive-'))
  const plain = await keptClip(
    'flat.mp4',
    words(`${PICTURE} ${SOUND} -c:v libx264 -preset ultrafast -pix_fmt yuv420p -c:a aac`),
  )
  vr180 = join(folder, 'scene_180_LR.mp4')
  await writeFile(vr180, withPictureBoxes(await readFile(plain), 'avc1', VR180))
  checked = await check(vr180)
  if (!checked.ok) throw new Error(checked.error.detail)
  source = checked.value.probe.source
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const check = async (path: string, purpose: 'media-job' | 'media-asset' = 'media-job') =>
  await checkUpload(await testFfmpeg(), {
    path,
    fileName: 'scene.mp4',
    purpose,
    scratchDir: folder,
    signal: never,
  })

/** What ffprobe says of how to look at a picture. */
async function viewOf(path: string): Promise<readonly Readonly<Record<string, unknown>>[]> {
  const show = '-show_entries stream_side_data -select_streams v -of json'
  const { stdout } = await runTool('ffprobe', ['-v', 'error', ...words(show), path])
  const { streams } = JSON.parse(stdout) as {
    streams: { side_data_list?: Record<string, unknown>[] }[]
  }
  return streams[0]?.side_data_list ?? []
}

/** Pixels left out depend on the width; that they are half of it does not. */
const HALF_SPHERE = [
  { side_data_type: 'Stereo 3D', type: 'side by side' },
  { side_data_type: 'Spherical Mapping', projection: 'tiled equirectangular', yaw: 0 },
]

async function known(path: string): Promise<SourceProbe> {
  const checked = await check(path)
  if (!checked.ok) throw new Error(checked.error.detail)
  return checked.value.probe.source
}

function planOf(slug: string): RecipePlan {
  const box = { x: 0.2, y: 0.2, width: 0.2, height: 0.4 }
  const boxes = [0, 2000].map((atMs) => ({ ...box, atMs }))
  const track = { id: 'face', startMs: 0, endMs: 2000, certainty: 0.9, boxes }
  const plan = recipes[slug]?.plan(source, payloads[slug], {
    moments: [],
    assets: [],
    secret: SECRET,
    faces: { tracks: [track], wholly: [] },
  })
  if (plan?.ok !== true) throw new Error(JSON.stringify(plan))
  return plan.value
}

async function render(slug: string): Promise<readonly string[]> {
  const own = join(folder, slug)
  await mkdir(own)
  const plan = planOf(slug)
  const places = { source: vr180, folder: own, assetPaths: new Map() }
  const material = { source, assets: [] }
  const ffmpeg = await testFfmpeg()
  const rendered = await renderPlan(ffmpeg, plan, material, places, never, () => undefined)
  if (!rendered.ok) throw new Error(rendered.error.detail)
  return plan.outputs.map(({ name }) => join(own, name))
}

describe('a VR180 video', () => {
  it('SRC-04 is recognised by its boxes, and said to be so', () => {
    expect(checked.ok ? checked.value.findings : []).toContainEqual({
      ruleId: 'A19',
      verdict: 'info',
      facts: { kind: 'VR180', double: 'yes', kept: 'yes' },
    })
  })

  it('SRC-04 is to stay one by the plan of every edit of a whole scene', () => {
    const whole = Object.values(recipes).filter(({ timeline }) => timeline === undefined)
    expect(whole.length).toBeGreaterThan(8)
    for (const { slug } of whole) {
      const tracks = planOf(slug).outputs.map(({ immersiveTrack }) => immersiveTrack)
      expect(tracks, slug).toEqual([source.immersiveTrack])
    }
  })

  // One that encodes the picture, one that makes it smaller, one that covers parts of it, and one
  // that copies it.
  it.each([
    'dynamic-watermark',
    'example-low-resolution-video',
    'face-blurred-full-scene',
    'voice-mask-full-scene',
  ])('SRC-04 stays one in %s, and plays', async (slug) => {
    const [file = ''] = await render(slug)
    expect(await viewOf(file)).toMatchObject(HALF_SPHERE)
    expect((await readFile(file)).includes('SecretCamera')).toBe(false)
    const { stderr } = await runTool('ffmpeg', ['-v', 'error', '-i', file, '-f', 'null', '-'])
    expect(stderr).toBe('')
  })

  it('SRC-04 is flat in an edit of passages', async () => {
    const [file = ''] = await render('teaser-15s')
    expect(await viewOf(file)).toEqual([])
  })

  it('SRC-04 is recognised in Matroska too', async () => {
    const path = join(folder, 'scene.mkv')
    await runTool('ffmpeg', [
      '-v',
      'error',
      '-i',
      vr180,
      ...words('-c copy -strict unofficial'),
      path,
    ])
    expect(await known(path)).toMatchObject({ immersiveTrack: 1 })
  })
})

describe('Dolby Vision', () => {
  const made = async (name: string, record: Buffer): Promise<string> => {
    const picture = '-f lavfi -i testsrc2=size=160x90:rate=10:duration=1'
    const codec = '-c:v libx265 -preset ultrafast -x265-params log-level=error -tag:v hvc1'
    const plain = await keptClip('hevc.mp4', words(`${picture} ${codec} -pix_fmt yuv420p10le`))
    const path = join(folder, name)
    await writeFile(path, withPictureBoxes(await readFile(plain), 'hvc1', record))
    return path
  }
  const REFUSED =
    'Only Dolby Vision players can show the colors of this video, so please export it as HDR10 or SDR.'

  it('SRC-06 without a compatible base layer is refused, of videos and of assets', async () => {
    const path = await made('five.mp4', dolbyVision('dvcC', 5, 0))
    for (const purpose of ['media-job', 'media-asset'] as const) {
      const checked = await check(path, purpose)
      expect(checked.ok ? null : checked.error.message).toBe(REFUSED)
    }
    const matroska = join(folder, 'five.mkv')
    await runTool('ffmpeg', [
      '-v',
      'error',
      '-i',
      path,
      ...words('-c copy -strict unofficial'),
      matroska,
    ])
    const checked = await check(matroska)
    expect(checked.ok ? null : checked.error.message).toBe(REFUSED)
  })

  it.each([
    ['8.1', dolbyVision('dvvC', 8, 1)],
    ['8.4', dolbyVision('dvvC', 8, 4)],
    ['7', dolbyVision('dvcC', 7, 6)],
  ] as const)('SRC-06 of profile %s is taken', async (profile, record) => {
    expect((await check(await made(`${profile}.mp4`, record))).ok).toBe(true)
  })
})
