import { describe, expect, it } from 'vitest'
import { recipes } from '#recipes/presets.ts'
import { findingCopy } from '#src/components/problem/probe-copy.ts'
import { SECRET, assets, payloads, probe } from '#tests/fixtures/probes.ts'
import { obstacleTo, unmetNeeds } from '#src/features/upload/formats/unmet-needs.ts'

const SILENT = { hasAudio: false, hasWideSound: null }
const WIDE = { hasAudio: true, hasWideSound: true }
const UNKNOWN = { hasAudio: null, hasWideSound: null }
const MUSIC = { slug: 'remove-background-music', name: 'Remove Background Music' }
const VOICE = { slug: 'voice-mask-full-scene', name: 'Voice Mask' }
const TEASER = { slug: 'teaser-15s', name: '15s Teaser' }

describe('what formats need and a video has not', () => {
  it('FMT-04 sound: a format that changes it cannot be ordered, and says so in front of everything else', () => {
    const findings = unmetNeeds([TEASER, VOICE], { durationMs: 5_000, ...SILENT })
    expect(findings.map(({ ruleId, verdict }) => [ruleId, verdict])).toEqual([
      ['B2', 'block'],
      ['A10', 'warn'],
    ])
    expect(findings.map((finding) => findingCopy(finding).title)).toEqual([
      'This video has no sound, which "Voice Mask" needs.',
      'This video is 5 s long; "15s Teaser" needs at least 15 s.',
    ])
  })

  it('REC-17 two channels that differ: without them music cannot be turned down, and its card says so', () => {
    const narrow = { durationMs: 60_000, hasAudio: true, hasWideSound: false }
    expect(unmetNeeds([VOICE, MUSIC], narrow).map((finding) => findingCopy(finding).title)).toEqual(
      [
        'Voices and music of this video are in one channel, so "Remove Background Music" cannot turn the music down by itself.',
      ],
    )
    expect(obstacleTo(MUSIC, narrow)).toContain('stereo')
    expect(obstacleTo(VOICE, narrow)).toBeNull()
    expect(obstacleTo(MUSIC, { ...narrow, hasWideSound: null })).toBeNull()
  })

  it('reports nothing for a video with sound, and nothing while its facts are unknown', () => {
    expect(unmetNeeds([VOICE], { durationMs: 60_000, ...WIDE })).toEqual([])
    expect(unmetNeeds([TEASER, VOICE], { durationMs: null, ...UNKNOWN })).toEqual([])
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
