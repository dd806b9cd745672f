import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { LOUDNESS_METER, loudnessIn } from '#recipes/loudness.ts'
import { findRecipe } from '#recipes/presets.ts'
import { NO_WIDTH_DB, widthIn, widthRun } from '#recipes/sound-width.ts'
import type { SourceProbe } from '#recipes/types.ts'
import { SECRET, probe } from '#tests/fixtures/probes.ts'
import { SPEECH, signalToDistortion, voiceOverPauses } from '#tests/integration/recipes/signal.ts'
import { samplesOf } from '#tests/integration/recipes/voice.ts'
import { denoisedBy, grainOf } from '#tests/setup/denoised.ts'
import { kept } from '#tests/setup/kept.ts'
import { renderKept } from '#tests/setup/kept-render.ts'
import { ffmpeg } from '#tests/setup/render-plan.ts'

const RAW = '-f s16le -ar 48000 -ac 2'.split(' ')
let folder = ''
/** Where the videos that are edited lie, which are only read. */
let sources = ''

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sound-'))
  const voice = join(import.meta.dirname, '../../fixtures/voices/high.ogg')
  const lavfi = [
    'testsrc2=s=320x180:r=30:d=6',
    'anoisesrc=a=0.02:d=6:seed=7:r=48000',
    'anullsrc=d=6',
  ]
  const graph =
    `${SPEECH},asplit=3[clean][more][file];` +
    '[2:a]aformat=channel_layouts=stereo[n];[more][n]amix=normalize=0:duration=first[noisy]'
  const codecs = '-c:v libx264 -preset ultrafast -bf 2 -pix_fmt yuv420p'.split(' ')
  const video = (sound: string): string[] => ['-map', '1:v', '-map', sound].concat(codecs)
  const inputs = lavfi.flatMap((source) => ['-f', 'lavfi', '-i', source])
  sources = await kept('clips', [...inputs, graph, ...codecs, { file: voice }], async (own) => {
    await ffmpeg(
      ['-i', voice].concat(
        inputs,
        ['-filter_complex', graph, '-map', '[file]', join(own, 'clean.wav')],
        // Of one microphone: two channels that differ cost twice as much to clean.
        video('[clean]').concat('-ac', '1', join(own, 'clean.mp4')),
        video('[noisy]').concat(join(own, 'noisy.mp4')),
        video('3:a').concat(join(own, 'silent.mp4')),
      ),
    )
  })
})
afterAll(() => rm(folder, { recursive: true, force: true }))

/** Where the result is, and its folder with what was made on the way. */
async function render(
  slug: string,
  path: string,
  different: Partial<SourceProbe> = {},
): Promise<{ readonly result: string; readonly made: string }> {
  const plan = findRecipe(slug)?.plan(
    probe({ durationMs: 6000, width: 320, height: 180, pixelFormat: 'yuv420p', ...different }),
    undefined,
    { moments: [], assets: [], secret: SECRET },
  )
  if (plan?.ok !== true) throw new Error(JSON.stringify(plan))
  const [result = ''] = Object.values(await renderKept(plan.value, { source: path }))
  return { result, made: dirname(result) }
}

const loudnessOf = async (path: string): Promise<number | null> =>
  loudnessIn(await ffmpeg(['-i', path, '-vn', '-af', LOUDNESS_METER, '-f', 'null', '-']))

const framesOf = (path: string): Promise<string> =>
  ffmpeg(['-i', path, '-map', '0:v', '-f', 'framemd5', '-'])

