import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { findRecipe } from '#recipes/presets.ts'
import type { RecipePlan, SourceProbe } from '#recipes/types.ts'
import { probe } from '#tests/fixtures/probes.ts'
import { streamsOf } from '#tests/integration/recipes/measure.ts'
import {
  beginningsOf,
  colourOf,
  distance,
  levelOf,
  pitchOf,
  samplesOf,
} from '#tests/integration/recipes/voice.ts'
import { ffmpeg, renderPlan } from '#tests/setup/render-plan.ts'

const voices = ['low', 'high'] as const
const voicePath = (voice: string): string =>
  join(import.meta.dirname, `../../fixtures/voices/${voice}.ogg`)
/** What a listener would try: play it as much faster as it was slowed down. */
const UNDO = 'asetrate=61440,aresample=48000,atempo=0.78125'
const recipe = findRecipe('voice-mask-full-scene')
let folder = ''

vi.setConfig({ testTimeout: 60_000, hookTimeout: 60_000 })
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'voice-mask-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

async function render(
  source: string,
  plan: { readonly ok: true; readonly value: RecipePlan } | { readonly ok: false } | undefined,
): Promise<Readonly<Record<string, string>>> {
  if (plan?.ok !== true) throw new Error(JSON.stringify(plan))
  return renderPlan(plan.value, { source, folder: await mkdtemp(join(folder, 'render-')) })
}

const mask = async (path: string, different: Partial<SourceProbe> = {}): Promise<string> =>
  (
    await render(
      path,
      recipe?.plan(
        probe({ durationMs: 6000, width: 320, height: 180, pixelFormat: 'yuv420p', ...different }),
        undefined,
        { moments: [], assets: [] },
      ),
    )
  )['voice-mask.mp4'] ?? ''

async function makeVideo(
  name: string,
  sound: readonly string[],
  picture: readonly string[] = ['-c:v', 'libx264', '-preset', 'ultrafast', '-bf', '2'],
): Promise<string> {
  const path = join(folder, name)
  await ffmpeg([
    '-f',
    'lavfi',
    '-i',
    'testsrc2=s=320x180:r=30',
    ...sound,
    '-t',
    '6',
    '-pix_fmt',
    'yuv420p',
    ...picture,
    '-c:a',
    'aac',
    '-metadata',
    'title=private title',
    path,
  ])
  return path
}

const framesOf = (path: string): Promise<string> =>
  ffmpeg(['-i', path, '-map', '0:v', '-f', 'framemd5', '-'])

