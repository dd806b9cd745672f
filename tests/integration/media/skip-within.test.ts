import { mkdtemp, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { pngStill } from '#recipes/encoding.ts'
import type { PlanStep } from '#recipes/types.ts'
import type { Ffmpeg } from '#server/media/ffmpeg.ts'
import { renderPlan } from '#server/media/render-plan.ts'
import { resolveFfmpeg } from '#server/media/resolve.ts'
import { probe } from '#tests/fixtures/probes.ts'
import { ffmpeg as plainFfmpeg } from '#tests/setup/render-plan.ts'

let folder = ''
let path = ''
let ffmpeg: Ffmpeg

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'onecut-skip-'))
  path = join(folder, 'source.png')
  await plainFfmpeg(['-f', 'lavfi', '-i', 'testsrc2=s=320x240', '-frames:v', '1', path])
  const found = await resolveFfmpeg({
    ffmpegPath: null,
    ffprobePath: null,
    searchPath: process.env['PATH'] ?? '',
    dataDir: folder,
  })
  if (!('ffmpeg' in found)) throw new Error(found.message)
  ffmpeg = found.ffmpeg
})
afterAll(() => rm(folder, { recursive: true, force: true }))

/** A picture of so many pixels beside each other, for `bytes` or, as the first step, always. */
function picture(width: number, bytes?: number): PlanStep {
  return {
    id: `of-${width}`,
    inputs: [{ from: { kind: 'asset', id: 'source' } }],
    args: ['-vf', `scale=${width}:-1`, ...pngStill, { kind: 'output', name: 'out.png' }],
    outputDurationMs: 0,
    weight: 1,
    needs: { filters: [], encoders: [] },
    ...(bytes === undefined ? {} : { skipWithin: { name: 'out.png', bytes } }),
  }
}

it('REC-12 a smaller try is made only while the file is larger than its limit', async () => {
  const sizeWith = async (limit: number): Promise<number> => {
    const own = await mkdtemp(join(folder, 'tries-'))
    const shares: number[] = []
    const done = await renderPlan(
      ffmpeg,
      { files: [], steps: [picture(320), picture(64, limit), picture(16, limit)], outputs: [] },
      { source: probe(), assets: [] },
      { source: path, folder: own, assetPaths: new Map([['source', path]]) },
      new AbortController().signal,
      (ratio) => shares.push(ratio),
    )
    expect(done.ok).toBe(true)
    return (await stat(join(own, 'out.png'))).size
  }
  const [whole, smaller, smallest] = [
    await sizeWith(1_000_000),
    await sizeWith(3000),
    await sizeWith(1),
  ]
  expect(whole).toBeGreaterThan(3000)
  expect(smaller).toBeLessThanOrEqual(3000)
  expect(smallest).toBeLessThan(smaller)
})
