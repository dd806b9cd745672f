import { stat } from 'node:fs/promises'
import { beforeAll, describe, expect, it } from 'vitest'
import { findRecipe } from '#recipes/presets.ts'
import type { PlanContext, SourceProbe } from '#recipes/types.ts'
import { SECRET, probe } from '#tests/fixtures/probes.ts'
import { loudnessOf, streamsOf } from '#tests/integration/recipes/measure.ts'
import { levelOf, samplesOf } from '#tests/integration/recipes/voice.ts'
import { keptClip } from '#tests/setup/kept.ts'
import { renderKept } from '#tests/setup/kept-render.ts'
import { ffmpeg } from '#tests/setup/render-plan.ts'
import { runTool } from '#tests/setup/run-tool.ts'

const source = probe({ durationMs: 3000, width: 960, height: 540, frameRate: 10 })
let clip = ''

beforeAll(async () => {
  clip = await makeSource('plain.mp4', ['-c:v', 'libx264', '-preset', 'veryfast', '-crf', '14'])
})

/** Motion at every scale, and a voice-like sound from 150 Hz to 3 kHz. */
async function makeSource(
  name: string,
  video: readonly string[],
  { size = '960x540', rate = 10, seconds = 3 } = {},
): Promise<string> {
  const sound = [150, 500, 1500, 3000].map((hz) => `0.1*sin(2*PI*${hz}*t)`).join('+')
  return await keptClip(name, [
    '-f',
    'lavfi',
    '-i',
    `mandelbrot=s=${size}:r=${rate}:start_scale=0.5:end_scale=0.05:end_pts=${rate * 12}`,
    '-f',
    'lavfi',
    '-i',
    `aevalsrc='${sound}':s=48000`,
    '-t',
    String(seconds),
    '-pix_fmt',
    'yuv420p',
    ...video,
    '-c:a',
    'aac',
  ])
}

async function render(
  slug: string,
  name: string,
  path = clip,
  different: Partial<SourceProbe> = {},
  more: Partial<PlanContext> = {},
): Promise<string> {
  const context = { moments: [], assets: [], secret: SECRET, ...more }
  const plan = findRecipe(slug)?.plan({ ...source, ...different }, undefined, context)
  if (plan?.ok !== true) throw new Error(JSON.stringify(plan))
  return (await renderKept(plan.value, { source: path }))[name] ?? ''
}

/** Structural likeness of `a` after one filter and `b` after another, the mean of all frames. */
async function ssim(a: string, filterA: string, b: string, filterB: string): Promise<number> {
  const graph = `[0:v]${filterA}[a];[1:v]${filterB}[b];[a][b]ssim`
  const { stderr } = await runTool('ffmpeg', ['-i', a, '-i', b, '-lavfi', graph, '-f', 'null', '-'])
  return Number(/All:([\d.]+)/.exec(stderr)?.[1])
}