describe('the voice mask', () => {
  it.each(voices)(
    'moves pitch and formants of a %s voice, by more than playing it faster can undo',
    async (voice) => {
      const masked = await mask(await makeVideo(`${voice}.mp4`, ['-i', voicePath(voice)]))
      const [before, after, undone] = await Promise.all([
        samplesOf(voicePath(voice)),
        samplesOf(masked),
        samplesOf(masked, UNDO),
      ])
      const pitch = pitchOf(after) / pitchOf(before)
      expect(pitch).toBeGreaterThan(0.72)
      expect(pitch).toBeLessThan(0.88)
      // The formants lie lower: read four semitones higher up, the old spectrum is nearer than at
      // its place.
      const [was, is] = [colourOf(before), colourOf(after)]
      expect(distance(is, was, 4)).toBeLessThan(distance(is, was) - 1)
      expect(distance(is, was)).toBeGreaterThan(4)
      expect(Math.abs(levelOf(after) - levelOf(before))).toBeLessThan(3)
      // As a yardstick: a voice that was only lowered comes back to a fraction of a decibel.
      const lowered = await samplesOf(
        voicePath(voice),
        `aresample=48000,asetrate=37500,aresample=48000,atempo=1.28,${UNDO}`,
      )
      expect(distance(colourOf(lowered), was)).toBeLessThan(1)
      expect(distance(colourOf(undone), was)).toBeGreaterThan(2.5)
    },
  )

  it('keeps each sound within 40 ms of its picture and every picture as it was', async () => {
    const claps = [
      '-f',
      'lavfi',
      '-i',
      "aevalsrc='if(lt(mod(t,1),0.02),0.8*sin(2*PI*900*t),0)':s=44100",
    ]
    const source = await makeVideo('claps.mp4', claps)
    const masked = await mask(source)
    const [before, after] = [
      beginningsOf(await samplesOf(source)),
      beginningsOf(await samplesOf(masked)),
    ]
    expect(after).toHaveLength(6)
    for (const [index, atS] of after.entries())
      expect(Math.abs(atS - (before[index] ?? 0))).toBeLessThan(0.04)
    expect(await framesOf(masked)).toBe(await framesOf(source))
    const { durationS, video, audio } = await streamsOf(masked)
    expect(Math.abs(durationS - 6)).toBeLessThan(0.1)
    expect(video).toMatchObject({ codec_name: 'h264', width: 320, height: 180 })
    expect(audio).toMatchObject({ codec_name: 'aac', sample_rate: '48000', channels: 2 })
    expect(JSON.stringify(await streamsOf(masked))).not.toContain('private title')
  })

  it('keeps a picture upright that a phone turned, and starts sound late where it starts late', async () => {
    const claps = [
      '-itsoffset',
      '1.5',
      '-f',
      'lavfi',
      '-i',
      "aevalsrc='if(lt(mod(t,1),0.02),0.8*sin(2*PI*900*t),0)':s=48000",
    ]
    const source = join(folder, 'turned.mov')
    await ffmpeg([
      '-i',
      await makeVideo('late.mp4', claps),
      '-c',
      'copy',
      '-metadata:s:v',
      'rotate=90',
      source,
    ])
    const masked = await mask(source, { width: 180, height: 320 })
    const [first = 0] = beginningsOf(await samplesOf(masked, 'aresample=async=1:first_pts=0'))
    expect(Math.abs(first - 1.5)).toBeLessThan(0.04)
    expect(JSON.stringify(await streamsOf(masked))).toMatch(/"rotation":-?90/)
  })

  it('encodes a picture that not every player shows, and takes files of other kinds', async () => {
    const source = await makeVideo('scene.avi', ['-i', voicePath('low')], ['-c:v', 'mpeg4'])
    const { video } = await streamsOf(
      await mask(source, { videoCodec: 'mpeg4', fileName: 'scene.avi' }),
    )
    expect(video).toMatchObject({ codec_name: 'h264', pix_fmt: 'yuv420p', width: 320, height: 180 })
  })

  it('has nothing to do without sound', () => {
    const silent = probe({ hasAudio: false, audioCodec: null })
    const problem = {
      ok: false,
      error: {
        code: 'recipe/source-unusable',
        message: 'This video has no sound, so there is no voice to change.',
      },
    }
    expect(recipe?.plan(silent, undefined, { moments: [], assets: [] })).toEqual(problem)
    expect(recipe?.preview?.(silent, undefined, { startMs: 0, durationMs: 5000 })).toEqual(problem)
  })

  it('previews five seconds before and after', async () => {
    const source = await makeVideo('preview.mp4', ['-i', voicePath('high')])
    const made = await render(
      source,
      recipe?.preview?.(probe({ durationMs: 6000 }), undefined, {
        startMs: 500,
        durationMs: 60_000,
      }),
    )
    for (const name of ['before.wav', 'after.wav']) {
      const { durationS, audio, video } = await streamsOf(made[name])
      expect(durationS).toBeCloseTo(5, 1)
      expect(audio?.codec_name).toBe('pcm_s16le')
      expect(video).toBeUndefined()
    }
    const pitch =
      pitchOf(await samplesOf(made['after.wav'] ?? '')) /
      pitchOf(await samplesOf(made['before.wav'] ?? ''))
    expect(pitch).toBeLessThan(0.88)
  })
})
