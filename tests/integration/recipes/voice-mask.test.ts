import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { findRecipe } from '#recipes/presets.ts'
import type { RecipePlan, SourceProbe } from '#recipes/types.ts'
import { maskVoice } from '#recipes/voices/mask.ts'
import { envelopeLikeness } from '#tests/bench/edits/voice-matcher.ts'
import { SECRET, probe } from '#tests/fixtures/probes.ts'
import { loudnessOf, streamsOf } from '#tests/integration/recipes/measure.ts'
import {
  beginningsOf,
  colourOf,
  distance,
  pitchOf,
  samplesOf,
} from '#tests/integration/recipes/voice.ts'
import { keptClip } from '#tests/setup/kept.ts'
import { renderKept } from '#tests/setup/kept-render.ts'
import { ffmpeg } from '#tests/setup/render-plan.ts'

const voices = ['low', 'high'] as const
const voicePath = (voice: string): string =>
  join(import.meta.dirname, `../../fixtures/voices/${voice}.ogg`)
const recipe = findRecipe('voice-mask-full-scene')

async function render(
  source: string,
  plan: { readonly ok: true; readonly value: RecipePlan } | { readonly ok: false } | undefined,
): Promise<Readonly<Record<string, string>>> {
  if (plan?.ok !== true) throw new Error(JSON.stringify(plan))
  return await renderKept(plan.value, { source })
}

const mask = async (
  path: string,
  different: Partial<SourceProbe> = {},
  secret = SECRET,
): Promise<string> =>
  (
    await render(
      path,
      recipe?.plan(
        probe({ durationMs: 6000, width: 320, height: 180, pixelFormat: 'yuv420p', ...different }),
        undefined,
        { moments: [], assets: [], secret },
      ),
    )
  )['voice-mask.mp4'] ?? ''

async function makeVideo(
  name: string,
  sound: readonly string[],
  picture: readonly string[] = ['-c:v', 'libx264', '-preset', 'ultrafast', '-bf', '2'],
  seconds = 6,
): Promise<string> {
  return await keptClip(name, [
    '-f',
    'lavfi',
    '-i',
    'testsrc2=s=320x180:r=30',
    ...sound,
    '-t',
    String(seconds),
    '-pix_fmt',
    'yuv420p',
    ...picture,
    '-c:a',
    'aac',
    '-metadata',
    'title=private title',
  ])
}

const framesOf = (path: string): Promise<string> =>
  ffmpeg(['-i', path, '-map', '0:v', '-f', 'framemd5', '-'])

const EMPTY: Float32Array = new Float32Array()

/** A sound masked by the program of the server, by one secret. */
async function masked(samples: Float32Array = EMPTY): Promise<Float32Array> {
  const parts: number[] = []
  const read = (at: number, length: number): Float32Array =>
    Float32Array.from({ length }, (_, index) => samples[at + index] ?? 0)
  await maskVoice({ length: samples.length, read }, SECRET, (part) => parts.push(...part))
  return Float32Array.from(parts)
}

const octavesBetween = (a: Float32Array = EMPTY, b: Float32Array = EMPTY): number =>
  Math.abs(Math.log2(pitchOf(a) / pitchOf(b)))

