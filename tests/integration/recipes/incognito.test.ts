import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import type { Cover } from '#recipes/face-cover/types.ts'
import { findRecipe } from '#recipes/presets.ts'
import { SECRET, probe } from '#tests/fixtures/probes.ts'
import { streamsOf } from '#tests/integration/recipes/measure.ts'
import { SPEECH, signalToDistortion, voiceOverPauses } from '#tests/integration/recipes/signal.ts'
import {
  beginningsOf,
  colourOf,
  distance,
  pitchOf,
  samplesOf,
} from '#tests/integration/recipes/voice.ts'
import { kept } from '#tests/setup/kept.ts'
import { renderKept } from '#tests/setup/kept-render.ts'
import { ffmpeg } from '#tests/setup/render-plan.ts'

const LENGTH_MS = 6000
const [WIDTH, HEIGHT] = [320, 180]
/** Where the face is: the middle third of the picture's width, half of its height. */
const faces: Cover = {
  tracks: [
    {
      id: 'one',
      startMs: 0,
      endMs: LENGTH_MS,
      boxes: [{ atMs: 0, x: 0.35, y: 0.25, width: 0.3, height: 0.5 }],
      certainty: 1,
    },
  ],
  wholly: [],
}
let folder = ''

beforeAll(async () => {
  const voice = join(import.meta.dirname, '../../fixtures/voices/high.ogg')
  const claps = "aevalsrc='if(lt(mod(t,1),0.02),0.8*sin(2*PI*900*t),0)':s=48000:d=6"
  const generated = ['testsrc2=s=320x180:r=25:d=6', 'anoisesrc=a=0.02:d=6:seed=7:r=48000', claps]
  const graph =
    `${SPEECH},asplit=2[clean][more];` +
    '[2:a]aformat=channel_layouts=stereo[n];[more][n]amix=normalize=0:duration=first[noisy]'
  const encode = '-map 1:v -c:v libx264 -preset ultrafast -pix_fmt yuv420p -metadata'.split(' ')
  const video = (sound: string): string[] => encode.concat('title=private title', '-map', sound)
  const inputs = generated.flatMap((source) => ['-f', 'lavfi', '-i', source])
  const ingredients = [...inputs, graph, ...video(''), { file: voice }]
  folder = await kept('clips', ingredients, async (own) => {
    await ffmpeg(
      ['-i', voice].concat(
        inputs,
        ['-filter_complex', graph, '-map', '[clean]', join(own, 'clean.wav')],
        video('[noisy]').concat(join(own, 'noisy.mp4')),
        video('3:a').concat(join(own, 'claps.mp4')),
      ),
    )
  })
})

async function render(
  source: string,
  options: { readonly obfuscateVoice: boolean; readonly denoiseAudio: boolean },
): Promise<string> {
  const plan = findRecipe('incognito-full-scene')?.plan(
    probe({ durationMs: LENGTH_MS, width: WIDTH, height: HEIGHT, frameRate: 25 }),
    options,
    { moments: [], assets: [], secret: SECRET, faces },
  )
  if (plan?.ok !== true) throw new Error(JSON.stringify(plan))
  return (await renderKept(plan.value, { source: join(folder, source) }))['incognito.mp4'] ?? ''
}

/** How like the picture before and after are in a rectangle of it, 1 = the same (SSIM). */
async function likeness(after: string, crop: string): Promise<number> {
  const graph = `[0:v]crop=${crop}[a];[1:v]crop=${crop}[b];[a][b]ssim=stats_file=-`
  const printed = await ffmpeg(
    ['-i', join(folder, 'noisy.mp4'), '-i', after].concat('-lavfi', graph, '-f', 'null', '-'),
  )
  const values = [...printed.matchAll(/ Y:([\d.]+)/g)].map(([, text]) => Number(text))
  expect(values).toHaveLength((LENGTH_MS / 1000) * 25)
  return values.reduce((sum, each) => sum + each, 0) / values.length
}

// Each choice of the two options has its steps in the plan: tests/unit/recipes/incognito.test.ts.
describe('the incognito scene', () => {
  it.each([
    { obfuscateVoice: false, denoiseAudio: true },
    { obfuscateVoice: true, denoiseAudio: true },
  ])('REC-19 hides faces, and changes voices and takes noise as asked: %j', async (options) => {
    const result = await render('noisy.mp4', options)
    expect(await likeness(result, '96:90:112:45')).toBeLessThan(0.75)
    expect(await likeness(result, '80:180:0:0')).toBeGreaterThan(0.9)

    const [clean, noisy, heard] = await Promise.all(
      [join(folder, 'clean.wav'), join(folder, 'noisy.mp4'), result].map((path) => samplesOf(path)),
    )
    if (clean === undefined || noisy === undefined || heard === undefined) throw new Error('gone')
    const quieter = voiceOverPauses(heard) - voiceOverPauses(noisy)
    // The mask by itself brings voices forward by less than 6 dB.
    expect(quieter).toBeGreaterThan(8)
    if (options.obfuscateVoice) {
      expect(Math.abs(Math.log2(pitchOf(heard) / pitchOf(clean)))).toBeGreaterThan(0.04)
      expect(distance(colourOf(heard), colourOf(clean))).toBeGreaterThan(2)
    } else {
      const kept = signalToDistortion(clean.subarray(0, noisy.length), heard)
      expect(kept.decibels).toBeGreaterThan(3)
      expect(Math.abs(kept.delayMs)).toBeLessThan(10)
    }

    // The sound of the source ends after three seconds.
    const streams = await streamsOf(result)
    expect(Number(streams.video?.duration)).toBe(LENGTH_MS / 1000)
    expect(Number(streams.audio?.duration)).toBe(LENGTH_MS / 1000)
    expect(streams.video).toMatchObject({ codec_name: 'h264', width: WIDTH, height: HEIGHT })
    expect(streams.audio).toMatchObject({ codec_name: 'aac', channels: 2 })
    expect(JSON.stringify(streams)).not.toMatch(/private title|Lavc|x264/)
  })

  it('REC-19 keeps each sound within 40 ms of its picture', async () => {
    const made = await render('claps.mp4', { obfuscateVoice: true, denoiseAudio: false })
    const [before, after] = await Promise.all(
      [join(folder, 'claps.mp4'), made].map(async (path) => beginningsOf(await samplesOf(path))),
    )
    expect(after).toHaveLength(6)
    for (const [index, atS] of (after ?? []).entries())
      expect(Math.abs(atS - (before?.[index] ?? 0))).toBeLessThan(0.04)
  })
})