describe('copies of a whole video', () => {
  it('REC-13 the small one has 480 lines that are like the scaled source, and even loudness', async () => {
    const path = await render('example-low-resolution-video', 'low-resolution.mp4')
    const { video, audio, durationS } = await streamsOf(path)
    expect([video?.width, video?.height, audio?.codec_name]).toEqual([852, 480, 'aac'])
    expect(durationS).toBeCloseTo(3, 1)
    expect(await ssim(path, 'null', clip, 'scale=852:480:flags=bicubic')).toBeGreaterThan(0.97)
    expect((await stat(path)).size).toBeLessThan((await stat(clip)).size / 2)
    expect(Math.abs((await loudnessOf(path)) + 16)).toBeLessThan(0.5)
  })

  it('REC-14 the large one loses nothing that can be seen, and nothing of its sound', async () => {
    const path = await render('example-high-resolution-video', 'high-resolution.mp4')
    const soundOf = (file: string): Promise<string> =>
      ffmpeg(['-i', file, '-map', '0:a', '-c', 'copy', '-f', 'md5', '-'])
    expect(await soundOf(path)).toBe(await soundOf(clip))
    expect(await ssim(path, 'null', clip, 'null')).toBeGreaterThan(0.99)
    expect((await streamsOf(path)).video).toMatchObject({ codec_name: 'h264', width: 960 })
  })

  it('REC-14 keeps the light of an HDR source in ten bits, where the server can encode them', async () => {
    const light = '-color_primaries bt2020 -color_trc smpte2084 -colorspace bt2020nc'
    const hdr = await makeSource(
      'hdr.mp4',
      `-c:v libx264 -preset ultrafast -crf 14 ${light}`.split(' '),
      { size: '320x180', seconds: 1 },
    )
    const different = { isHdr: true, durationMs: 1000, width: 320, height: 180 }
    const name = 'high-resolution.mp4'
    const kept = await render('example-high-resolution-video', name, hdr, different)
    expect((await streamsOf(kept)).video).toMatchObject({
      codec_name: 'hevc',
      pix_fmt: 'yuv420p10le',
      color_transfer: 'smpte2084',
      color_primaries: 'bt2020',
    })
    const plan = findRecipe('example-high-resolution-video')?.plan(
      { ...source, ...different },
      undefined,
      { moments: [], assets: [], secret: SECRET, availableEncoders: new Set(['libx264', 'aac']) },
    )
    expect(JSON.stringify(plan)).toContain('tonemap')
  })
})

describe('the blurred video', () => {
  it('REC-09 has nothing of the picture beyond 34 by 20 points and nothing of the voice above 400 Hz', async () => {
    const path = await render('blur-video-and-audio', 'blurred.mp4')
    const coarse = 'scale=34:20:flags=area,scale=960:540:flags=bicubic'
    expect(await ssim(path, 'null', path, coarse)).toBeGreaterThan(0.98)
    expect(await ssim(path, 'null', clip, 'null')).toBeLessThan(0.9)
    const [low, high] = [await samplesOf(path), await samplesOf(path, HIGH)]
    expect(levelOf(low) - levelOf(high)).toBeGreaterThan(35)
    expect(Math.abs((await loudnessOf(path)) + 16)).toBeLessThan(0.5)
    expect((await stat(path)).size).toBeLessThan((await stat(clip)).size * 0.3)
  })

  it.each([{ width: 256, height: 144, kbits: 40, codec: ['-b:a', '32k', '-ac', '1'] }])(
    'REC-09 takes 30 % of the size of a source of $kbits kbit/s, too, and is as loud as others',
    async ({ width, height, kbits, codec }) => {
      const rate = ['-b:v', '-maxrate', '-bufsize'].flatMap((name) => [name, `${kbits}k`])
      const small = await makeSource(`small-${kbits}.mp4`, ['-c:v', 'libx264', ...rate, ...codec], {
        size: `${width}x${height}`,
        rate: 25,
      })
      const { size } = await stat(small)
      const different = { width, height, frameRate: 25, bitRate: (size * 8) / 3 }
      const path = await render('blur-video-and-audio', 'blurred.mp4', small, different)
      expect((await stat(path)).size).toBeLessThan(size * 0.3)
      expect(Math.abs((await loudnessOf(path)) + 16)).toBeLessThan(0.5)
      // Still the same picture, only with less of its noise.
      const coarse = `scale=34:20:flags=area,scale=${width}:${height}:flags=bicubic`
      expect(await ssim(path, 'null', path, coarse)).toBeGreaterThan(0.95)
    },
  )

  it('REC-09 is another one of each upload', async () => {
    const [one, other] = [
      await render('blur-video-and-audio', 'blurred.mp4'),
      await render('blur-video-and-audio', 'blurred.mp4', clip, {}, { secret: 'c0de'.repeat(16) }),
    ]
    expect(await ffmpeg(['-i', one, '-map', '0:v', '-f', 'md5', '-'])).not.toBe(
      await ffmpeg(['-i', other, '-map', '0:v', '-f', 'md5', '-']),
    )
    expect(await samplesOf(one)).not.toEqual(await samplesOf(other))
  })
})

/** Only what is well above 400 Hz. */
const HIGH = 'highpass=f=700,highpass=f=700,highpass=f=700'
