import { describe, expect, it } from 'vitest'
import { recipes } from '#recipes/presets.ts'
import { flatWords } from '#src/components/order/immersive-words.ts'
import { findingCopy } from '#src/components/problem/probe-copy.ts'
import type { TaskRequest } from '#src/local/edits/task-requests.ts'
import { SECRET, assets, payloads, probe } from '#tests/fixtures/probes.ts'
import { obstacleTo, unfitEdits, unmetNeeds } from '#src/features/upload/formats/unmet-needs.ts'

const SILENT = { hasAudio: false, hasWideSound: null }
const WIDE = { hasAudio: true, hasWideSound: true }
const UNKNOWN = { hasAudio: null, hasWideSound: null }
const MUSIC = { slug: 'remove-background-music', name: 'Remove Background Music' } as const
const VOICE = { slug: 'voice-mask-full-scene', name: 'Voice Mask' } as const
const TEASER = { slug: 'teaser-15s', name: '15s Teaser' } as const
const CUT = { slug: 'tube-cut', name: 'Tube Cut' } as const
const STILLS = { slug: 'still-pack', name: 'Still Pack' } as const

describe('what formats need and a video has not', () => {
  it('FMT-04 sound: a format that changes it cannot be ordered, and says so in front of everything else', () => {
    const findings = unmetNeeds([STILLS, VOICE], { durationMs: 2_000, ...SILENT })
    expect(findings.map(({ ruleId, verdict }) => [ruleId, verdict])).toEqual([
      ['B2', 'block'],
      ['A10', 'warn'],
    ])
    expect(findings.map((finding) => findingCopy(finding).title)).toEqual([
      'This video has no sound, which "Voice Mask" needs.',
      'This video is 2 s long; "Still Pack" needs at least 3 s.',
    ])
  })

  it('REC-17 two channels that differ: without them music cannot be turned down, and its card says so', () => {
    const narrow = { durationMs: 60_000, hasAudio: true, hasWideSound: false }
    expect(unmetNeeds([VOICE, MUSIC], narrow).map((finding) => findingCopy(finding).title)).toEqual(
      [
        'Voices and music of this video are in one channel, so "Remove Background Music" cannot turn the music down by itself.',
      ],
    )
    expect(obstacleTo(MUSIC, narrow, null)).toContain('stereo')
    expect(obstacleTo(VOICE, narrow, null)).toBeNull()
    expect(obstacleTo(MUSIC, { ...narrow, hasWideSound: null }, null)).toBeNull()
  })

  it('DEL-01 a teaser that would be the whole video cannot be chosen, and what was chosen before says what to do', () => {
    const short = { durationMs: 15_900, ...WIDE }
    const words =
      'Your video is 15 s long, so a teaser of 15 s would be all of it: please choose another edit.'
    expect(obstacleTo(TEASER, short, null)).toBe(words)
    expect(obstacleTo(TEASER, { ...short, durationMs: 16_000 }, null)).toBeNull()
    expect(obstacleTo(TEASER, { ...short, durationMs: null }, null)).toBeNull()
    const asked: readonly TaskRequest[] = [
      { mediaJobTaskPresetSlug: 'teaser-15s' },
      {
        mediaJobTaskPresetSlug: 'tube-cut',
        payload: { targetDuration: 360_000, introMediaAssetIds: [], outroMediaAssetIds: [] },
      },
    ]
    expect(unfitEdits(asked, [TEASER, CUT], short)).toEqual([
      { name: '15s Teaser', why: words },
      {
        name: 'Tube Cut',
        why: 'Your video is 15 s long, so this would be all of it: please enter a shorter length, or add an intro or outro.',
      },
    ])
    expect(obstacleTo(CUT, short, null)).toBeNull()
    expect(unfitEdits(asked, [TEASER, CUT], { durationMs: 361_000 })).toEqual([])
  })

  it('reports nothing for a video with sound, and nothing while its facts are unknown', () => {
    expect(unmetNeeds([VOICE], { durationMs: 60_000, ...WIDE })).toEqual([])
    expect(unmetNeeds([TEASER, VOICE], { durationMs: null, ...UNKNOWN })).toEqual([])
  })

  it('SRC-04 edits that show passages say that they are flat, and those of the whole video stay what it is', () => {
    const vr180 = { kind: 'VR180', isDouble: true, isKept: true } as const
    const words = Object.keys(recipes).map((slug) => [slug, flatWords(slug, vr180)] as const)
    expect(words.flatMap(([slug, said]) => (said === null ? [slug] : [])).toSorted()).toEqual([
      'blur-video-and-audio',
      'denoised-full-scene',
      'dynamic-watermark',
      'enhanced-audio-full-scene',
      'example-high-resolution-video',
      'example-low-resolution-video',
      'face-blurred-full-scene',
      'incognito-full-scene',
      'remove-background-music',
      'voice-mask-full-scene',
    ])
    expect(flatWords('teaser-15s', vr180)).toBe(
      'Shows the flat double picture of this VR180 video, with both eyes.',
    )
    expect(flatWords('still-pack', { ...vr180, kind: '360', isDouble: false })).toBe(
      'Shows the flat, unwrapped picture of this 360 video.',
    )
    expect(flatWords('dynamic-watermark', { ...vr180, kind: '3D', isKept: false })).toBe(
      'Shows the flat double picture of this 3D video, with both eyes.',
    )
    expect(flatWords('teaser-15s', null)).toBeNull()
  })

  it('every recipe says whether it needs sound, and what it says is so', () => {
    const silent = probe({ hasAudio: false, audioCodec: null, audioChannels: 0 })
    for (const [slug, recipe] of Object.entries(recipes))
      expect([
        slug,
        recipe.plan(silent, payloads[slug], { moments: [], assets, secret: SECRET }).ok,
      ]).toEqual([slug, recipe.needs.sound === false])
  })
})
