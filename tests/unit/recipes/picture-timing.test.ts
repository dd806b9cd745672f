import { describe, expect, it } from 'vitest'
import { ownTiming, steadyTiming } from '#recipes/picture-timing.ts'
import { findRecipe } from '#recipes/presets.ts'
import { keptSound } from '#recipes/whole-sound.ts'
import { wholePicture } from '#recipes/whole-picture.ts'
import { probe, SECRET, shortPayloads } from '#tests/fixtures/probes.ts'

const OWN = 'setpts=if(eq(N\\,0)\\,0\\,PTS),'
const steady = (rate: string, frames: number): string =>
  `fps=${rate}:start_time=0,tpad=stop=-1:stop_mode=clone,trim=end_frame=${frames},`

describe('when the pictures of a whole video are shown', () => {
  it.each([
    ['as in the source', { frameRate: 30, longestStayMs: 34 }, OWN],
    ['also at 60', { frameRate: 59.94, longestStayMs: 17 }, OWN],
    ['also where some are left out', { frameRate: 27, nominalRate: 30, longestStayMs: 100 }, OWN],
    ['steadily where one stays', { frameRate: 30, longestStayMs: 1000 }, steady('30', 600)],
    [
      'steadily in recordings of screens',
      { frameRate: 3.15, nominalRate: 60, longestStayMs: 11_933 },
      steady('60', 1200),
    ],
    ['ten times a second in time lapse', { frameRate: 1, longestStayMs: 1000 }, steady('10', 200)],
    [
      'evenly where a phone is fast at times',
      { frameRate: 45, nominalRate: 240, longestStayMs: 33 },
      steady('60', 1200),
    ],
    ['evenly where a camera is fast', { frameRate: 100, longestStayMs: 10 }, steady('50', 1000)],
  ])('SRC-02 %s', (_title, different, chain) => {
    expect(ownTiming(probe({ durationMs: 20_000, ...different })).chain).toBe(chain)
  })

  it('SRC-02 a preview is as long as its part', () => {
    const part = { startMs: 5000, durationMs: 3000 }
    expect(steadyTiming(probe(), part).chain).toBe(steady('30', 90))
  })

  it('SRC-02 SRC-07 a picture is copied only where its times can be kept, from its first one on', () => {
    const argsOf = (different: object): string =>
      wholePicture(probe({ pixelFormat: 'yuv420p', ...different }), {}).args.join(' ')
    expect(argsOf({ longestStayMs: 40 })).toMatch(/-c:v copy -bsf:v \S+types=6$/)
    expect(argsOf({ longestStayMs: 40, pictureStartMs: 21 })).toContain('types=6,setts=pts=')
    expect(argsOf({ longestStayMs: 40, pictureStartMs: 600 })).toMatch(/types=6$/)
    expect(argsOf({ longestStayMs: 5000 })).toContain('-c:v libx264')
    expect(argsOf({ startsWithoutKey: true })).toContain('-c:v libx264')
    expect(argsOf({ hidesPictures: true })).toContain('-c:v libx264')
  })
})

it('SRC-07 sound is copied only where it is as long as the picture, else filled with silence', () => {
  const argsOf = (different: object): string =>
    (keptSound(probe({ durationMs: 20_000, ...different }))?.args ?? []).join(' ')
  expect(argsOf({ soundFits: true })).toBe('-c:a copy')
  const filled = '-af aresample=48000:async=1:first_pts=0,apad,atrim=end=20.000 -c:a aac'
  expect(argsOf({ soundFits: false })).toContain(filled)
  expect(argsOf({ soundFits: true, pictureStartMs: 600 })).toContain(filled)
  expect(argsOf({ audioCodec: 'opus' })).toContain(filled)
})

describe('the source of an edit of passages', () => {
  const stepsOf = (slug: string, different: object) => {
    const source = probe({ durationMs: 63_000, ...different })
    const context = { moments: [], assets: [], secret: SECRET }
    const plan = findRecipe(slug)?.plan(source, shortPayloads[slug], context)
    if (plan?.ok !== true) throw new Error(`no plan for ${slug}`)
    return plan.value.steps
  }

  it.each([
    'uniform-sampling',
    'still-pack',
    'social-media-gif-pack',
    'team-skeet-thumbnail-video',
  ])(
    'SRC-03 is a steady copy for a %s where a picture stays for longer than a passage reads',
    (slug) => {
      const [first, ...others] = stepsOf(slug, { longestStayMs: 60_033 })
      expect(first).toMatchObject({ id: 'steady', outputDurationMs: 63_000 })
      expect(others.flatMap(({ inputs }) => inputs.map(({ from }) => from.kind))).not.toContain(
        'source',
      )
      expect(stepsOf(slug, { longestStayMs: 2000 })[0]?.id).not.toBe('steady')
    },
  )

  it('SRC-03 is the source itself for what shows all of it', () => {
    const ids = stepsOf('dynamic-watermark', { longestStayMs: 60_033 }).map(({ id }) => id)
    expect(ids).toEqual(['dynamic-watermark'])
  })
})
