import { describe, expect, it } from 'vitest'
import { recipes } from '#recipes/presets.ts'
import { holdAll, stretchesRead } from '#recipes/stretches-read.ts'
import type { SourceProbe } from '#recipes/types.ts'
import { earlyEdits, excerptNeed, notHeld } from '#src/local/edits/excerpt-stretches.ts'
import { momentBoard, requestOfMoments, takesMoments } from '#src/local/edits/moment-boards.ts'
import type { TaskRequest } from '#src/local/edits/task-requests.ts'

const SOURCE: SourceProbe = {
  durationMs: 7_200_000,
  width: 1920,
  height: 1080,
  frameRate: 25,
  hasAudio: true,
  videoCodec: 'h264',
  audioCodec: 'aac',
  audioChannels: 2,
  isHdr: false,
  fileName: 'scene.mp4',
}
const SECRET = '0'.repeat(64)
const PAYLOADS: Readonly<Record<string, object>> = {
  'team-skeet-trailer': {},
  'tube-cut': { duration: 300 },
}

/** An edit whose moments are those that it shows by itself. */
function chosen(slug: string, payload: object = PAYLOADS[slug] ?? {}): TaskRequest | null {
  const request = { mediaJobTaskPresetSlug: slug, payload } as TaskRequest
  const board = momentBoard(request, {
    source: { ...SOURCE, nominalRate: null, isInterlaced: false },
    moments: [],
    pictures: null,
  } as unknown as Parameters<typeof momentBoard>[1])
  return board === null ? null : requestOfMoments(request, board.begin)
}

const FIXED = (): boolean => true
const needOf = (requests: readonly TaskRequest[], hasFixedPrice = FIXED) =>
  excerptNeed(earlyEdits(requests, SOURCE, hasFixedPrice))

describe('what an excerpt has to hold', () => {
  it.each([
    ['teaser-15s', 30],
    ['teaser-60s', 100],
    ['teaser-upright', 30],
    ['still-pack', 80],
    ['social-media-gif-pack', 25],
    ['short-trailer-gif', 20],
    ['team-skeet-thumbnail-video', 25],
    ['tube-cut', 400],
  ])('NOW-01 of %s is at most %i s of two hours', (slug, seconds) => {
    const request = chosen(slug)
    expect(request).not.toBeNull()
    const need = needOf(request === null ? [] : [request])
    const lengthMs = need?.stretches.reduce((sum, each) => sum + each.endMs - each.startMs, 0) ?? 0
    expect(lengthMs).toBeGreaterThan(0)
    expect(lengthMs).toBeLessThan(seconds * 1000)
    const plan = recipes[slug]?.plan(SOURCE, request?.payload, {
      moments: [],
      assets: [],
      secret: SECRET,
    })
    const read = plan?.ok === true ? stretchesRead(plan.value) : null
    expect(read).not.toBeNull()
    expect(holdAll(need?.stretches ?? [], read ?? [])).toBe(true)
  })

  it('NOW-01 is nothing for edits of the whole, without chosen moments, or priced by length', () => {
    const whole = Object.keys(recipes).filter((slug) => !takesMoments(slug))
    expect(whole.length).toBeGreaterThan(5)
    for (const slug of whole)
      expect(needOf([{ mediaJobTaskPresetSlug: slug, payload: {} } as TaskRequest])).toBeNull()
    const teaser = chosen('teaser-15s')
    if (teaser === null) throw new Error('a teaser of two hours has a board')
    expect(needOf([{ mediaJobTaskPresetSlug: 'teaser-15s' }])).toBeNull()
    expect(needOf([teaser], () => false)).toBeNull()
  })

  it('NOW-01 joins what two edits show of the same place, in the order of time', () => {
    const both = [chosen('teaser-60s'), chosen('teaser-15s')].flatMap((each) => each ?? [])
    const need = needOf(both)
    expect(need?.slugs).toEqual(['teaser-60s', 'teaser-15s'])
    const stretches = need?.stretches ?? []
    for (const [index, { startMs, endMs }] of stretches.entries()) {
      expect(startMs).toBeLessThan(endMs)
      expect(startMs).toBeGreaterThan(stretches[index - 1]?.endMs ?? -1)
    }
  })

  it('NOW-08 of a teaser of two hours is so little that 25 GB on 1 Mbit/s give it in time', () => {
    const teaser = chosen('teaser-15s')
    const need = needOf(teaser === null ? [] : [teaser])
    const readMs = need?.stretches.reduce((sum, each) => sum + each.endMs - each.startMs, 0) ?? 0
    // Around each stretch, with a key every 2 s: what leads to it and what is kept behind it.
    const aroundMs = (need?.stretches.length ?? 0) * 1600 + 1100
    const bytes = (25e9 * (readMs + aroundMs)) / SOURCE.durationMs
    expect(bytes / 125_000).toBeLessThan(15 * 60)
  })

  it('NOW-01 is for a second order what no excerpt holds, of edits that one holds nothing', () => {
    const [sixty, fifteen] = [chosen('teaser-60s'), chosen('teaser-15s')].flatMap(
      (each) => each ?? [],
    )
    if (sixty === undefined || fifteen === undefined) throw new Error('both have boards')
    const edits = earlyEdits([sixty, fifteen], SOURCE, FIXED)
    const held = needOf([fifteen])?.stretches ?? []
    expect(notHeld(edits, [held]).map(({ slug }) => slug)).toEqual(['teaser-60s'])
    expect(excerptNeed(notHeld(edits, [held]))).toEqual(needOf([sixty]))
    // Two excerpts that hold it together do not hold it: an edit is made of one file.
    const halves = [held.slice(0, 3), held.slice(3)]
    expect(notHeld(edits, halves).map(({ slug }) => slug)).toEqual(['teaser-60s', 'teaser-15s'])
  })
})
