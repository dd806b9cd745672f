import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { findRecipe } from '#recipes/presets.ts'
import type { Moment } from '#recipes/types.ts'
import { analyseMoments } from '#server/media/analyse.ts'
import { probe } from '#tests/fixtures/probes.ts'
import { testFfmpeg } from '#tests/setup/media.ts'
import { patience } from '#tests/setup/patience.ts'
import { runTool } from '#tests/setup/run-tool.ts'

const SCENE_S = 5
/** Black at two places, so that what is left is little more than the edits show. */
const SCENES = [
  'testsrc2=s=320x180:r=25',
  'color=black:s=320x180:r=25',
  'mandelbrot=s=320x180:r=25',
  'cellauto=s=320x180:r=25:rule=110:random_seed=1',
  'color=black:s=320x180:r=25',
  'gradients=s=320x180:r=25:c0=0x4020c0:c1=0xe040a0:n=2:speed=0.02:seed=1',
]
const BLACK = [1, 4].map((at) => ({ fromMs: at * SCENE_S * 1000, toMs: (at + 1) * SCENE_S * 1000 }))
const source = probe({ durationMs: SCENES.length * SCENE_S * 1000, hasAudio: false })

const state: { folder: string; moments: readonly Moment[] } = { folder: '', moments: [] }
beforeAll(async () => {
  state.folder = await mkdtemp(join(tmpdir(), 'black-between-'))
  const path = join(state.folder, 'video.mp4')
  const inputs = SCENES.flatMap((scene) => ['-f', 'lavfi', '-t', String(SCENE_S), '-i', scene])
  const alike = SCENES.map((_, at) => `[${at}:v]format=yuv420p,setsar=1[p${at}];`).join('')
  const all = SCENES.map((_, at) => `[p${at}]`).join('')
  const graph = `${alike}${all}concat=n=${SCENES.length}[v]`
  const encoder = ['-c:v', 'libx264', '-preset', 'ultrafast', '-g', '25']
  await runTool(
    'ffmpeg',
    [
      '-nostdin',
      '-v',
      'error',
      inputs,
      '-filter_complex',
      graph,
      '-map',
      '[v]',
      encoder,
      path,
    ].flat(),
  )
  // It shows no people, so the network that would see people is not started.
  state.moments = await analyseMoments(
    { ...(await testFfmpeg()), canRunNode: false },
    source,
    { source: path, folder: state.folder, assetPaths: new Map() },
    AbortSignal.timeout(patience(60)),
    () => undefined,
  )
})
afterAll(() => rm(state.folder, { recursive: true, force: true }))

it.each([
  ['REC-01', 'teaser-15s', undefined, 15_000],
  ['REC-06', 'tube-cut', { targetDuration: 12_000 }, 12_000],
  ['REC-03', 'social-media-gif-pack', undefined, null],
])('%s %s of a source that is a third black shows no black', (_, slug, payload, lengthMs) => {
  const found = findRecipe(slug)?.timeline?.(source, payload, state)
  if (found?.ok !== true) throw new Error(JSON.stringify(found))
  const black = found.value.filter(({ startMs, endMs }) =>
    BLACK.some(({ fromMs, toMs }) => startMs < toMs - 1 && endMs > fromMs + 1),
  )
  expect(black).toEqual([])
  if (lengthMs !== null) {
    const last = found.value.at(-1)
    expect((last?.outputStartMs ?? 0) + (last?.endMs ?? 0) - (last?.startMs ?? 0)).toBe(lengthMs)
  }
})