describe('the voice mask', () => {
  // More voices: `npm run bench -- edits voice`.
  it('REC-08 makes two people of the two uploads of a voice, as loud as networks play', async () => {
    const video = await makeVideo('low.mp4', ['-i', voicePath('low')])
    const files = await Promise.all([mask(video), mask(video, {}, 'c0de'.repeat(16))])
    for (const path of files) expect(Math.abs((await loudnessOf(path)) + 16)).toBeLessThan(0.5)
    const before = await samplesOf(video)
    const [one, other] = await Promise.all([samplesOf(files[0]), samplesOf(files[1])])
    const octaves = [one, other].map((each) => Math.log2(pitchOf(each) / pitchOf(before)))
    for (const each of octaves) expect(Math.abs(each)).toBeGreaterThan(0.04)
    expect(Math.abs((octaves[0] ?? 0) - (octaves[1] ?? 0))).toBeGreaterThan(0.1)
    const [was, is, differs] = [colourOf(before), colourOf(one), colourOf(other)]
    // Two sentences of one person differ by 1.7 dB.
    expect(distance(is, was)).toBeGreaterThan(2)
    expect(distance(differs, was)).toBeGreaterThan(2)
    expect(distance(is, differs)).toBeGreaterThan(2)
  })

  it('REC-08 makes one voice of two people before the secret changes it, as long as they spoke', async () => {
    const [low, high] = await Promise.all(voices.map((voice) => samplesOf(voicePath(voice))))
    const [fromLow, fromHigh] = await Promise.all([masked(low), masked(high)])
    expect([fromLow.length, fromHigh.length]).toEqual([low?.length, high?.length])
    expect(octavesBetween(low, high)).toBeGreaterThan(0.5)
    expect(octavesBetween(fromLow, fromHigh)).toBeLessThan(0.1)
    const between = distance(colourOf(low ?? EMPTY), colourOf(high ?? EMPTY))
    expect(distance(colourOf(fromLow), colourOf(fromHigh))).toBeLessThan(0.6 * between)
  })

  it('keeps each sound within 40 ms of its picture, where it starts late too, and every picture as it was, upright as a phone turned it', async () => {
    const claps = [
      '-itsoffset',
      '1.5',
      '-f',
      'lavfi',
      '-i',
      "aevalsrc='if(lt(mod(t,1),0.02),0.8*sin(2*PI*900*t),0)':s=44100",
    ]
    const source = await keptClip('turned.mov', [
      '-i',
      await makeVideo('late.mp4', claps, undefined, 5),
      '-c',
      'copy',
      '-metadata:s:v',
      'rotate=90',
    ])
    const masked = await mask(source, { durationMs: 5000, width: 180, height: 320 })
    const [before, after] = await Promise.all(
      [source, masked].map(async (path) =>
        beginningsOf(await samplesOf(path, 'aresample=async=1:first_pts=0')),
      ),
    )
    expect(after).toHaveLength(4)
    expect(Math.abs((after?.[0] ?? 0) - 1.5)).toBeLessThan(0.04)
    for (const [index, atS] of (after ?? []).entries())
      expect(Math.abs(atS - (before?.[index] ?? 0))).toBeLessThan(0.04)
    expect(await framesOf(masked)).toBe(await framesOf(source))
    const streams = await streamsOf(masked)
    expect(Math.abs(streams.durationS - 5)).toBeLessThan(0.1)
    expect(streams.video).toMatchObject({ codec_name: 'h264', width: 320, height: 180 })
    expect(streams.audio).toMatchObject({ codec_name: 'aac', sample_rate: '48000', channels: 2 })
    expect(JSON.stringify(streams)).toMatch(/"rotation":-?90/)
    expect(JSON.stringify(streams)).not.toContain('private title')
  })

  it('encodes a picture that not every player shows, and takes files of other kinds', async () => {
    const source = await makeVideo('scene.avi', ['-i', voicePath('low')], ['-c:v', 'mpeg4'], 2)
    const { video } = await streamsOf(
      await mask(source, { durationMs: 2000, videoCodec: 'mpeg4', fileName: 'scene.avi' }),
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
    expect(recipe?.plan(silent, undefined, { moments: [], assets: [], secret: SECRET })).toEqual(
      problem,
    )
    expect(
      recipe?.preview?.(silent, undefined, { startMs: 0, durationMs: 5000 }, { secret: SECRET }),
    ).toEqual(problem)
  })

  it('REC-08 previews five seconds as the edit has them, before and after', async () => {
    const spoken = ['-stream_loop', '3', '-i', voicePath('high')]
    const source = await makeVideo('preview.mp4', spoken, undefined, 11)
    const window = { startMs: 5500, durationMs: 60_000 }
    const facts = probe({ durationMs: 11_000, width: 320, height: 180, pixelFormat: 'yuv420p' })
    const previewBy = async (secret: string): Promise<Readonly<Record<string, string>>> =>
      render(source, recipe?.preview?.(facts, undefined, window, { secret }))
    const [made, other, edit] = await Promise.all([
      previewBy(SECRET),
      previewBy('c0de'.repeat(16)),
      mask(source, { durationMs: 11_000 }),
    ])
    for (const name of ['before.wav', 'after.wav']) {
      const { durationS, audio, video } = await streamsOf(made[name])
      expect(durationS).toBeCloseTo(5, 1)
      expect(audio?.codec_name).toBe('pcm_s16le')
      expect(video).toBeUndefined()
    }
    const [before, after, anothers] = await Promise.all([
      samplesOf(made['before.wav'] ?? ''),
      samplesOf(made['after.wav'] ?? ''),
      samplesOf(other['after.wav'] ?? ''),
    ])
    const finished = (await samplesOf(edit)).slice(5.5 * 16_000, 10.5 * 16_000)
    expect(octavesBetween(after, before)).toBeGreaterThan(0.04)
    expect(octavesBetween(after, finished)).toBeLessThan(0.04)
    expect(envelopeLikeness(finished, after)).toBeGreaterThan(0.9)
    // Two sentences of one person differ by 1.7 dB.
    expect(distance(colourOf(after), colourOf(finished))).toBeLessThan(1.5)
    expect(distance(colourOf(anothers), colourOf(finished))).toBeGreaterThan(2)
  })
})