describe('music turned down', () => {
  it('REC-17 is refused for voices and music in one channel, and offered where the channels differ', async () => {
    const printed = async (chain: string): Promise<string> => {
      const { args } = widthRun({ durationMs: 6000 })
      const path = join(folder, 'width.wav')
      await ffmpeg([
        '-f',
        'lavfi',
        '-i',
        'anoisesrc=d=6:seed=1',
        '-f',
        'lavfi',
        '-i',
        'anoisesrc=d=6:seed=2',
        '-filter_complex',
        chain,
        path,
      ])
      return await ffmpeg(['-i', path].concat(args.map(String)))
    }
    const apart = widthIn(await printed('[0][1]join=inputs=2:channel_layout=stereo'))
    const alike = widthIn(await printed('[0]aformat=channel_layouts=stereo'))
    expect(Math.abs(apart ?? 99)).toBeLessThan(2)
    expect(alike).toBeLessThan(NO_WIDTH_DB + 50)
    const plan = (soundWidthDb: number | null) =>
      findRecipe('remove-background-music')?.plan(
        probe({ durationMs: 6000, ...(soundWidthDb === null ? {} : { soundWidthDb }) }),
        undefined,
        { moments: [], assets: [], secret: SECRET },
      ).ok
    expect([plan(apart), plan(alike), plan(null)]).toEqual([true, false, true])
  })
})

describe('the denoised scene', () => {
  it('REC-15 is at least 3 dB nearer to the picture without its grain', async () => {
    expect(await denoisedBy(14, folder)).toBeGreaterThan(3)
  })

  it('REC-15 leaves a picture without grain as it is', async () => {
    const clean = join(sources, 'clean.mp4')
    const { result } = await render('denoised-full-scene', clean, {
      grain: await grainOf(clean, join(folder, 'clean.raw')),
    })
    expect(await framesOf(result)).toBe(await framesOf(clean))
  })
})

describe('enhanced audio', () => {
  it('REC-16 takes noise off voices, comes out at -16 LUFS and leaves the picture as it is', async () => {
    const source = join(sources, 'noisy.mp4')
    const { result } = await render('enhanced-audio-full-scene', source)
    const [clean = [], noisy = [], heard = []] = await Promise.all(
      [join(sources, 'clean.wav'), source, result].map((path) => samplesOf(path)),
    )
    expect(voiceOverPauses(heard) - voiceOverPauses(noisy)).toBeGreaterThan(15)
    const after = signalToDistortion(clean, heard)
    expect(Math.abs(after.delayMs)).toBeLessThan(10)
    expect(Math.abs(((await loudnessOf(result)) ?? 0) + 16)).toBeLessThan(0.5)
    expect(await framesOf(result)).toBe(await framesOf(source))
  })

  it('REC-16 gains more than 8 dB where the mains hum under a voice', async () => {
    const tones = [0.03, 0.02, 0.015].map((each, at) => `${each}*sin(2*PI*50.03*${at + 1}*t)`)
    await ffmpeg(
      [
        '-i',
        join(sources, 'clean.mp4'),
        '-f',
        'lavfi',
        '-i',
        `aevalsrc='${tones.join('+')}':d=6`,
      ].concat(
        ['-filter_complex', '[1]aformat=channel_layouts=stereo[h];[0:a][h]amix=normalize=0[a]'],
        ['-map', '0:v', '-map', '[a]', '-c:v', 'copy', join(folder, 'hum.mp4')],
      ),
    )
    const { result } = await render('enhanced-audio-full-scene', join(folder, 'hum.mp4'))
    const [clean = [], before = [], after = []] = await Promise.all(
      [join(sources, 'clean.wav'), join(folder, 'hum.mp4'), result].map((path) => samplesOf(path)),
    )
    const gained = signalToDistortion(clean, after).decibels
    expect(gained - signalToDistortion(clean, before).decibels).toBeGreaterThan(8)
  })

  it('REC-16 takes nothing of a voice in a quiet room, and makes no noise of silence', async () => {
    const { made } = await render('enhanced-audio-full-scene', join(sources, 'clean.mp4'))
    const [heard, left] = await Promise.all(
      ['samples.pcm', 'quiet.pcm'].map(async (name) => {
        await ffmpeg(RAW.concat('-i', join(made, name), join(folder, `${name}.wav`)))
        return await samplesOf(join(folder, `${name}.wav`))
      }),
    )
    expect(signalToDistortion(heard ?? [], left ?? []).decibels).toBeGreaterThan(20)
    const silent = await render('enhanced-audio-full-scene', join(sources, 'silent.mp4'))
    expect(await loudnessOf(silent.result)).toBeLessThanOrEqual(-69)
  })
})
