import { describe, expect, it } from 'vitest'
import { deliveryVideo, steadyFrameRate } from '#recipes/encoding.ts'
import { matrixOf, toStandardPicture } from '#recipes/picture.ts'
import { findRecipe } from '#recipes/presets.ts'
import type { SourceProbe } from '#recipes/types.ts'
import { probe, SECRET } from '#tests/fixtures/probes.ts'

const SIZE = { width: 640, height: 360 }
const chainOf = (different: Partial<SourceProbe>, filters?: readonly string[]): string =>
  toStandardPicture(
    probe(different),
    SIZE,
    filters === undefined ? {} : { availableFilters: new Set(filters) },
  ).chain

describe('the standard picture', () => {
  it('REC-22 is whole where the source has fields, by the best filter there is', () => {
    expect(chainOf({ isInterlaced: true })).toMatch(
      /^scale,bwdif=mode=send_frame:deint=interlaced,scale/,
    )
    expect(chainOf({ isInterlaced: true }, ['yadif'])).toMatch(/^scale,yadif=mode=send_frame/)
    expect(chainOf({ isInterlaced: true }, [])).toMatch(/^scale/)
    expect(chainOf({})).not.toContain('dif=')
  })

  it('SRC-05 follows the fields that were seen, and not what each picture says of itself', () => {
    expect(chainOf({ isInterlaced: true, fieldOrder: 'bottom' })).toMatch(
      /^scale,bwdif=mode=send_frame:parity=bff:deint=all,scale/,
    )
    expect(chainOf({ isInterlaced: true, fieldOrder: 'top' }, ['yadif'])).toContain('parity=tff')
  })

  it('REC-22 keeps the matrix of the source and says it; one that no edit keeps becomes bt709', () => {
    expect(chainOf({ colorMatrix: 'bt601' })).toContain(
      'in_color_matrix=bt601:out_color_matrix=bt601:out_range=tv,setparams=range=tv:colorspace=smpte170m',
    )
    expect(chainOf({ colorMatrix: 'bt2020' })).toContain(
      'in_color_matrix=bt2020:out_color_matrix=bt709:out_range=tv,setparams=range=tv:colorspace=bt709',
    )
    // What each picture says must not be overruled by a guess.
    expect(chainOf({})).not.toContain('matrix')
    expect(matrixOf(probe({ width: 640, height: 360 }))).toBe('bt601')
    expect(matrixOf(probe({ width: 640, height: 360, isHdr: true }))).toBe('bt709')
  })

  it('REC-22 of HDR is brought to white, also where the file names only its curve', () => {
    const chain = chainOf({ isHdr: true, colorMatrix: 'bt2020' })
    expect(chain).toContain('setparams=color_primaries=bt2020:colorspace=bt2020nc,zscale=t=linear')
    expect(chain).toMatch(/tonemap=mobius.*setparams=range=tv:colorspace=bt709,setsar=1/)
    expect(chainOf({ isHdr: true, colorMatrix: 'bt2020' }, ['zscale'])).not.toContain('tonemap')
  })
})

describe('a picture that changes within the video', () => {
  it('REC-27 keeps its shape on the ground of the first, before filters that read beyond it', () => {
    const chain = chainOf({ pictureChanges: true, isInterlaced: true, width: 720, height: 576 })
    expect(chain).toMatch(/^scale=.*,pad=720:576:[^,]*:eval=frame,setsar=1,bwdif=/)
    expect(chain).toMatch(/bwdif=[^,]*,scale=.*:eval=frame:flags=bicubic,pad=640:360:/)
    expect(chainOf({})).not.toContain('pad')
  })
})

describe('video for delivery', () => {
  it('REC-23 holds few pictures at once where they are large', () => {
    const lookAhead = ['-rc-lookahead', '5']
    expect(deliveryVideo({ width: 3840, height: 2160 })).toEqual(expect.arrayContaining(lookAhead))
    expect(deliveryVideo({ width: 1080, height: 1920 })).not.toContain('-rc-lookahead')
  })

  it('REC-23 holds no picture of another piece: a teaser joins what it has encoded once', () => {
    const plan = findRecipe('teaser-60s')?.plan(probe(), undefined, {
      moments: [],
      assets: [],
      secret: SECRET,
    })
    if (plan?.ok !== true) throw new Error('no plan')
    const { steps } = plan.value
    expect(steps.slice(0, -1).every(({ inputs }) => inputs.length <= 2)).toBe(true)
    expect(steps.at(-1)?.args.join(' ')).toContain('-map 0:v:0 -c:v copy')
  })
})

describe('the frame rate', () => {
  it('REC-22 is the nominal one of a source that leaves pictures out', () => {
    expect(steadyFrameRate({ frameRate: 25.78, nominalRate: 30 }).text).toBe('30')
    expect(steadyFrameRate({ frameRate: 25.78, nominalRate: 59.94 }).text).toBe('30000/1001')
    expect(steadyFrameRate({ frameRate: 25, nominalRate: Number.NaN }).text).toBe('25')
  })
})
